import type { Lang } from '@busbar/contract'
import { sitesText as cn } from '../../shared/i18n/cn/sites.ts'
import { sitesText as en } from '../../shared/i18n/en/sites.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type SitesText = typeof cn

/** Both languages come with the sites: no other page waits for their words. */
const texts: Readonly<Record<Lang, SitesText>> = { cn, en }

export function useSitesText(): SitesText {
  return texts[useLang()]
}
