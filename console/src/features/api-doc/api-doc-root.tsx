import type { Lang } from '@busbar/contract'
import { StrictMode } from 'react'
import { loadTextsBeside } from '../../shared/i18n/language.ts'
import { useTitle } from '../../shared/session/use-title.ts'
import { LaterLayers } from '../../shared/ui/later-layers.tsx'
import { showRoot } from '../../shared/ui/screen.ts'
import { ApiDocPage } from './api-doc-page.tsx'

function ApiDocRoot() {
  useTitle('/apiDoc')
  return (
    <>
      <ApiDocPage />
      <LaterLayers />
    </>
  )
}

/** The API reference: for people with and without a session, independent of the other screens. */
export async function startApiDoc(lang: Lang): Promise<void> {
  await loadTextsBeside(lang, {
    cn: () => import('../../shared/i18n/cn/api-doc.ts').then((module) => module.apiDoc),
    en: () => import('../../shared/i18n/en/api-doc.ts').then((module) => module.apiDoc),
  })
  showRoot(
    <StrictMode>
      <ApiDocRoot />
    </StrictMode>,
  )
}
