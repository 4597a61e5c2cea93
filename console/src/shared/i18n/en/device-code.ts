import type { Text } from '../text.ts'

export const deviceCode: Text['deviceCode'] = {
  title: 'Sign in a program',
  lead: 'Does a program show you a code? Type it here, and the program is signed in with your account; it never learns your password.',
  code: 'Code',
  form: 'A code has 8 letters and digits, such as 7KMP-4TXW, and no 0, 1, I, L or O',
  next: 'Next',
  asks: 'A program asks to be signed in with your account. Make sure that it shows you this very code:',
  program: 'Program',
  warning:
    'You did not start this program, or somebody sent you the code? Refuse. Once confirmed, the program can use your account.',
  confirmed: 'Confirmed: the program is being signed in',
  confirmedHint: 'You can close this page and go back to the program. The safety centre signs it out again.',
  refused: 'Refused: the program was not signed in',
  over: 'This code is not known, or has run out',
  overHint:
    'A code can be used once, within 10 minutes. Check what you typed, or have the program show a new one.',
  tooMany: 'Too many tries',
  tooManyHint: 'Wait a minute and try again; the code stays good meanwhile.',
  another: 'Type another code',
}
