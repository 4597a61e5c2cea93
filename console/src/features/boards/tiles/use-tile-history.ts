import { type BoardTag, telemetry } from '@busbar/contract'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { type TagSeries, toTagSeries } from '../../../entities/history/history-series.ts'
import {
  alignRange,
  lengthOf,
  niceInterval,
  rangeOf,
  type Span,
} from '../../../entities/history/history-span.ts'
import { gapsOf, limitsOf } from '../../../entities/machine/trend-data.ts'
import { call } from '../../../shared/api/client.ts'
import { push } from '../../../shared/api/live.ts'
import type { TimeRange } from '../../../shared/ui/data/time-range.ts'
import { type FoundMachine, type FoundTag, type Missing, useData } from '../board-data.ts'
import { boardsKey } from '../board-queries.ts'

/** Interval at which a live span is reloaded: as often as its curve moves a pixel, within these bounds. */
const refreshMs = { min: 3_000, max: 300_000 } as const
const refreshesPerSpan = 600
const samplesPerTagMax = 1_000

function tileHistoryQuery(tagIds: readonly number[], span: Span, buckets: number) {
  const intervalMs = niceInterval(span.kind === 'live' ? span.lengthMs : lengthOf(span), buckets)
  const time = span.kind === 'live' ? span.lengthMs : [span.from, span.to]
  return queryOptions({
    queryKey: [...boardsKey, 'history', tagIds.join(), time, intervalMs],
    queryFn: async ({ signal }) => {
      const range = rangeOf(span, Date.now())
      const answer = await call(
        telemetry.getHistory,
        {
          tagIds: [...tagIds],
          ...alignRange(range, intervalMs),
          interval: intervalMs,
          points: samplesPerTagMax,
          agg: 'auto',
        },
        { signal, noNotice: true },
      )
      return { ...answer, range }
    },
    enabled: tagIds.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
    placeholderData: keepPreviousData,
    refetchInterval:
      span.kind === 'live'
        ? Math.min(Math.max(span.lengthMs / refreshesPerSpan, refreshMs.min), refreshMs.max)
        : false,
  })
}

interface Found {
  readonly tag: FoundTag
  readonly machine: FoundMachine
}

/** The variables of a tile that can be drawn, and why the first of the others cannot; the same lists until they change. */
export function useTileTags(refs: readonly BoardTag[]): {
  readonly found: readonly Found[]
  readonly why: Missing | undefined
} {
  const data = useData()
  return useMemo(() => {
    const all = refs.map((ref) => data.tag(ref))
    return {
      found: all.filter((one) => typeof one !== 'string'),
      why: all.find((one) => typeof one === 'string'),
    }
  }, [refs, data])
}

export interface TileHistory {
  readonly series: readonly TagSeries[]
  readonly range: TimeRange
  readonly state: 'wait' | 'failed' | 'here'
  readonly busy: boolean
}

/** The history of a tile's variables, which may belong to several machines: each has its own gaps. */
export function useTileHistory(found: readonly Found[], span: Span, buckets: number): TileHistory {
  const client = useQueryClient()
  const ids = found.map(({ tag }) => tag.tagId).join()
  const tagIds = useMemo(() => (ids ? ids.split(',').map(Number) : []), [ids])
  const options = tileHistoryQuery(tagIds, span, buckets)
  const { data, isError, isPlaceholderData } = useQuery(options)
  const machines = [...new Set(found.map(({ machine }) => machine.id))].join()
  const key = JSON.stringify(options.queryKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what `options` asks
  useEffect(() => {
    const own = new Set(machines.split(',').map(Number))
    const again = () => void client.invalidateQueries({ queryKey: options.queryKey })
    const leaves = [
      push.on('historyChange', ({ machineId }) => own.has(machineId) && again()),
      push.on('missed', again),
    ]
    return () => {
      for (const leave of leaves) leave()
    }
  }, [client, machines, key])
  const series = useMemo(() => {
    const several = new Set(found.map(({ machine }) => machine.id)).size > 1
    const told = new Map(data?.series.map((one) => [one.tagId, one]))
    const gaps = new Map(data?.machines.map((one) => [one.machineId, gapsOf(one)]))
    return found.flatMap(({ tag, machine }) => {
      const one = told.get(tag.tagId)
      if (!one) return []
      const { tagId, name, type, unit, scale } = tag
      const shown = {
        ...{ tagId, name, type, unit, scale, version: one.version },
        ...limitsOf(tag),
        ...(tag.enum ? { enum: tag.enum } : {}),
        ...(several ? { machineName: machine.name } : {}),
      }
      return [{ ...toTagSeries(shown, one), gaps: gaps.get(machine.id) ?? [] }]
    })
  }, [data, found])
  return {
    series,
    range: span.kind === 'live' ? (data?.range ?? rangeOf(span, Date.now())) : rangeOf(span, 0),
    state: data ? 'here' : isError ? 'failed' : 'wait',
    busy: isPlaceholderData,
  }
}
