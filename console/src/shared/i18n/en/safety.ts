import type { Text } from '../text.ts'

export const safety: Text['safety'] = {
  title: 'Safety centre',
  lead: 'Terminals signed in to this account. Sign out any you do not know, then change your password.',
  terminals: 'Terminals signed in',
  count: (n) => `${n} in all`,
  columns: {
    terminal: 'Terminal',
    place: 'Address',
    signedIn: 'Signed in',
    expires: 'Expires',
  },
  types: { 1: 'Computer', 2: 'Phone or tablet', 3: 'TV box', 4: 'Program' },
  unknownType: 'Unknown terminal',
  current: 'This terminal',
  signOut: 'Sign out',
  confirmTitle: (name) => `Sign out “${name}”?`,
  confirmBody: (ip) => `Its session from ${ip} ends at once; it needs the password to come back.`,
  signedOut: (name) => `“${name}” is signed out`,
  signOutFailed: 'The terminal could not be signed out',
  failed: 'The terminals could not be loaded',
  failedHint: 'Check the network and try again.',
  alone: 'Only this terminal is signed in',
}
