import type { Lang, Text } from '@busbar/contract'
import type { Access } from './access-rules.ts'

/** A person who asks, and the language of the answer. */
export interface NameReader {
  readonly userId: number
  readonly lang: Lang
}

/** A person in a record; `userId` is null for a contact, and for an account that is gone. */
export interface NamedPerson {
  readonly userId: number | null
  readonly name: string | null
}

const another: Text = { cn: '其他人员', en: 'Another person' }

/**
 * Whether a person may see the names of others who act on a machine's alarms or are told of them: its keys, and members
 * of the enterprise that owns it (rules/alarms.md: names of people).
 */
export const seesNames = (own: Access | undefined): boolean =>
  own !== undefined && (own.rights.has('bkey+') || own.memberRights.length > 0)

/** The name that a record has for a reader with these rights: their own, and others' where they may see them. */
export const personName = (reader: NameReader, own: Access | undefined, person: NamedPerson): string | null =>
  shownName(reader, seesNames(own), person)

/** The same for a reader of whom it is known whether they may see the names of others. */
export function shownName(
  { userId, lang }: NameReader,
  seesOthers: boolean,
  { userId: personId, name }: NamedPerson,
): string | null {
  return name === null || personId === userId || seesOthers ? name : another[lang]
}
