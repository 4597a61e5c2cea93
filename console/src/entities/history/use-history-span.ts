import { useCallback, useEffect, useRef, useState } from 'react'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { formatSpan, parseSpan, rangeOf, type Span, type SpanSearch, spanAt } from './history-span.ts'

/** A gesture is over when nothing has moved for this long; only then the address is written and data is loaded. */
const settleMs = 250

export interface HistorySpan {
  /** The span in the address. */
  readonly span: Span
  /** The range that a gesture moved to and that is not in the address yet. */
  readonly moving: TimeRange | null
  /** Shows a span; adds a history entry. */
  readonly show: (span: Span) => void
  /**
   * Moves or zooms to a range; several moves in a row become one change of the address, without a history
   * entry for each.
   */
  readonly move: (range: TimeRange) => void
}

/** Writes the address; `replace` adds no history entry. */
type UpdateSpan = (change: ReturnType<typeof formatSpan>, options?: { replace?: boolean }) => void

/** The time span in the address; `first` if there is none. */
export function useHistorySpan(search: SpanSearch, update: UpdateSpan, first: Span): HistorySpan {
  const span = parseSpan(search) ?? first
  const [moving, setMoving] = useState<TimeRange | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const show = useCallback(
    (next: Span) => {
      clearTimeout(timer.current)
      setMoving(null)
      update(formatSpan(next))
    },
    [update],
  )
  const move = useCallback(
    (range: TimeRange) => {
      const next = spanAt(range, Date.now())
      setMoving(rangeOf(next, Date.now()))
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        setMoving(null)
        update(formatSpan(next), { replace: true })
      }, settleMs)
    },
    [update],
  )
  return { span, moving, show, move }
}
