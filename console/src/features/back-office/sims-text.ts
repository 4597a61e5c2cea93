import type { Lang } from '@busbar/contract'
import { operatorSimsText as cn } from '../../shared/i18n/cn/operator-sims.ts'
import { operatorSimsText as en } from '../../shared/i18n/en/operator-sims.ts'
import { useLang } from '../../shared/i18n/index.ts'

/** Both languages come with the lists of SIM cards. */
const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

export function useOperatorSimsText(): typeof cn {
  return texts[useLang()]
}
