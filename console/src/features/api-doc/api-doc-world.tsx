import { StrictMode } from 'react'
import { useTitle } from '../../shared/session/use-title.ts'
import { NoticeList } from '../../shared/ui/notice-list.tsx'
import { showWorld } from '../../shared/ui/screen.ts'
import { TooltipLayer } from '../../shared/ui/tooltip-layer.tsx'
import { ApiDocPage } from './api-doc-page.tsx'

function ApiDocWorld() {
  useTitle('/apiDoc')
  return (
    <>
      <ApiDocPage />
      <NoticeList />
      <TooltipLayer />
    </>
  )
}

/** The API reference: for people with and without a session, and without what the other screens stand on. */
export function startApiDoc(): void {
  showWorld(
    <StrictMode>
      <ApiDocWorld />
    </StrictMode>,
  )
}
