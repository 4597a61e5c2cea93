import { z } from 'zod'
import { page, pageSize } from './fields.ts'

const searchMax = 100
const rowsPerPageMax = 200

/** Lists that grow endlessly are counted up to this: their `total` is at most this. */
export const rowsCountedMax = 10_000

/** The paging and search of every list of the back office. */
export const paging = {
  page,
  pageSize: pageSize(50, rowsPerPageMax),
  search: z.string().trim().max(searchMax).optional(),
}

export const sortOrders = ['asc', 'desc'] as const

/** The column that a list is sorted by; without `sort` it has its own order. Equal rows are ordered by their ids. */
export const sortedBy = <const Column extends readonly [string, ...string[]]>(columns: Column) => ({
  sort: z.enum(columns).optional(),
  order: z.enum(sortOrders).default('asc'),
})
