import { type RawBuilder, sql } from 'kysely'

/** Texts without a gram, which no index serves (migration 0008). */
const oneOfAscii = /^[\0-\x7f]?$/

/** A typed text as a literal part of a LIKE pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/**
 * Whether a row's lower-case text contains a typed text, ignoring case. An index on `search_grams(text)` serves it, for
 * one character of a Chinese name as well.
 * @param text an expression over the columns of `table`, as its index has it
 */
export function isFound(
  table: 'users' | 'machines' | 'outgoing',
  text: RawBuilder<string>,
  typed: string,
): RawBuilder<boolean> {
  const wished = typed.toLowerCase()
  const holds = sql`${text} like ${`%${escapeLike(wished)}%`}`
  const has = oneOfAscii.test(wished) ? sql`true` : sql`search_grams(${text}) @> search_grams(${wished})`
  // Found first, whatever the order of the rows: otherwise the grams of every row would be compared in that order.
  return sql<boolean>`${sql.table(table)}.id in
    (select id from ${sql.table(table)} where ${has} and ${holds} offset 0)`
}
