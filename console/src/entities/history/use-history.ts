import { ApiError } from '@busbar/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { push } from '../../shared/api/live.ts'
import { useLang } from '../../shared/i18n/index.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { Gap } from '../../shared/ui/data/trend-gaps.ts'
import { liveValues } from '../machine/live-values.ts'
import { historyKey } from '../machine/machine-queries.ts'
import { gapsOf } from '../machine/trend-data.ts'
import { explorerQuery, type HistoryAnswer } from './history-queries.ts'
import { rangeOf, type Span } from './history-span.ts'
import { useSettled } from './use-settled.ts'

/** Interval at which a live span is reloaded: as often as its curve moves a pixel, within these bounds. */
const refreshMs = { min: 2_000, max: 300_000 } as const
const refreshesPerSpan = 900
/** The platform records a disconnection or connection within this time. */
const presenceMs = 1_000

export interface HistoryState {
  readonly machineId: number
  readonly answer: HistoryAnswer | undefined
  /** The stretch that is on screen: of a live span as far as the answer goes. */
  readonly range: TimeRange
  readonly gaps: readonly Gap[]
  /** The requested data is not shown yet. */
  readonly busy: boolean
  readonly failed: 'no' | 'noRight' | 'failed'
  readonly retry: () => void
}

/** Variables are ticked one after the other; they are requested together, this long after the last. */
const settleMs = 250

/** The history of some tags over a span, kept up to date. */
export function useHistory(options: {
  machineId: number
  tagIds: readonly number[]
  span: Span
  buckets: number
  online: boolean
}): HistoryState {
  const { machineId, span, buckets, online } = options
  const tagIds = useSettled(options.tagIds, settleMs)
  const lang = useLang()
  const isLive = span.kind === 'live'
  const query = useQuery({
    ...explorerQuery(machineId, tagIds, span, { buckets, lang }),
    enabled: tagIds.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: isLive
      ? Math.min(Math.max(span.lengthMs / refreshesPerSpan, refreshMs.min), refreshMs.max)
      : false,
  })
  useWatch(machineId, tagIds)
  usePresenceRefresh(machineId, online)

  const { data, error } = query
  const gaps = useMemo(() => (data ? gapsOf(data) : []), [data])
  const isOwn = data !== undefined && !query.isPlaceholderData
  const range = isLive && !isOwn ? rangeOf(span, Date.now()) : isOwn && isLive ? data.range : rangeOf(span, 0)
  const stable = useStable(range)
  return {
    machineId,
    answer: data,
    range: stable,
    gaps,
    busy: query.isPending || query.isPlaceholderData || tagIds !== options.tagIds,
    failed: error ? (error instanceof ApiError && error.http === 403 ? 'noRight' : 'failed') : 'no',
    retry: () => void query.refetch(),
  }
}

/** Returns the same object while it is equal, because a chart is drawn again for a new one. */
function useStable(range: TimeRange): TimeRange {
  const kept = useRef(range)
  if (kept.current.from !== range.from || kept.current.to !== range.to) kept.current = range
  return kept.current
}

/** Watches the tags: without it the platform would not tell that their past changed. */
function useWatch(machineId: number, tagIds: readonly number[]): void {
  const wanted = tagIds.join()
  useEffect(() => {
    if (!wanted) return
    return push.watch(machineId, wanted.split(',').map(Number), (values) => liveValues.put(values))
  }, [machineId, wanted])
}

/** A connection or disconnection ends or begins a gap. */
function usePresenceRefresh(machineId: number, online: boolean): void {
  const client = useQueryClient()
  const before = useRef(online)
  useEffect(() => {
    if (before.current === online) return
    before.current = online
    const timer = setTimeout(
      () => void client.invalidateQueries({ queryKey: [...historyKey(machineId), 'explorer'] }),
      presenceMs,
    )
    return () => clearTimeout(timer)
  }, [client, machineId, online])
}
