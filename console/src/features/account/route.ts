import { settingsEntries } from '../../entities/account/settings-entries.ts'
import { onlyKnown, parseText, type RawSearch } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import type { MenuEntry } from '../../shared/ui/menu-entry.ts'

/** The code that a program shows, as typed. */
export interface DeviceCodeSearch {
  code?: string
}

export function deviceCodeSearch(raw: RawSearch): DeviceCodeSearch {
  const code = parseText(raw.code)
  return code ? { code } : {}
}

export const userInfoScreen = {
  path: '/userInfo',
  staticData: { shape: 'form' },
  component: lazyPart(() => import('./user-info/user-info-page.tsx').then((module) => module.UserInfoPage)),
} as const

export const modifyPhoneScreen = {
  path: '/modifyPhone',
  staticData: { shape: 'form' },
  component: lazyPart(() =>
    import('./user-info/modify-account-page.tsx').then((module) => module.ModifyPhonePage),
  ),
} as const

export const modifyEmailScreen = {
  path: '/modifyEmail',
  staticData: { shape: 'form' },
  component: lazyPart(() =>
    import('./user-info/modify-account-page.tsx').then((module) => module.ModifyEmailPage),
  ),
} as const

export const safetyScreen = {
  path: '/safety',
  component: lazyPart(() => import('./safety/safety-page.tsx').then((module) => module.SafetyPage)),
} as const

export const securityScreen = {
  path: '/security',
  staticData: { shape: 'form' },
  component: lazyPart(() => import('./security/security-page.tsx').then((module) => module.SecurityPage)),
} as const

export const appearanceScreen = {
  path: '/appearance',
  staticData: { shape: 'form' },
  component: lazyPart(() =>
    import('./appearance/appearance-page.tsx').then((module) => module.AppearancePage),
  ),
} as const

/** Leads to the first of the settings, and stands for all of them. */
export const settingsEntry: MenuEntry<'/userInfo'> = {
  path: '/userInfo',
  within: settingsEntries.flatMap(({ to, within }) => [to, ...within]),
  section: 'account',
  icon: 'settings',
  label: (t) => t.settings.title,
  shortLabel: (t) => t.settings.title,
}

/** Confirms a sign-in whose code was scanned. */
export const qrScreen = {
  path: '/qr/$token',
  staticData: { shape: 'detail' },
  component: lazyPart(() => import('./qr/qr-confirm-page.tsx').then((module) => module.QrConfirmPage)),
} as const

/** Signs in a program that shows a code. */
export const deviceCodeScreen = {
  path: '/deviceCode',
  validateSearch: onlyKnown(deviceCodeSearch),
  staticData: { shape: 'form' },
  component: lazyPart(() =>
    import('./device-code/device-code-page.tsx').then((module) => module.DeviceCodePage),
  ),
} as const
