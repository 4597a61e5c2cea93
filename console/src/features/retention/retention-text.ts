import type { Lang } from '@busbar/contract'
import { retention as cn } from '../../shared/i18n/cn/retention.ts'
import { retention as en } from '../../shared/i18n/en/retention.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type RetentionText = typeof cn

/** Both languages come with the page: no other page waits for its words. */
const texts: Readonly<Record<Lang, RetentionText>> = { cn, en }

export function useRetentionText(): RetentionText {
  return texts[useLang()]
}
