import type { telemetry } from '@busbar/contract'
import { type RefObject, useCallback } from 'react'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { PastSearch } from './history-search.ts'
import type { HistoryMachine } from './history-series.ts'
import type { Span } from './history-span.ts'
import { type History, useBuckets, useHistory } from './use-history.ts'
import { type HistorySpan, useHistorySpan } from './use-history-span.ts'

interface Wish {
  readonly machines: readonly HistoryMachine[]
  /** Tags of the machines. */
  readonly tags: readonly telemetry.Tag[]
  readonly tagIds: readonly number[]
  readonly search: PastSearch
  /** Changes the address; `replace` adds no history entry. */
  readonly update: (
    change: { [K in keyof PastSearch]?: PastSearch[K] | undefined },
    options?: { replace?: boolean },
  ) => void
  /** The span where the address names none. */
  readonly first: Span
}

/** The past on a page: the variables and the time of its address, and their history. */
export interface Past extends Omit<Wish, 'search'>, HistorySpan {
  /** The element that is as wide as the chart. */
  readonly box: RefObject<HTMLDivElement | null>
  readonly buckets: number
  readonly mark: string | undefined
  readonly history: History
  /** The range that is on screen, during a gesture as well. */
  readonly range: TimeRange
  /** The variables of the address, those that the reader may not see included. */
  readonly wanted: readonly number[]
  readonly choose: (tagIds: readonly number[]) => void
}

export function usePast(wish: Wish): Past {
  const { search, update, first } = wish
  const [box, buckets] = useBuckets()
  const time = useHistorySpan(search, update, first)
  const history = useHistory({ ...wish, span: time.span, buckets })
  const choose = useCallback(
    (tagIds: readonly number[]) =>
      update({ tags: tagIds.length > 0 ? tagIds : undefined }, { replace: true }),
    [update],
  )
  const range = time.moving ?? history.range
  const wanted = search.tags ?? wish.tagIds
  return { ...wish, ...time, box, buckets, mark: search.mark, history, range, wanted, choose }
}
