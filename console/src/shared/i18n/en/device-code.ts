import type { deviceCodeText as cn } from '../cn/device-code.ts'

export const deviceCodeText: typeof cn = {
  title: 'Connect an app',
  lead: 'Enter the code that the app shows. The app then uses your account; it never sees your password.',
  code: 'Code',
  form: 'Enter 8 letters and digits, such as 7KMP-4TXW; codes don’t contain 0, 1, I, L or O',
  next: 'Next',
  asks: 'An app wants to sign in with your account. Make sure the app shows this code:',
  program: 'App',
  warning:
    'If you didn’t start this app, or someone sent you the code, decline. After you confirm, the app can use your account.',
  programs: {
    connect: {
      name: 'Busbar Connect on',
      asks: 'Busbar Connect wants to reach the ports of your devices. The program can list your devices, open their ports and take control for this; the rest of your account is closed to it. Make sure the program shows this code:',
      warning:
        'If you didn’t start this program, or someone sent you the code, decline. After you confirm, the program can reach the controllers behind your devices as you may.',
    },
  },
  confirmed: 'Confirmed. The app is signing in.',
  confirmedHint: 'You can close this page and return to the app. To sign the app out later, go to Security.',
  refused: 'Declined. The app wasn’t signed in.',
  over: 'Unknown or expired code',
  overHint: 'A code is valid once, for 10 minutes. Check your entry, or get a new code in the app.',
  tooMany: 'Too many attempts',
  tooManyHint: 'Wait a minute and try again. The code stays valid.',
  another: 'Enter another code',
}
