import type { Lang } from '@busbar/contract'
import { operatorText as cn } from '../../shared/i18n/cn/operator.ts'
import { operatorText as en } from '../../shared/i18n/en/operator.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type OperatorText = typeof cn

/** Both languages come with the back office: no other page waits for its words. */
const texts: Readonly<Record<Lang, OperatorText>> = { cn, en }

export function useOperatorText(): OperatorText {
  return texts[useLang()]
}
