import { StrictMode } from 'react'
import { provideInside } from '../entities/account/enter.ts'
import { useStore } from '../shared/api/store.ts'
import { outsideAddress } from '../shared/session/outside-address.ts'
import { useTitle } from '../shared/session/use-title.ts'
import { LaterLayers } from '../shared/ui/later-layers.tsx'
import { showRoot } from '../shared/ui/screen.ts'
import { loadOutsidePage, useOutsidePage } from './outside-pages.ts'

/** The screens before a session. No router, no data cache, no component library: they are the first thing loaded. */
function Outside() {
  const { pathname } = useStore(outsideAddress)
  const Page = useOutsidePage(pathname)
  useTitle(pathname)
  return (
    <>
      {Page && <Page />}
      <LaterLayers />
    </>
  )
}

/** Draws the screen of the address, once its files are there. */
export async function startOutside(): Promise<void> {
  provideInside(() => import('./inside.tsx'))
  await loadOutsidePage(outsideAddress.get().pathname)
  showRoot(
    <StrictMode>
      <Outside />
    </StrictMode>,
  )
}
