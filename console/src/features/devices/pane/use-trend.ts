import type { telemetry } from '@busbar/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { LimitsByTag } from '../../../entities/alarm-rule/rule-limits.ts'
import { type HistoryMachine, isState } from '../../../entities/history/history-series.ts'
import type { Span } from '../../../entities/history/history-span.ts'
import { useHistory } from '../../../entities/history/use-history.ts'
import { liveValues } from '../../../entities/machine/live-values.ts'
import { limitsOf } from '../../../entities/machine/trend-data.ts'
import { push } from '../../../shared/api/live.ts'
import type { LiveValue } from '../../../shared/api/live-value.ts'
import { chartNumber } from '../../../shared/ui/data/tag-value.ts'
import type { TimeRange } from '../../../shared/ui/data/time-range.ts'
import type { TrendLine } from '../../../shared/ui/data/trend-line.ts'
import { appendSample, joinHistory, type TrendPoint } from '../../../shared/ui/data/trend-series.ts'
import { useNow } from '../../../shared/ui/use-now.ts'

/** The most curves that can be told apart and have axes. */
export const trendTagsMax = 4
/** A chart is drawn at most this often, however fast values come. */
const drawMs = 250

/** The spans of time a trend shows; `moveMs` is the time between two moves, which are about half a pixel. */
export const trendWindows = {
  '15m': { spanMs: 900_000, bucketMs: 2_000, moveMs: 1_000 },
  '1h': { spanMs: 3_600_000, bucketMs: 10_000, moveMs: 5_000 },
  '24h': { spanMs: 86_400_000, bucketMs: 120_000, moveMs: 60_000 },
} as const
export type TrendWindow = keyof typeof trendWindows

export interface TrendMachine extends HistoryMachine {
  readonly lastSeen: number | null
}

export interface Trend {
  readonly lines: readonly TrendLine[]
  readonly range: TimeRange
  readonly busy: boolean
  readonly failed: boolean
  readonly retry: () => void
}

interface TrendOptions {
  /** Tags that a curve can show. */
  readonly tags: readonly telemetry.Tag[]
  readonly window: TrendWindow
  readonly colours: ReadonlyMap<number, number>
  readonly ruleLimits: LimitsByTag
}

/** True for tags a curve can show. */
export function isDrawable(tag: telemetry.Tag): boolean {
  return tag.type !== 'string'
}

/** History of some tags of a machine, continued live. */
export function useTrend(machine: TrendMachine, options: TrendOptions): Trend {
  const { tags, window, colours, ruleLimits } = options
  const { id, name, code, online, lastSeen } = machine
  const { spanMs, bucketMs, moveMs } = trendWindows[window]
  const machines = useMemo(() => [{ id, name, code, online }], [id, name, code, online])
  const tagIds = useMemo(() => tags.map(({ tagId }) => tagId), [tags])
  const span = useMemo((): Span => ({ kind: 'live', lengthMs: spanMs }), [spanMs])
  const shown = { machines, tags, tagIds, span, buckets: spanMs / bucketMs }
  const { series, state, busy, retry } = useHistory({ ...shown, agg: 'avg', isContinued: true })
  const live = useLivePoints(id, tagIds, bucketMs)
  const now = useNow(moveMs)

  const gaps = useMemo(() => {
    const known = series[0]?.gaps ?? []
    // It lasts longer than the history knows.
    return online || lastSeen === null ? known : [...known, { from: lastSeen, to: now }]
  }, [series, online, lastSeen, now])
  const lines = useMemo(
    () =>
      tags.map((tag): TrendLine => {
        const past = series.find((one) => one.tag.tagId === tag.tagId)
        return {
          key: String(tag.tagId),
          name: tag.name,
          unit: tag.unit,
          colour: colours.get(tag.tagId) ?? 1,
          ...limitsOf(tag),
          ruleLimits: ruleLimits.get(tag.tagId) ?? [],
          stepped: isState(tag),
          intervalMs: bucketMs,
          points: joinHistory(past?.points ?? noPoints, live.get(tag.tagId) ?? noPoints),
          gaps,
        }
      }),
    [tags, series, live, bucketMs, colours, ruleLimits, gaps],
  )
  const range = useMemo(() => ({ from: now - spanMs, to: now }), [now, spanMs])
  return { lines, range, busy, failed: state === 'failed' || state === 'noRight', retry }
}

const noPoints: readonly TrendPoint[] = []

type LivePoints = ReadonlyMap<number, readonly TrendPoint[]>

/** The live points since the trend was opened. */
function useLivePoints(machineId: number, tagIds: readonly number[], bucketMs: number): LivePoints {
  const [points, setPoints] = useState<LivePoints>(new Map())
  const gathered = useRef(new Map<number, readonly TrendPoint[]>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wanted = tagIds.join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: another machine or bucket starts over
  useEffect(() => {
    gathered.current = new Map()
    setPoints(new Map())
  }, [machineId, bucketMs])

  useEffect(() => {
    if (!wanted) return
    const take = (values: readonly LiveValue[]) => {
      liveValues.put(values)
      for (const { tagId, time, value, quality } of values) {
        const isKnown = quality === 'good' || quality === 'uncertain'
        const sample = { at: time, value: isKnown ? chartNumber(value) : null }
        gathered.current.set(tagId, appendSample(gathered.current.get(tagId) ?? noPoints, sample, bucketMs))
      }
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        setPoints(new Map(gathered.current))
      }, drawMs)
    }
    const leave = push.watch(machineId, wanted.split(',').map(Number), take)
    return () => {
      leave()
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [machineId, wanted, bucketMs])

  return points
}
