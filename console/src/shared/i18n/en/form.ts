import type { Text } from '../text.ts'

export const form: Text['form'] = {
  required: 'This field is required',
  atLeast: (n) => (n === 1 ? 'Enter at least 1 character' : `Enter at least ${n} characters`),
  atMost: (n) => `Enter at most ${n} characters`,
  visible: 'Enter visible characters',
  noControls: 'Remove the characters that can’t be displayed',
  noSpecial: 'Use only letters, digits, spaces, - _ and ·',
  patterns: {
    email: 'This isn’t a valid e-mail address',
    phone: 'This isn’t a valid phone number',
    machineCode: 'A machine code has 19 digits',
    version: 'Enter a version such as 1.2.3',
    host: 'This isn’t a valid host name',
  },
  format: 'The format isn’t valid',
  whole: 'Enter a whole number',
  numberMin: (n) => `Enter ${n} or more`,
  numberMax: (n) => `Enter ${n} or less`,
  failed: 'The changes couldn’t be saved. Try again.',
}
