import type { Lang } from '@busbar/contract'
import { boardsText as cn } from '../../shared/i18n/cn/boards.ts'
import { boardsText as en } from '../../shared/i18n/en/boards.ts'
import { useLang } from '../../shared/i18n/index.ts'

export type BoardsText = typeof cn

/** Both languages come with the boards: no other page waits for their words. */
const texts: Readonly<Record<Lang, BoardsText>> = { cn, en }

export function useBoardsText(): BoardsText {
  return texts[useLang()]
}
