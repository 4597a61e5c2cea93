import { brands, enterprises, type Lang, machines, telemetry } from '@busbar/contract'
import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { type DeviceType, spaceKey } from '../enterprise/enterprise-queries.ts'
import { keepIcons, type MachineIcons, readKeptIcons } from './kept-icons.ts'
import { detailOf, type Machine, machineOfEnterprise, machineOfOwn } from './machine.ts'

export interface MachineList {
  readonly version: string
  readonly list: readonly Machine[]
}

/** The console's terminal id in calls that require one. */
const terminalID = 'console'
/** Sparkline and strip are not pushed; they move a bar every few minutes. */
const listRefreshMs = 150_000

/** The caller's list. An unchanged one is not sent again (docs/decisions/0047-unchanged-lists.md). */
export function machineListQuery(lang: Lang) {
  const queryKey: QueryKey = ['machines', 'list', lang]
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<MachineList> => {
      const known = client.getQueryData<MachineList>(queryKey)
      const answer = await call(
        machines.listMachines,
        { terminalID, ...(known ? { version: known.version } : {}) },
        { signal },
      )
      if (!('notModified' in answer)) return { version: answer.version, list: answer.list.map(machineOfOwn) }
      // The cache has the changes pushed since the call began; the earlier list does not.
      return client.getQueryData<MachineList>(queryKey) ?? { version: '', list: [] }
    },
    refetchInterval: listRefreshMs,
    // The person's names, remarks and groups are not pushed: another tab may have changed them.
    refetchOnWindowFocus: 'always',
    // Comparing 5,000 rows field by field costs more than rendering the twenty visible ones.
    structuralSharing: false,
    // Names of key values are in the caller's language: the old ones stand until the new ones are here.
    placeholderData: keepPreviousData,
  })
}

export function machineDetailQuery(machineId: number, lang: Lang) {
  return queryOptions({
    queryKey: ['machines', machineId, 'detail', lang],
    queryFn: async ({ signal }) =>
      detailOf(await call(machines.getMachineDetail, { machineID: machineId }, { signal })),
  })
}

/** Changes in an enterprise are not pushed, so its list is polled; most answers report no change. */
const enterpriseRefreshMs = 10_000

/** An enterprise's own devices, or those of customers that it maintains. */
export function enterpriseMachinesQuery(eid: number, type: DeviceType, lang: Lang) {
  const queryKey: QueryKey = [...spaceKey(eid), 'devices', type, lang]
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<MachineList> => {
      const known = client.getQueryData<MachineList>(queryKey)
      const answer = await call(
        enterprises.listEnterpriseMachines,
        { eid, type, ...(known ? { version: known.version } : {}) },
        { signal, noNotice: known !== undefined },
      )
      if (!('notModified' in answer))
        return { version: answer.version, list: answer.list.map((row) => machineOfEnterprise(row, type)) }
      return client.getQueryData<MachineList>(queryKey) ?? { version: '', list: [] }
    },
    refetchInterval: enterpriseRefreshMs,
    structuralSharing: false,
  })
}

/** The key that queries of a machine's place begin with. */
export const placeKey = (machineId: number) => ['machines', machineId, 'place'] as const

/** The tags of a machine in every language. */
export const machineTagsKey = (machineId: number) => ['machines', machineId, 'tags'] as const

export function machineTagsQuery(machineId: number, lang: Lang) {
  return queryOptions({
    queryKey: [...machineTagsKey(machineId), lang],
    queryFn: ({ signal }) => call(telemetry.listTags, { machineId }, { signal }),
  })
}

/** The first values of a machine; later values are pushed. */
export function latestValuesQuery(machineId: number) {
  return queryOptions({
    queryKey: ['machines', machineId, 'latest'],
    queryFn: ({ signal }) => call(telemetry.listLatest, { machineId }, { signal }),
    structuralSharing: false,
  })
}

const rawMessagesShown = 100

/**
 * The last messages of a machine as they came; they are reloaded by a button, so that the messages being read
 * stay.
 */
export function rawMessagesQuery(machineId: number) {
  return queryOptions({
    queryKey: ['machines', machineId, 'raw'],
    queryFn: ({ signal }) =>
      call(telemetry.listRawMessages, { machineId, limit: rawMessagesShown }, { signal, noNotice: true }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Open pages show a change of a type after at most this time. */
const iconsStaleMs = 10 * 60_000

/** The map of machine types. This browser keeps a copy, and the platform sends the map only after a change. */
export const iconsQuery = queryOptions({
  queryKey: ['machines', 'icons'],
  queryFn: async ({ signal }): Promise<MachineIcons> => {
    const kept = readKeptIcons()
    const answer = await call(brands.listIcons, kept ? { version: kept.version } : {}, { signal })
    if (!('notModified' in answer)) {
      keepIcons(answer)
      return answer
    }
    if (!kept) throw new Error('the platform has no map of machine types')
    return kept
  },
  placeholderData: () => readKeptIcons(),
  staleTime: iconsStaleMs,
})

/** The key with which all queries of a machine's history begin. */
export const historyKey = (machineId: number) => ['machines', machineId, 'history'] as const
