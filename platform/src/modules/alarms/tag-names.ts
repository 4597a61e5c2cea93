import type { Lang } from '@busbar/contract'
import { chooseText } from '../../kernel/choose-text.ts'

/** How a variable is called. */
export interface TagName {
  readonly machineId: number
  readonly group: string
  readonly name: string
  /** By language. */
  readonly label: unknown
  readonly unit: string
}

export type TagNames = ReadonlyMap<number, TagName>

/** Names variables by their ids: the store of samples does, which may have a database of its own. */
export interface TagSource {
  listTagNames(tagIds: readonly number[]): Promise<TagNames>
}

/** A variable in a reader's words: its label, else its name; null where there is none. */
export function tagOf(tagId: number | null, tags: TagNames, lang: Lang): string | null {
  const tag = tagId === null ? undefined : tags.get(tagId)
  return tag ? chooseText(tag.label, lang) || tag.name : null
}
