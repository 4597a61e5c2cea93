import '../../shared/ui/more-icons.ts'
import { StrictMode } from 'react'
import { useTitle } from '../../shared/session/use-title.ts'
import { LaterLayers } from '../../shared/ui/later-layers.tsx'
import { showWorld } from '../../shared/ui/screen.ts'
import { ApiDocPage } from './api-doc-page.tsx'

function ApiDocWorld() {
  useTitle('/apiDoc')
  return (
    <>
      <ApiDocPage />
      <LaterLayers />
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
