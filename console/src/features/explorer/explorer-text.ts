import type { Lang } from '@busbar/contract'
import { explorerText as cn } from '../../shared/i18n/cn/explorer.ts'
import { explorerText as en } from '../../shared/i18n/en/explorer.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type ExplorerText = typeof cn

/** Both languages come with the explorer: no other page waits for their words. */
const texts: Readonly<Record<Lang, ExplorerText>> = { cn, en }

export function useExplorerText(): ExplorerText {
  return texts[useLang()]
}
