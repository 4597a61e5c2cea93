import type { Feature } from './features.ts'
import { getLayoutKind } from './layout-kind.ts'
import { loadShell } from './shells.ts'

/** Where each page of the main layout is loaded from. */
export const pages = {
  '/index/': () => import('../features/machines/machine-list-page.tsx'),
  '/safety': () => import('../features/safety/safety-page.tsx'),
} as const satisfies Record<Feature['path'], () => Promise<unknown>>

/** Pages without header and menu, by what their address begins with. */
export const barePages = {
  '/administrateCenter': () => import('../features/access/administration-page.tsx'),
  '/visit/': () => import('../features/visits/visit-page.tsx'),
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
  const path = (Object.keys(pages) as Feature['path'][]).find(
    (known) => known.replace(/\/$/, '') === pathname.replace(/\/$/, ''),
  )
  quietly(pages[path ?? '/index/']())
}

/** Only a beginning: where it is drawn it is asked for again, and what went wrong is said. */
function quietly(loading: Promise<unknown>): void {
  loading.catch(() => {})
}
