import { type AnswerOf, enterprises, mayInEnterprise } from '@busbar/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'

export type Permission = AnswerOf<typeof enterprises.getEnterprisePermission>
export type DeviceType = enterprises.DeviceType
export type Team = enterprises.Team
export type Member = enterprises.Member
export type MaintenanceWindow = enterprises.MaintenanceWindow

/** The key with which all queries of an enterprise begin. */
export const spaceKey = (eid: number) => ['enterprise', eid] as const

/** Changes in an enterprise are not pushed. */
export const refreshMs = 10_000
export const membersPerPage = 50

export function permissionQuery(eid: number) {
  return queryOptions({
    queryKey: [...spaceKey(eid), 'permission'],
    queryFn: ({ signal }) => call(enterprises.getEnterprisePermission, { eid }, { signal, noNotice: true }),
    refetchOnWindowFocus: 'always',
    retry: false,
  })
}

/** Whether the caller may change what belongs to a space: their own always, an enterprise's with the right to manage. */
export function useMayEdit({ asked: { eid } }: PageSpace): boolean {
  const { data: permission } = useQuery({ ...permissionQuery(eid ?? 0), enabled: eid !== undefined })
  return eid === undefined || mayInEnterprise(permission, 'manage')
}

export function personnelQuery(eid: number, deviceId: number) {
  return queryOptions({
    queryKey: [...spaceKey(eid), 'personnel', deviceId],
    queryFn: async ({ signal }) => {
      const [managers, maintainers] = await Promise.all([
        call(enterprises.listMachinePersonnel, { eid, deviceId }, { signal }),
        call(enterprises.listMachineMaintenancePersonnel, { eid, deviceId }, { signal }),
      ])
      return { managers, maintainers }
    },
  })
}

export function groupsQuery(eid: number) {
  return queryOptions({
    queryKey: [...spaceKey(eid), 'groups'],
    queryFn: ({ signal }) => call(enterprises.listGroups, { eid }, { signal }),
  })
}

export function membersQuery(eid: number, page: number, search: string) {
  return queryOptions({
    queryKey: [...spaceKey(eid), 'members', page, search],
    queryFn: ({ signal }) =>
      call(
        enterprises.listMembers,
        { eid, page, pageSize: membersPerPage, ...(search ? { search } : {}) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
}

/** Only administrators may ask. */
export function sentInvitationsQuery(eid: number) {
  return queryOptions({
    queryKey: [...spaceKey(eid), 'invitations'],
    queryFn: ({ signal }) => call(enterprises.listSentInvitations, { eid }, { signal }),
    refetchInterval: refreshMs,
  })
}

export function teamsQuery(eid: number) {
  return queryOptions({
    queryKey: [...spaceKey(eid), 'teams'],
    queryFn: ({ signal }) => call(enterprises.listTeams, { eid }, { signal }),
  })
}

export function enterpriseQuery(eid: number) {
  return queryOptions({
    queryKey: [...spaceKey(eid), 'info'],
    queryFn: ({ signal }) => call(enterprises.getEnterprise, { eid }, { signal }),
  })
}

export function askedMaintenanceQuery(eid: number) {
  return queryOptions({
    queryKey: [...spaceKey(eid), 'maintenance'],
    queryFn: ({ signal }) => call(enterprises.listEnterpriseMaintenance, { eid }, { signal }),
    refetchInterval: refreshMs,
  })
}

const maintenanceRefreshMs = 30_000

/** Maintenance requests of enterprises for the person's machines. */
export const maintenanceQuery = queryOptions({
  queryKey: ['maintenance'],
  queryFn: ({ signal }) => call(enterprises.listMaintenance, {}, { signal, noNotice: true }),
  refetchInterval: maintenanceRefreshMs,
})
