import type { telemetry } from '@busbar/contract'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { liveValues } from '../../../entities/machine/live-values.ts'
import {
  type TagHistory,
  type TrendWindow,
  tagHistoryQuery,
  trendWindows,
} from '../../../entities/machine/machine-queries.ts'
import { gapsOf, limitsOf, toTrendPoint } from '../../../entities/machine/trend-data.ts'
import { push } from '../../../shared/api/live.ts'
import type { LiveValue } from '../../../shared/api/live-value.ts'
import { chartNumber } from '../../../shared/ui/data/tag-value.ts'
import type { TimeRange } from '../../../shared/ui/data/time-range.ts'
import type { Gap } from '../../../shared/ui/data/trend-gaps.ts'
import type { TrendLine } from '../../../shared/ui/data/trend-line.ts'
import { appendSample, joinHistory, type TrendPoint } from '../../../shared/ui/data/trend-series.ts'
import { useNow } from '../../../shared/ui/use-now.ts'

/** The most curves that can be told apart and have axes. */
export const trendTagsMax = 4
/** A chart is drawn at most this often, however fast values come. */
const drawMs = 250
/** Time between two moves of the span; a move of half a pixel is not worth drawing. */
const moveMs: Record<TrendWindow, number> = { '15m': 1_000, '1h': 5_000, '24h': 60_000 }

export interface Trend {
  readonly lines: readonly TrendLine[]
  readonly gaps: readonly Gap[]
  readonly range: TimeRange
  readonly busy: boolean
  readonly failed: boolean
  readonly retry: () => void
}

/** True for tags a curve can show. */
export function isDrawable(tag: telemetry.Tag): boolean {
  return tag.type !== 'string'
}

/** History of some tags of a machine, continued live. */
export function useTrend(
  machineId: number,
  tags: readonly telemetry.Tag[],
  window: TrendWindow,
  online: boolean,
  colours: ReadonlyMap<number, number>,
): Trend {
  const { spanMs, bucketMs } = trendWindows[window]
  const histories = useQueries({ queries: tags.map((tag) => tagHistoryQuery(machineId, tag.tagId, window)) })
  const live = useLivePoints(
    machineId,
    tags.map((tag) => tag.tagId),
    bucketMs,
  )
  const away = useAwayTimes(machineId, online)
  const now = useNow(moveMs[window])

  // As many as there can be, so that the memos below always depend on the same number of things.
  const answers = Array.from({ length: trendTagsMax }, (_, index) => histories[index]?.data)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers by identity; their array is new each time
  const lines = useMemo(
    () =>
      tags.map((tag, index): TrendLine => {
        const past = pointsOf(answers[index], tag.tagId)
        return {
          key: tag.tagId,
          name: tag.name,
          unit: tag.unit,
          colour: colours.get(tag.tagId) ?? 1,
          ...limitsOf(tag),
          stepped: tag.type === 'bool' || tag.enum !== undefined,
          intervalMs: bucketMs,
          points: joinHistory(past, live.get(tag.tagId) ?? []),
        }
      }),
    [tags, live, bucketMs, colours, ...answers],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const gaps = useMemo(
    () => [
      ...answers.flatMap((answer) => (answer ? gapsOf(answer) : [])),
      ...away.map(({ from, to }) => ({ from, to: to ?? now })),
    ],
    [away, now, ...answers],
  )
  const range = useMemo(() => ({ from: now - spanMs, to: now }), [now, spanMs])

  return {
    lines,
    gaps,
    range,
    busy: histories.some((history) => history.isPending),
    failed: histories.some((history) => history.isError && !history.data),
    retry: () => {
      for (const history of histories) if (history.isError) void history.refetch()
    },
  }
}

const noPoints: readonly TrendPoint[] = []

function pointsOf(history: TagHistory | undefined, tagId: number): readonly TrendPoint[] {
  const series = history?.series.find((each) => each.tagId === tagId)
  if (!series) return noPoints
  return series.points.map(toTrendPoint)
}

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

interface AwayTime {
  readonly from: number
  /** Null while it lasts. */
  readonly to: number | null
}

/**
 * Times at which the machine went and returned since the trend was opened; earlier ones are in the history.
 * before that the history knows.
 */
function useAwayTimes(machineId: number, online: boolean): readonly AwayTime[] {
  const [away, setAway] = useState<readonly AwayTime[]>([])
  const before = useRef({ machineId, online })
  useEffect(() => {
    const { machineId: machineBefore, online: onlineBefore } = before.current
    before.current = { machineId, online }
    if (machineBefore !== machineId) return setAway([])
    if (onlineBefore === online) return
    const now = Date.now()
    setAway((times) =>
      online
        ? times.map((time) => (time.to === null ? { ...time, to: now } : time))
        : [...times, { from: now, to: null }],
    )
  }, [machineId, online])
  return away
}
