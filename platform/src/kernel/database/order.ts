import { type RawBuilder, sql } from 'kysely'

/** A column that a list may be sorted by. */
export interface OrderColumn {
  readonly by: RawBuilder<unknown>
  /** Rows without a value stand last, whichever way the list is sorted. */
  readonly hasNulls?: true
}

/** The order that a caller wants: a column that its list names, and the direction. */
export interface AskedOrder<Column extends string> {
  readonly sort?: Column | undefined
  readonly order: 'asc' | 'desc'
}

/** Names as people look for them: Chinese by pinyin, capitals beside small letters. */
export const byName = (column: string): OrderColumn => ({ by: sql`${sql.ref(column)} collate "zh-x-icu"` })

/** Texts of letters and digits as an index has them. */
export const byText = (column: string): OrderColumn => ({ by: sql.ref(column) })

/**
 * The order of a list, for `orderBy`: by the asked column, rows alike by `id`, so that no row is on two pages; without
 * a column `standard`. Ids grow with time: a list by creation is sorted by them, which their index serves.
 */
export function orderOf<Column extends string>(
  columns: Readonly<Record<Column, OrderColumn>>,
  id: string,
  { sort, order }: AskedOrder<Column>,
  standard: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (sort === undefined) return standard
  const { by, hasNulls } = columns[sort]
  const direction = order === 'desc' ? sql`desc` : sql`asc`
  return sql`${by} ${direction} ${hasNulls ? sql`nulls last` : sql``}, ${sql.ref(id)} ${direction}`
}
