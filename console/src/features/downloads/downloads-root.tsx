import type { Lang } from '@busbar/contract'
import { StrictMode } from 'react'
import { loadTextsBeside } from '../../shared/i18n/language.ts'
import { useTitle } from '../../shared/session/use-title.ts'
import { LaterLayers } from '../../shared/ui/later-layers.tsx'
import { showRoot } from '../../shared/ui/screen.ts'
import { DownloadsPage } from './downloads-page.tsx'

function DownloadsRoot() {
  useTitle('/download/')
  return (
    <>
      <DownloadsPage />
      <LaterLayers />
    </>
  )
}

/** The programs to download: for people with and without a session, independent of the other screens. */
export async function startDownloads(lang: Lang): Promise<void> {
  await loadTextsBeside(lang, {
    cn: () => import('../../shared/i18n/cn/downloads.ts').then((module) => module.downloads),
    en: () => import('../../shared/i18n/en/downloads.ts').then((module) => module.downloads),
  })
  showRoot(
    <StrictMode>
      <DownloadsRoot />
    </StrictMode>,
  )
}
