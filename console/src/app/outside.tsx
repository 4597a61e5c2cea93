import { StrictMode } from 'react'
import { useStore } from '../api/store.ts'
import { NoticeList } from '../ui/notice-list.tsx'
import { TooltipLayer } from '../ui/tooltip-layer.tsx'
import { outsideAddress } from './outside-address.ts'
import { loadOutsidePage, useOutsidePage } from './outside-pages.ts'
import { showWorld } from './screen.ts'
import { useTitle } from './use-title.ts'

/** The screens before a session. No router, no data cache, no component library: they are the first thing loaded. */
function Outside() {
  const { pathname } = useStore(outsideAddress)
  const Page = useOutsidePage(pathname)
  useTitle(pathname)
  return (
    <>
      {Page && <Page />}
      <NoticeList />
      <TooltipLayer />
    </>
  )
}

/** Draws the screen of the address, once its files are there. */
export async function startOutside(): Promise<void> {
  await loadOutsidePage(outsideAddress.get().pathname)
  showWorld(
    <StrictMode>
      <Outside />
    </StrictMode>,
  )
}
