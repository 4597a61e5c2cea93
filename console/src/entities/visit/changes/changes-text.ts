import type { Lang } from '@busbar/contract'
import { visitChangesText as cn } from '../../../shared/i18n/cn/visit-changes.ts'
import { visitChangesText as en } from '../../../shared/i18n/en/visit-changes.ts'
import { useLang } from '../../../shared/i18n/index.ts'

export type ChangesText = typeof cn

/** Both languages come with the record: no other page waits for its words. */
const texts: Readonly<Record<Lang, ChangesText>> = { cn, en }

export const useChangesText = () => texts[useLang()]
