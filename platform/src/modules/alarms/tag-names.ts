import type { Lang } from '@busbar/contract'
import { chooseText } from '../../kernel/choose-text.ts'
import type { Database } from '../../kernel/database/database.ts'

/** The names of a variable. */
export interface TagName {
  readonly machineId: number
  readonly group: string
  readonly name: string
  /** By language. */
  readonly label: unknown
  readonly unit: string
}

export type TagNames = ReadonlyMap<number, TagName>

/** Finds the names of variables by their ids; within a transaction, with `trx`. */
export interface TagSource {
  listTagNames(tagIds: readonly number[], trx?: Database): Promise<TagNames>
}

/** A variable in a reader's words: its label, else its name; null if unknown. */
export function tagOf(tagId: number | null, tags: TagNames, lang: Lang): string | null {
  const tag = tagId === null ? undefined : tags.get(tagId)
  return tag ? chooseText(tag.label, lang) || tag.name : null
}
