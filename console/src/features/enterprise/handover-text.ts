import type { Lang } from '@busbar/contract'
import { handoverChoice as cn } from '../../shared/i18n/cn/handover-choice.ts'
import { handoverChoice as en } from '../../shared/i18n/en/handover-choice.ts'
import { useLang } from '../../shared/i18n/index.ts'

/** Both languages come with the choice: no other part waits for its words. */
const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

export const useHandoverText = (): typeof cn => texts[useLang()]
