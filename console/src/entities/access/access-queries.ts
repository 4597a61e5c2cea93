import { type AnswerOf, access, applications, machines } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { detailOf } from '../machine/machine.ts'

/** The key with which all queries of this page begin. */
export const accessKey = (machineId: number) => ['access', machineId] as const

/** A person's role on a machine, and their rights. */
export interface MachineRole extends Omit<AnswerOf<typeof access.getRole>, 'limit_authority'> {
  readonly level: number
}

/** The caller's role on the machine. Queried silently: a stranger gets the page that says so, not a notice. */
export function roleQuery(machineId: number) {
  return queryOptions({
    queryKey: ['role', machineId],
    queryFn: async ({ signal }): Promise<MachineRole> => {
      const { limit_authority: level, ...role } = await call(
        access.getRole,
        { deviceId: machineId },
        { signal, silent: true },
      )
      return { ...role, level }
    },
    refetchOnWindowFocus: 'always',
  })
}

export function reachQuery(machineId: number) {
  return queryOptions({
    queryKey: [...accessKey(machineId), 'reach'],
    queryFn: ({ signal }) => call(access.listReach, { id: machineId }, { signal }),
  })
}

export const visitorsKey = (machineId: number) => [...accessKey(machineId), 'visitors'] as const
export const bkeysKey = (machineId: number) => [...accessKey(machineId), 'bkeys'] as const

export function visitorsQuery(machineId: number) {
  return queryOptions({
    queryKey: visitorsKey(machineId),
    queryFn: ({ signal }) =>
      listGrants(machineId, access.infoTypes.visitors, signal) as Promise<access.Visitor[]>,
  })
}

export function bkeysQuery(machineId: number) {
  return queryOptions({
    queryKey: bkeysKey(machineId),
    queryFn: ({ signal }) => listGrants(machineId, access.infoTypes.bkeys, signal) as Promise<access.Bkey[]>,
  })
}

export function blacklistQuery(machineId: number) {
  return queryOptions({
    queryKey: [...accessKey(machineId), 'blacklist'],
    queryFn: ({ signal }) =>
      listGrants(machineId, access.infoTypes.blacklist, signal) as Promise<access.Blacklisted[]>,
  })
}

const grantsPerCall = 500
/** More people than any machine has, to end an endless list. */
const grantsMax = 10_000

/** The whole of one list. Its rows are of the kind that `infoType` names, which the contract's union cannot say. */
async function listGrants(
  machineId: number,
  infoType: (typeof access.infoTypes)[keyof typeof access.infoTypes],
  signal: AbortSignal,
): Promise<unknown[]> {
  const rows: unknown[] = []
  for (;;) {
    const { list, total } = await call(
      access.listGrants,
      { machineID: machineId, infoType, start: rows.length, pageSize: grantsPerCall },
      { signal },
    )
    rows.push(...list)
    if (list.length === 0 || rows.length >= Math.min(total, grantsMax)) return rows
  }
}

/** Rows of a page of applications, and of visit times. */
export const rowsPerPage = 20

/** Applications for the machine: those that wait, or those that are over. */
export function applicationsQuery(machineId: number, { open, page }: { open: boolean; page: number }) {
  return queryOptions({
    queryKey: [...accessKey(machineId), 'applications', open, page],
    queryFn: ({ signal }) =>
      call(applications.listApplications, { id: machineId, open, page, pageSize: rowsPerPage }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** The machine's own settings; undefined for an ordinary user. */
export function settingsQuery(machineId: number) {
  return queryOptions({
    queryKey: [...accessKey(machineId), 'settings'],
    queryFn: async ({ signal }) =>
      detailOf(await call(machines.getMachineDetail, { machineID: machineId }, { signal })),
  })
}
