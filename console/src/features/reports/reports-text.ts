import type { Lang } from '@busbar/contract'
import { reportsText as cn } from '../../shared/i18n/cn/reports.ts'
import { reportsText as en } from '../../shared/i18n/en/reports.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type ReportsText = typeof cn

/** Both languages come with the reports: no other page waits for their words. */
const texts: Readonly<Record<Lang, ReportsText>> = { cn, en }

export function useReportsText(): ReportsText {
  return texts[useLang()]
}
