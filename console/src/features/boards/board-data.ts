import {
  type BoardLayout,
  type BoardTag,
  type boards,
  listTileMachines,
  listTileTags,
  type MachineRef,
  machineVariable,
} from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useMemo } from 'react'
import { liveValues } from '../../entities/machine/live-values.ts'
import { push } from '../../shared/api/live.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { boardTagsQuery, type Wanted } from './board-queries.ts'

export type FoundMachine = boards.BoardMachine
export type FoundTag = boards.BoardTagFound

/** Why a tile is empty. */
export type Missing = 'choose' | 'elsewhere' | 'notHere' | 'noRight' | 'noTag' | 'wait' | 'failed'

/** The machines and variables that the tiles of a board name, as far as the reader may see them. */
export interface BoardData {
  machine(ref: MachineRef): FoundMachine | Missing
  tag(ref: BoardTag): { readonly tag: FoundTag; readonly machine: FoundMachine } | Missing
  /** The id of a machine that a layout names. */
  idOf(ref: MachineRef): number | undefined
}

const keyOf = (machineId: number, group: string, tag: string) => `${machineId}\n${group}\n${tag}`

/** Looks up everything that a layout names, with `chosen` in place of its variable, and watches the values. */
export function useBoardData(layout: BoardLayout, chosen: number | undefined): BoardData {
  const lang = useLang()
  const wanted = useMemo(() => listWanted(layout, chosen), [layout, chosen])
  const query = useQuery(boardTagsQuery(wanted, lang))
  const { data, isError, isPlaceholderData } = query
  useWatch(data)
  useMachineStates(wanted, lang)
  return useMemo(() => {
    const machines = new Map(data?.machines.map((machine) => [machine.id, machine]))
    const tags = new Map(data?.tags.map((tag) => [keyOf(tag.machineId, tag.wireGroup, tag.tag), tag]))
    const idOf = (ref: MachineRef) =>
      ref === machineVariable ? chosen : typeof ref === 'number' ? ref : undefined
    const machine = (ref: MachineRef): FoundMachine | Missing => {
      const id = idOf(ref)
      if (id === undefined) return ref === machineVariable ? 'choose' : 'notHere'
      const found = machines.get(id)
      if (found) return found
      if (!data || isPlaceholderData) return isError ? 'failed' : 'wait'
      return 'noRight'
    }
    return {
      idOf,
      machine,
      tag(ref) {
        const of = machine(ref.machine)
        if (typeof of === 'string') return of
        const tag = tags.get(keyOf(of.id, ref.group, ref.tag))
        if (tag) return { tag, machine: of }
        return isPlaceholderData ? 'wait' : 'noTag'
      },
    }
  }, [data, isError, isPlaceholderData, chosen])
}

function listWanted({ tiles }: BoardLayout, chosen: number | undefined): Wanted {
  const idOf = (ref: MachineRef) =>
    ref === machineVariable ? chosen : typeof ref === 'number' ? ref : undefined
  const tags = new Map<string, Wanted['tags'][number]>()
  for (const ref of tiles.flatMap(listTileTags)) {
    const machine = idOf(ref.machine)
    if (machine !== undefined)
      tags.set(keyOf(machine, ref.group, ref.tag), { machine, group: ref.group, tag: ref.tag })
  }
  const machines = new Set(tiles.flatMap(listTileMachines).flatMap((ref) => idOf(ref) ?? []))
  return { tags: [...tags.values()], machines: [...machines].sort((a, b) => a - b) }
}

/** The newest values as answered, then as pushed: one subscription per machine. */
function useWatch(data: { readonly tags: readonly FoundTag[] } | undefined): void {
  useEffect(() => {
    if (!data) return
    liveValues.put(data.tags.flatMap(({ latest }) => latest ?? []))
    const byMachine = Map.groupBy(data.tags, ({ machineId }) => machineId)
    const leaves = [...byMachine].map(([machineId, tags]) =>
      push.watch(
        machineId,
        tags.map(({ tagId }) => tagId),
        (values) => liveValues.put(values),
      ),
    )
    return () => {
      for (const leave of leaves) leave()
    }
  }, [data])
}

/** Machines that connect, disconnect or change the reader's right are redrawn immediately. */
function useMachineStates(wanted: Wanted, lang: 'cn' | 'en'): void {
  const client = useQueryClient()
  useEffect(() => {
    const ids = new Set(wanted.machines)
    const { queryKey } = boardTagsQuery(wanted, lang)
    const again = () => void client.invalidateQueries({ queryKey })
    const leaves = [
      push.on('missed', again),
      push.on('spaces', again),
      push.on('tagsChange', ({ machineId }) => ids.has(machineId) && again()),
      push.on('machineState', ({ machineId, online, limitAuthority }) => {
        if (!ids.has(machineId)) return
        const known = client.getQueryData(queryKey)?.machines.find(({ id }) => id === machineId)
        if ((known !== undefined) !== limitAuthority > 0) again()
        else if (known && known.online !== online)
          client.setQueryData(
            queryKey,
            (before) =>
              before && {
                ...before,
                machines: before.machines.map((one) => (one.id === machineId ? { ...one, online } : one)),
              },
          )
      }),
    ]
    return () => {
      for (const leave of leaves) leave()
    }
  }, [client, wanted, lang])
}

const DataContext = createContext<BoardData | undefined>(undefined)
export const BoardDataProvider = DataContext.Provider

/** The data of the surrounding board. */
export function useData(): BoardData {
  const data = useContext(DataContext)
  if (!data) throw new Error('a tile is drawn outside of a board')
  return data
}
