import { ApiError, type boards } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { type TagSeries, toTagSeries } from '../../entities/history/history-series.ts'
import { rangeOf, type Span } from '../../entities/history/history-span.ts'
import { useSettled } from '../../entities/history/use-settled.ts'
import { liveValues } from '../../entities/machine/live-values.ts'
import { gapsOf, limitsOf } from '../../entities/machine/trend-data.ts'
import { push } from '../../shared/api/live.ts'
import { useLang } from '../../shared/i18n/index.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { shiftSeries } from './compare.ts'
import { explorerHistoryQuery, explorerTagsQuery, historyOfExplorer } from './explorer-queries.ts'

/** Variables are ticked one after the other; they are requested together, this long after the last. */
const settleMs = 250

type Tag = boards.BoardTagFound
type Machine = boards.BoardMachine

/** A variable that the reader may see, with its device. */
export interface ExplorerTag {
  readonly tag: Tag
  readonly machine: Machine
}

export interface ExplorerTags {
  readonly found: readonly ExplorerTag[]
  /** Number of variables in the address that are not shown, because they are removed or the right is missing. */
  readonly missing: number
  readonly state: 'none' | 'wait' | 'failed' | 'here'
}

/** The variables that the address names, and a watch on them: without it nothing would tell that their past changed. */
export function useExplorerTags(wanted: readonly number[]): ExplorerTags {
  const lang = useLang()
  const client = useQueryClient()
  const tagIds = useSettled(wanted, settleMs)
  const options = explorerTagsQuery(tagIds, lang)
  const { data, isError, isPlaceholderData } = useQuery(options)
  const found = useMemo(() => {
    const machines = new Map(data?.machines.map((one) => [one.id, one]))
    const tags = new Map(data?.tags.map((one) => [one.tagId, one]))
    return tagIds.flatMap((tagId): ExplorerTag[] => {
      const tag = tags.get(tagId)
      const machine = tag && machines.get(tag.machineId)
      return tag && machine ? [{ tag, machine }] : []
    })
  }, [data, tagIds])
  useEffect(() => {
    const byMachine = Map.groupBy(found, ({ machine }) => machine.id)
    const leaves = [...byMachine].map(([machineId, of]) =>
      push.watch(
        machineId,
        of.map(({ tag }) => tag.tagId),
        (values) => liveValues.put(values),
      ),
    )
    return () => {
      for (const leave of leaves) leave()
    }
  }, [found])
  const key = JSON.stringify(options.queryKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what `options` asks
  useEffect(() => {
    const own = new Set(found.map(({ machine }) => machine.id))
    const again = () => void client.invalidateQueries({ queryKey: options.queryKey })
    const leaves = [
      push.on('missed', again),
      push.on('spaces', again),
      // The loss of a right removes its curves immediately.
      push.on('machineState', ({ machineId }) => own.has(machineId) && again()),
    ]
    return () => {
      for (const leave of leaves) leave()
    }
  }, [client, key, found])
  const state = tagIds.length === 0 ? 'none' : data ? 'here' : isError ? 'failed' : 'wait'
  return { found, missing: data && !isPlaceholderData ? tagIds.length - found.length : 0, state }
}

export interface ExplorerHistory {
  readonly series: readonly TagSeries[]
  /** The same of the compared period, moved to this one. */
  readonly compared: readonly TagSeries[]
  readonly range: TimeRange
  readonly state: 'wait' | 'failed' | 'noRight' | 'here'
  readonly busy: boolean
  readonly retry: () => void
}

/** The history of variables of several devices: each device has its own gaps. */
export function useExplorerHistory(
  found: readonly ExplorerTag[],
  span: Span,
  options: { readonly buckets: number; readonly compareMs: number | undefined },
): ExplorerHistory {
  const { buckets, compareMs } = options
  const client = useQueryClient()
  const ids = found.map(({ tag }) => tag.tagId).join()
  const tagIds = useMemo(() => (ids ? ids.split(',').map(Number) : []), [ids])
  const query = useQuery(explorerHistoryQuery(tagIds, span, { buckets }))
  const earlier = useQuery({
    ...explorerHistoryQuery(tagIds, span, { buckets, shiftMs: compareMs ?? 0 }),
    enabled: compareMs !== undefined && tagIds.length > 0,
  })
  const machines = [...new Set(found.map(({ machine }) => machine.id))].join()
  useEffect(() => {
    const own = new Set(machines.split(',').map(Number))
    const again = () => void client.invalidateQueries({ queryKey: historyOfExplorer })
    const leaves = [
      push.on('historyChange', ({ machineId }) => own.has(machineId) && again()),
      push.on('missed', again),
    ]
    return () => {
      for (const leave of leaves) leave()
    }
  }, [client, machines])

  const { data, error } = query
  const series = useMemo(() => seriesOf(found, data), [found, data])
  const past = compareMs === undefined ? undefined : earlier.data
  const compared = useMemo(
    () => (compareMs === undefined ? [] : seriesOf(found, past).map((one) => shiftSeries(one, compareMs))),
    [found, past, compareMs],
  )
  const isOwn = data !== undefined && !query.isPlaceholderData
  const now = span.kind === 'live' ? (isOwn ? data.range : rangeOf(span, Date.now())) : rangeOf(span, 0)
  const { from, to } = now
  return {
    series,
    compared,
    range: useMemo(() => ({ from, to }), [from, to]),
    state: data
      ? 'here'
      : error
        ? error instanceof ApiError && error.http === 403
          ? 'noRight'
          : 'failed'
        : 'wait',
    busy: query.isPending || query.isPlaceholderData || (compareMs !== undefined && earlier.isPending),
    retry: () => void query.refetch(),
  }
}

function seriesOf(
  found: readonly ExplorerTag[],
  data:
    | {
        readonly series: readonly Parameters<typeof toTagSeries>[1][]
        readonly machines: readonly MachineGaps[]
      }
    | undefined,
): TagSeries[] {
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
}

type MachineGaps = Parameters<typeof gapsOf>[0] & { readonly machineId: number }
