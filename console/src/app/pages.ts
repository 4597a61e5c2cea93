import type { Feature } from './features.ts'

/** Where each page of the main layout is loaded from. */
export const pages = {
  '/index/': () => import('../features/machines/machine-list-page.tsx'),
  '/safety': () => import('../features/safety/safety-page.tsx'),
} as const satisfies Record<Feature['path'], () => Promise<unknown>>

/** Begins loading the page of an address while the router is still on its way. */
export function preloadPage(pathname: string): void {
  const path = (Object.keys(pages) as Feature['path'][]).find(
    (known) => known.replace(/\/$/, '') === pathname.replace(/\/$/, ''),
  )
  void pages[path ?? '/index/']()
}
