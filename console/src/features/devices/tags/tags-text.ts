import type { Lang } from '@busbar/contract'
import { tagsText as cn, type TagsText } from '../../../shared/i18n/cn/tags.ts'
import { tagsText as en } from '../../../shared/i18n/en/tags.ts'
import { useLang } from '../../../shared/i18n/index.ts'

/** Both languages come with the pane: no other page waits for their words. */
const texts: Readonly<Record<Lang, TagsText>> = { cn, en }

export function useTagsText(): TagsText {
  return texts[useLang()]
}
