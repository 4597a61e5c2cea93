import type { Text } from '../text.ts'

export const palette: Text['palette'] = {
  actions: 'Actions',
  add: 'Add device',
  addTo: (space) => `Add device to “${space}”`,
  invite: (space) => `Invite someone to “${space}”`,
  light: 'Light theme',
  dark: 'Dark theme',
  system: 'System theme',
  language: 'Switch to 简体中文',
  shortcuts: 'Keyboard shortcuts',
  program: 'Connect an app',
  apiDoc: 'API reference',
  words: {
    theme: 'theme appearance mode night',
    language: 'language chinese english',
    add: 'new create',
    invite: 'member colleague user',
    signOut: 'log out leave exit',
    check: 'offline why connection cause diagnose',
  },
}
