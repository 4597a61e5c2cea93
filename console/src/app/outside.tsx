import { StrictMode } from 'react'
import { useStore } from '../api/store.ts'
import { LoginPage } from '../features/login/login-page.tsx'
import { SessionEndedPage } from '../features/session/session-ended-page.tsx'
import { NoticeList } from '../ui/notice-list.tsx'
import { TooltipLayer } from '../ui/tooltip-layer.tsx'
import { outsideAddress } from './outside-address.ts'
import { showWorld } from './screen.ts'
import { useTitle } from './use-title.ts'

/** The screens before a session. No router, no data cache, no component library: they are the first thing loaded. */
function Outside() {
  const address = useStore(outsideAddress)
  useTitle(address.pathname)
  return (
    <>
      {address.pathname === '/loginTimeout' ? <SessionEndedPage /> : <LoginPage />}
      <NoticeList />
      <TooltipLayer />
    </>
  )
}

export function startOutside(): void {
  showWorld(
    <StrictMode>
      <Outside />
    </StrictMode>,
  )
}
