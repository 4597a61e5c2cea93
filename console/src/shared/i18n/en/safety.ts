import type { Text } from '../text.ts'

export const safety: Text['safety'] = {
  title: 'Security',
  lead: 'Places where your account is signed in. Sign out anything you don’t recognise, then change your password.',
  terminals: 'Active sessions',
  count: (n) => `${n} in total`,
  columns: {
    terminal: 'Session',
    place: 'Address',
    signedIn: 'Signed in',
    expires: 'Expires',
  },
  types: { 1: 'Computer', 2: 'Phone or tablet', 3: 'TV box', 4: 'App' },
  unknownType: 'Unknown session',
  current: 'This session',
  signOut: 'Sign out',
  confirmTitle: (name) => `Sign out “${name}”?`,
  confirmBody: (ip) => `The session from ${ip} ends immediately. Signing in again needs the password.`,
  signedOut: (name) => `“${name}” was signed out`,
  failed: 'The sessions couldn’t be loaded',
  failedHint: 'Check your connection and try again.',
  alone: 'No other sessions',
}
