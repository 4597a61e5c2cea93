import type { BoardLayout } from '@busbar/contract'
import { createContext, useContext, useMemo } from 'react'
import type { Span } from '../../../entities/history/history-span.ts'
import { type HistorySpan, useHistorySpan } from '../../../entities/history/use-history-span.ts'
import { useBoardsSearch } from '../use-boards-search.ts'

/** The time that every tile of a board shows. */
export interface BoardTime extends HistorySpan {
  /** Back to the board's own range. */
  readonly reset: () => void
  /** Another range than the board's own is shown. */
  readonly isOther: boolean
}

/** The time as the address has it, else the board's own. */
export function useBoardTime(layout: BoardLayout): BoardTime {
  const [search, update] = useBoardsSearch()
  const first = useMemo((): Span => {
    const { range } = layout
    return 'lastMs' in range
      ? { kind: 'live', lengthMs: range.lastMs }
      : { kind: 'fixed', from: range.from, to: range.to }
  }, [layout])
  const time = useHistorySpan(search, update, first)
  const isOther = search.last !== undefined || search.from !== undefined
  return useMemo(
    () => ({
      ...time,
      isOther,
      reset: () => update({ last: undefined, from: undefined, until: undefined }),
    }),
    [time, isOther, update],
  )
}

const TimeContext = createContext<BoardTime | undefined>(undefined)
export const BoardTimeProvider = TimeContext.Provider

export function useTime(): BoardTime {
  const time = useContext(TimeContext)
  if (!time) throw new Error('a tile is drawn outside of a board')
  return time
}
