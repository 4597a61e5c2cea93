import { z } from 'zod'
import { page, pageSize } from './fields.ts'

const searchMax = 100
const rowsPerPageMax = 200

/** Lists that grow for ever are counted so far and no further: their `total` is at most this. */
export const rowsCountedMax = 10_000

/** What every list of the back office is asked with. */
export const paging = {
  page,
  pageSize: pageSize(50, rowsPerPageMax),
  search: z.string().trim().max(searchMax).optional(),
}

export const sortOrders = ['asc', 'desc'] as const

/** By which of its columns a list is sorted; without `sort` it has its own order. Rows alike stand by their ids. */
export const sortedBy = <const Column extends readonly [string, ...string[]]>(columns: Column) => ({
  sort: z.enum(columns).optional(),
  order: z.enum(sortOrders).default('asc'),
})
