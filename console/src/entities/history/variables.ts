import { boards, type Lang } from '@busbar/contract'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../shared/api/client.ts'
import { push } from '../../shared/api/live.ts'
import { useLang } from '../../shared/i18n/index.ts'
import type { HistoryMachine } from './history-series.ts'

/** Names and limits of variables are not pushed. */
const refreshMs = 60_000

/** Variables with their machines. Those that the reader may not see, or that do not exist, are left out. */
function variablesQuery(tagIds: readonly number[], lang: Lang) {
  return queryOptions({
    queryKey: ['variables', tagIds.join(), lang],
    queryFn: ({ signal }) =>
      call(boards.lookUpBoardTags, { tags: [], tagIds: [...tagIds] }, { signal, noNotice: true }),
    enabled: tagIds.length > 0,
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
}

export type Variable = boards.BoardTagFound

export interface Variables {
  /** Those that the reader may see, in the order of their ids. */
  readonly tags: readonly Variable[]
  readonly machines: readonly HistoryMachine[]
  /** Number of those that are not shown, because they are removed or the right is missing. */
  readonly missing: number
  readonly state: 'none' | 'wait' | 'failed' | 'here'
}

/** Variables of several machines by their ids. One that the reader may no longer see leaves immediately. */
export function useVariables(tagIds: readonly number[]): Variables {
  const client = useQueryClient()
  const options = variablesQuery(tagIds, useLang())
  const { data, isError, isPlaceholderData } = useQuery(options)
  const tags = useMemo(() => {
    const byId = new Map(data?.tags.map((tag) => [tag.tagId, tag]))
    return tagIds.flatMap((tagId) => byId.get(tagId) ?? [])
  }, [data, tagIds])
  const machines = useMemo(() => {
    const shown = new Set(tags.map(({ machineId }) => machineId))
    return data?.machines.filter(({ id }) => shown.has(id)) ?? []
  }, [data, tags])
  const key = JSON.stringify(options.queryKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what `options` asks
  useEffect(() => {
    const own = new Set(machines.map(({ id }) => id))
    const again = () => void client.invalidateQueries({ queryKey: options.queryKey })
    const leaves = [
      push.on('spaces', again),
      push.on('machineState', ({ machineId }) => own.has(machineId) && again()),
    ]
    return () => {
      for (const leave of leaves) leave()
    }
  }, [client, key, machines])
  return {
    tags,
    machines,
    missing: data && !isPlaceholderData ? tagIds.length - tags.length : 0,
    state: tagIds.length === 0 ? 'none' : data ? 'here' : isError ? 'failed' : 'wait',
  }
}
