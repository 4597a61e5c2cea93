import type { Feature } from './features.ts'
import { getLayoutKind } from './layout-kind.ts'
import { loadShell } from './shells.ts'

/** Where each page of the main layout is loaded from. */
export const pages = {
  '/index/': () => import('../features/machines/machine-list-page.tsx'),
  '/msgCenter': () => import('../features/messages/messages-page.tsx'),
  '/safety': () => import('../features/safety/safety-page.tsx'),
} as const satisfies Record<Feature['path'], () => Promise<unknown>>

/** Pages of the main layout that no menu names: one opens them from the user panel. */
export const panelPages = {
  '/friends': () => import('../features/friends/friends-page.tsx'),
  '/recoverPwd': () => import('../features/recover/change-password-page.tsx'),
} as const

/** Pages of an enterprise, and of what enterprises ask; the menu shows them in their space. */
export const spacePages = {
  '/device/': () => import('../features/enterprises/device-page.tsx'),
  '/enterprise/': () => import('../features/enterprises/manage-page.tsx'),
  '/maintenance': () => import('../features/enterprises/maintenance-page.tsx'),
} as const

/** Pages without header and menu, by what their address begins with. */
export const barePages = {
  '/administrateCenter': () => import('../features/access/administration-page.tsx'),
  '/backManage': () => import('../features/back-office/back-office-page.tsx'),
  '/deviceCode': () => import('../features/device-code/device-code-page.tsx'),
  '/modifyEmail': () => import('../features/user-info/modify-account-page.tsx'),
  '/modifyPhone': () => import('../features/user-info/modify-account-page.tsx'),
  '/qr/': () => import('../features/qr/qr-confirm-page.tsx'),
  '/userInfo': () => import('../features/user-info/user-info-page.tsx'),
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
