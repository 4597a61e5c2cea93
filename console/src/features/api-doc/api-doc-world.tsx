import { StrictMode } from 'react'
import { useTitle } from '../../shared/session/use-title.ts'
import { showWorld } from '../../shared/ui/screen.ts'
import { ToastList } from '../../shared/ui/toast/toast-list.tsx'
import { TooltipLayer } from '../../shared/ui/tooltip/tooltip-layer.tsx'
import { ApiDocPage } from './api-doc-page.tsx'

function ApiDocWorld() {
  useTitle('/apiDoc')
  return (
    <>
      <ApiDocPage />
      <ToastList />
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
