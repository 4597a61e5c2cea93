import type { Page } from './operator-store.ts'

interface Paging {
  readonly page: number
  readonly pageSize: number
  readonly search?: string | undefined
}

/** The part of a list in a request. */
export const pageOf = ({ page, pageSize, search }: Paging): Page => ({
  offset: (page - 1) * pageSize,
  count: pageSize,
  search,
})

/** Rows as a paged answer. */
export function answerPage<Row, View>(
  { rows, total }: { rows: readonly Row[]; total: number },
  { page, pageSize }: Paging,
  present: (row: Row) => View,
) {
  return { list: rows.map(present), total, page, pageSize }
}
