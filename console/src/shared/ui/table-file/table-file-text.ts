import type { Lang } from '@busbar/contract'
import { tableFileText as cn, type TableFileText } from '../../i18n/cn/table-file.ts'
import { tableFileText as en } from '../../i18n/en/table-file.ts'
import { useLang } from '../../i18n/index.ts'

/** Both languages come with the dialogs that read files: no page waits for these words. */
const texts: Readonly<Record<Lang, TableFileText>> = { cn, en }

export function useTableFileText(): TableFileText {
  return texts[useLang()]
}
