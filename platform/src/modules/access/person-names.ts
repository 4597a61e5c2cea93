import type { Lang, Text } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Access } from './access-rules.ts'

/** A person who asks, and the language of the answer. */
export interface NameReader {
  readonly userId: number
  readonly lang: Lang
  /** Of the people in the records, those who are in an enterprise of the reader. */
  readonly colleagues: ReadonlySet<number>
}

/** A person in a record; `userId` is null for a contact, and for an account that is gone. */
export interface NamedPerson {
  readonly userId: number | null
  readonly name: string | null
}

const another: Text = { cn: '其他人员', en: 'Another person' }

/**
 * Whether a person may see the names of all others who act on a machine's alarms or are told of them: its keys, and members
 * of the enterprise that owns it (rules/alarms.md: names of people).
 */
export const seesNames = (own: Access | undefined): boolean =>
  own !== undefined && (own.rights.has('bkey+') || own.memberRights.length > 0)

/** Whether a reader sees the name of one person: their own, a colleague's, and everybody's where they may. */
export const seesName = (
  reader: Pick<NameReader, 'userId' | 'colleagues'>,
  seesOthers: boolean,
  personId: number | null,
): boolean =>
  seesOthers || (personId !== null && (personId === reader.userId || reader.colleagues.has(personId)))

/** The name that a record has for a reader with these rights. */
export const personName = (reader: NameReader, own: Access | undefined, person: NamedPerson): string | null =>
  shownName(reader, seesNames(own), person)

/** The same for a reader of whom it is known whether they may see the names of all others. */
export const shownName = (reader: NameReader, seesOthers: boolean, person: NamedPerson): string | null =>
  person.name === null || seesName(reader, seesOthers, person.userId) ? person.name : another[reader.lang]

/** Those of these people who are in an enterprise of a person. */
export async function listColleagues(
  db: Kysely<DB>,
  userId: number,
  people: readonly (number | null)[],
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(people)].filter((id) => id !== null && id !== userId)
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ user_id: number }>`
    select theirs.user_id from enterprise_members mine
    join enterprises space on space.id = mine.enterprise_id and space.state = 'active'
    join enterprise_members theirs on theirs.enterprise_id = mine.enterprise_id
    where mine.user_id = ${userId} and theirs.user_id = any(${ids}::bigint[])`.execute(db)
  return new Set(rows.map(({ user_id }) => user_id))
}
