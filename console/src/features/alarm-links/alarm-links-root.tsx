import type { Lang } from '@busbar/contract'
import { type ComponentType, StrictMode } from 'react'
import { loadTextsBeside } from '../../shared/i18n/language.ts'
import type { LinkPage } from '../../shared/session/link-path.ts'
import { useTitle } from '../../shared/session/use-title.ts'
import { LaterLayers } from '../../shared/ui/later-layers.tsx'
import { showRoot } from '../../shared/ui/screen.ts'

type Page = ComponentType<{ token: string }>

const pages: Readonly<Record<LinkPage, () => Promise<Page>>> = {
  contact: () => import('./contact-link-page.tsx').then((module) => module.ContactLinkPage),
  unsubscribe: () => import('./unsubscribe-page.tsx').then((module) => module.UnsubscribePage),
  'alarm/link': () => import('./alarm-link-page.tsx').then((module) => module.AlarmLinkPage),
}

function AlarmLinksRoot({ page: Page, token }: { page: Page; token: string }) {
  useTitle('/alarm/link')
  return (
    <>
      <Page token={token} />
      <LaterLayers />
    </>
  )
}

/** The pages of links in mails: the same for people with and without a session. */
export async function startAlarmLinks(
  { page, token }: { page: LinkPage; token: string },
  lang: Lang,
): Promise<void> {
  const texts = loadTextsBeside(lang, {
    cn: () => import('../../shared/i18n/cn/alarm-links.ts').then((module) => module.alarmLinks),
    en: () => import('../../shared/i18n/en/alarm-links.ts').then((module) => module.alarmLinks),
  })
  const [Page] = await Promise.all([pages[page](), texts])
  showRoot(
    <StrictMode>
      <AlarmLinksRoot page={Page} token={token} />
    </StrictMode>,
  )
}
