import { getLayoutKind } from '../shared/ui/layout-kind.ts'
import type { Feature } from './shell/features.ts'
import { loadShell } from './shell/shells.ts'

/** Where each page of the main layout is loaded from. */
export const pages = {
  '/index/': () => import('../features/devices/list/machine-list-page.tsx'),
  '/msgCenter': () => import('../features/messages/messages-page.tsx'),
  '/safety': () => import('../features/account/safety/safety-page.tsx'),
} as const satisfies Record<Feature['path'], () => Promise<unknown>>

/** Pages of the main layout that no menu names: one opens them from the user panel. */
export const panelPages = {
  '/friends': () => import('../features/friends/friends-page.tsx'),
  '/recoverPwd': () => import('../features/recovery/change-password-page.tsx'),
} as const

/** Pages of an enterprise, and of what enterprises ask; the menu shows them in their space. */
export const spacePages = {
  '/device/': () => import('../features/devices/enterprise/device-page.tsx'),
  '/enterprise/': () => import('../features/enterprise/manage-page.tsx'),
  '/maintenance': () => import('../features/enterprise/maintenance-page.tsx'),
} as const

/** Pages without header and menu, by what their address begins with. */
export const barePages = {
  '/administrateCenter': () => import('../features/keys/administration-page.tsx'),
  '/backManage': () => import('../features/back-office/back-office-page.tsx'),
  '/deviceCode': () => import('../features/account/device-code/device-code-page.tsx'),
  '/modifyEmail': () => import('../features/account/user-info/modify-account-page.tsx'),
  '/modifyPhone': () => import('../features/account/user-info/modify-account-page.tsx'),
  '/qr/': () => import('../features/account/qr/qr-confirm-page.tsx'),
  '/userInfo': () => import('../features/account/user-info/user-info-page.tsx'),
  '/visit/': () => import('../features/visits/visit-page.tsx'),
  '/visitReport': () => import('../features/visits/visit-report-page.tsx'),
} as const

/** Begins loading what an address needs, all at once, while the router is still on its way. */
export function preloadScreen(pathname: string): void {
  const bare = Object.entries(barePages).find(([path]) => pathname.startsWith(path))
  if (bare) {
    quietly(import('./bare-layout.tsx'))
    quietly(bare[1]())
    return
  }
  quietly(import('./main-layout.tsx'))
  void loadShell(getLayoutKind())
  const inShell = Object.entries({ ...pages, ...panelPages, ...spacePages }).find(
    ([path]) => path.replace(/\/$/, '') === pathname.replace(/\/$/, ''),
  )
  quietly((inShell?.[1] ?? pages['/index/'])())
}

/** Only a beginning: where it is drawn it is asked for again, and what went wrong is said. */
function quietly(loading: Promise<unknown>): void {
  loading.catch(() => {})
}
