import type { Lang } from '@busbar/contract'
import { exportsText as cn } from '../../shared/i18n/cn/exports.ts'
import { exportsText as en } from '../../shared/i18n/en/exports.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type ExportsText = typeof cn

/** Both languages come with the exports: no other page waits for their words. */
const texts: Readonly<Record<Lang, ExportsText>> = { cn, en }

export function useExportsText(): ExportsText {
  return texts[useLang()]
}
