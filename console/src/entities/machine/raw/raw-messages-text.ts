import type { Lang } from '@busbar/contract'
import { rawMessages as cn } from '../../../shared/i18n/cn/raw-messages.ts'
import { rawMessages as en } from '../../../shared/i18n/en/raw-messages.ts'
import { useLang } from '../../../shared/i18n/index.ts'

/** Both languages come with the parts that show messages: the list does not wait for their words. */
const texts: Readonly<Record<Lang, typeof cn>> = { cn, en }

export function useRawMessagesText(): typeof cn {
  return texts[useLang()]
}
