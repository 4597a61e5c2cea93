import { StrictMode } from 'react'
import { provideInside } from '../entities/account/enter.ts'
import { useStore } from '../shared/api/store.ts'
import { outsideAddress } from '../shared/session/outside-address.ts'
import { useTitle } from '../shared/session/use-title.ts'
import { showWorld } from '../shared/ui/screen.ts'
import { ToastList } from '../shared/ui/toast/toast-list.tsx'
import { TooltipLayer } from '../shared/ui/tooltip/tooltip-layer.tsx'
import { loadOutsidePage, useOutsidePage } from './outside-pages.ts'

/** The screens before a session. No router, no data cache, no component library: they are the first thing loaded. */
function Outside() {
  const { pathname } = useStore(outsideAddress)
  const Page = useOutsidePage(pathname)
  useTitle(pathname)
  return (
    <>
      {Page && <Page />}
      <ToastList />
      <TooltipLayer />
    </>
  )
}

/** Draws the screen of the address, once its files are there. */
export async function startOutside(): Promise<void> {
  provideInside(() => import('./inside.tsx'))
  await loadOutsidePage(outsideAddress.get().pathname)
  showWorld(
    <StrictMode>
      <Outside />
    </StrictMode>,
  )
}
