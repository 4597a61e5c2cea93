import { ApiError, type telemetry } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { push } from '../../shared/api/live.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { useWidth } from '../../shared/ui/data/use-width.ts'
import { liveValues } from '../machine/live-values.ts'
import { type HistoryOptions, historyOfTags, historyQuery } from './history-queries.ts'
import type { HistoryMachine, TagSeries } from './history-series.ts'
import { rangeOf, type Span } from './history-span.ts'
import { hasForeign, readSeries } from './read-series.ts'

interface Wish extends Partial<HistoryOptions> {
  readonly machines: readonly HistoryMachine[]
  /** Tags of the machines; one that is not among them is known from its history alone. */
  readonly tags: readonly telemetry.Tag[]
  /** The tags that are shown, in their order. */
  readonly tagIds: readonly number[]
  readonly span: Span
  /** The number of intervals, about; 0 while it is not known, and nothing is read. */
  readonly buckets: number
}

export interface History {
  readonly series: readonly TagSeries[]
  /** The stretch that is on screen: of a live span as far as the answer goes. */
  readonly range: TimeRange
  readonly state: 'wait' | 'failed' | 'noRight' | 'here'
  /** The requested data is not shown yet. */
  readonly busy: boolean
  /** The last refresh failed. */
  readonly isOld: boolean
  /** Some of the tags are of none of the machines. */
  readonly hasForeign: boolean
  readonly retry: () => void
}

/** Answers differ with every hundred pixels, not with every one. */
const widthStep = 100
const bucketsMin = 200

/** The number of intervals for a chart as wide as an element; 0 before that was measured. */
export function useBuckets(): [ref: RefObject<HTMLDivElement | null>, buckets: number] {
  const [box, width] = useWidth<HTMLDivElement>()
  return [box, width === 0 ? 0 : Math.max(Math.round(width / widthStep) * widthStep, bucketsMin)]
}

type HistoryKey = ReturnType<typeof historyOfTags>

const noSeries: readonly TagSeries[] = []

/** The history of tags of one or several machines over a span, kept up to date. */
export function useHistory(wish: Wish): History {
  const { machines, tags, tagIds, span, buckets, shiftMs = 0, agg = 'auto', isContinued = false } = wish
  const query = useQuery(historyQuery(tagIds, span, { buckets, shiftMs, agg, isContinued }))
  const { data, error } = query
  const series = useMemo(
    () => (data ? readSeries(data, { machines, tags, tagIds }, shiftMs) : noSeries),
    [data, machines, tags, tagIds, shiftMs],
  )
  useWatch(series)
  const key = historyOfTags(tagIds, shiftMs)
  useChanges(machines, key)
  usePresence(machines, key)

  const isOwn = data !== undefined && !query.isPlaceholderData
  const { from, to } = span.kind === 'live' && isOwn ? data.range : rangeOf(span, Date.now())
  return {
    series,
    // A chart is drawn again for a new range.
    range: useMemo(() => ({ from, to }), [from, to]),
    state:
      error instanceof ApiError && error.isForbidden ? 'noRight' : data ? 'here' : error ? 'failed' : 'wait',
    busy: query.isPending || query.isPlaceholderData,
    isOld: error !== null && data !== undefined,
    hasForeign: data !== undefined && hasForeign(data, machines, tagIds),
    retry: () => void query.refetch(),
  }
}

/** Watches the tags: without it the platform would not tell that their past changed. */
function useWatch(series: readonly TagSeries[]): void {
  const watched = JSON.stringify(
    [...Map.groupBy(series, ({ machineId }) => machineId)].map(([machineId, own]) => [
      machineId,
      own.map(({ tag }) => tag.tagId),
    ]),
  )
  useEffect(() => {
    const leaves = (JSON.parse(watched) as [number, number[]][]).map(([machineId, tagIds]) =>
      push.watch(machineId, tagIds, (values) => liveValues.put(values)),
    )
    return () => {
      for (const leave of leaves) leave()
    }
  }, [watched])
}

/** A backlog of hours arrives in many parts: the visible range is reloaded at most this often. */
const reloadMsMin = 2_000

/** Reloads what was read of the tags when the past of their machines changed there. */
export function useChanges(machines: readonly Pick<HistoryMachine, 'id'>[], queryKey: HistoryKey): void {
  const client = useQueryClient()
  const ids = machines.map(({ id }) => id).join()
  const [, tagIds, shiftMs] = queryKey
  // biome-ignore lint/correctness/useExhaustiveDependencies: by the content of the key
  useEffect(() => {
    const own = new Set(ids.split(',').map(Number))
    let changed: TimeRange | undefined
    let reloadedAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const reload = () => {
      timer = undefined
      reloadedAt = Date.now()
      const range = changed
      changed = undefined
      if (!range) return
      void client.invalidateQueries({
        queryKey,
        // A pending request may get an answer that was read before the change.
        predicate: ({ state }) => overlaps(state.data as AskedRange | undefined, range),
      })
    }
    const stop = push.on('historyChange', ({ machineId, from, to }) => {
      if (!own.has(machineId)) return
      changed = { from: Math.min(from, changed?.from ?? from), to: Math.max(to, changed?.to ?? to) }
      timer ??= setTimeout(reload, Math.max(0, reloadedAt + reloadMsMin - Date.now()))
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, ids, tagIds, shiftMs])
}

type AskedRange = TimeRange & { readonly isLive: boolean }

/** A live range is open-ended. */
function overlaps(asked: AskedRange | undefined, changed: TimeRange): boolean {
  if (asked === undefined) return true
  return changed.to >= asked.from && (asked.isLive || changed.from < asked.to)
}

/** The platform records a disconnection or connection within this time. */
const presenceMs = 1_000

/** A connection or disconnection of a machine ends or begins a gap. */
function usePresence(machines: readonly HistoryMachine[], queryKey: HistoryKey): void {
  const client = useQueryClient()
  const before = useRef(machines)
  const presence = machines.map(({ id, online }) => `${id} ${online}`).join()
  const reload = useEffectEvent(() => client.invalidateQueries({ queryKey }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `presence` has what counts of `machines`
  useEffect(() => {
    const was = new Map(before.current.map(({ id, online }) => [id, online]))
    before.current = machines
    if (machines.every(({ id, online }) => (was.get(id) ?? online) === online)) return
    const timer = setTimeout(() => void reload(), presenceMs)
    return () => clearTimeout(timer)
  }, [presence])
}
