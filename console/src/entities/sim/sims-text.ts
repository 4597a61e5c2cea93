import type { Lang } from '@busbar/contract'
import { simsText as cn } from '../../shared/i18n/cn/sims.ts'
import { simsText as en } from '../../shared/i18n/en/sims.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type SimsText = typeof cn

/** Both languages come with the cards: no other page waits for their words. */
const texts: Readonly<Record<Lang, SimsText>> = { cn, en }

export function useSimsText(): SimsText {
  return texts[useLang()]
}
