import type { Lang } from '@busbar/contract'
import { checksText as cn } from '../../shared/i18n/cn/checks.ts'
import { checksText as en } from '../../shared/i18n/en/checks.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type ChecksText = typeof cn

/** Both languages come with the dialog: no page waits for its words. */
const texts: Readonly<Record<Lang, ChecksText>> = { cn, en }

export function useChecksText(): ChecksText {
  return texts[useLang()]
}
