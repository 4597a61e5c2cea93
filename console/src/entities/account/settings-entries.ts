/** The pages of the settings in the order of their menu; `within` are pages that are reached from one of them. */
export const settingsEntries = [
  { key: 'profile', to: '/userInfo', icon: 'user', within: ['/modifyPhone', '/modifyEmail'] },
  { key: 'security', to: '/security', icon: 'lock', within: ['/recoverPwd'] },
  { key: 'sessions', to: '/safety', icon: 'desktop', within: [] },
  { key: 'friends', to: '/friends', icon: 'group', within: [] },
  { key: 'appearance', to: '/appearance', icon: 'sun', within: [] },
] as const satisfies readonly { within: readonly string[]; [key: string]: unknown }[]
