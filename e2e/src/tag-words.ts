import type { Lang } from '@busbar/contract'
import { tagsText as cn, type TagsText } from '../../console/src/shared/i18n/cn/tags.ts'
import { tagsText as en } from '../../console/src/shared/i18n/en/tags.ts'

/** The texts of settings of variables, which come with the device's pane. */
export const tagWords: Readonly<Record<Lang, TagsText>> = { cn, en }
