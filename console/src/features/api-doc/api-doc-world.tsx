import { StrictMode } from 'react'
import { showWorld } from '../../app/screen.ts'
import { useTitle } from '../../app/use-title.ts'
import { NoticeList } from '../../ui/notice-list.tsx'
import { TooltipLayer } from '../../ui/tooltip-layer.tsx'
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
