import type { Text } from '../text.ts'

export const settings: Text['settings'] = {
  title: 'Settings',
  menu: {
    profile: 'Profile',
    security: 'Sign-in & security',
    sessions: 'Sessions',
    friends: 'Friends',
    appearance: 'Appearance',
  },
  leads: {
    profile: 'Your name and how to reach you.',
    security: 'Your password, two-factor authentication and account activity.',
    sessions: 'See where you are signed in, and sign out of any of them.',
    appearance: 'Language, time zone and theme.',
  },
}
