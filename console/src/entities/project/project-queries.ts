import { destinations, projects } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { accessKey } from '../access/access-queries.ts'
import { otherProjectOf, projectMachineOf, projectOf, projectPersonOf } from './project.ts'

/** The key with which all queries of projects begin. */
export const projectsKey = ['projects'] as const
/** The key with which all queries of one project begin. */
export const projectKey = (id: number) => [...projectsKey, 'one', id] as const

/** The state of a project is not pushed. */
export const projectRefreshMs = 10_000

/** Projects of the personal space, or of an enterprise by their type. */
export interface ProjectSpace {
  readonly eid?: number
  readonly type?: projects.ProjectType
}

/** The projects in which the person takes part, and those to which they are invited. */
export function projectListQuery(space: ProjectSpace) {
  return queryOptions({
    queryKey: [...projectsKey, 'list', space],
    queryFn: async ({ signal }) =>
      (await call(projects.listProjects, space, { signal, noNotice: true })).map(projectOf),
    refetchInterval: projectRefreshMs,
  })
}

/** The projects of an enterprise in which the person takes no part. */
export function otherProjectsQuery(eid: number, type: projects.ProjectType) {
  return queryOptions({
    queryKey: [...projectsKey, 'others', eid, type],
    queryFn: async ({ signal }) => {
      const found = await call(projects.listEnterpriseProjects, { eid, type }, { signal, noNotice: true })
      return found.filter(({ mine }) => !mine).map(otherProjectOf)
    },
  })
}

/** One project, with its people and its devices. */
export function projectQuery(id: number) {
  return queryOptions({
    queryKey: [...projectKey(id), 'detail'],
    queryFn: async ({ signal }) => {
      const [found] = await call(projects.listProjects, { id }, { signal, noNotice: true })
      if (!found) throw new Error('The platform answered no project.')
      return projectOf(found)
    },
    refetchInterval: projectRefreshMs,
    retry: false,
  })
}

/** The people of a project, with those who have not accepted yet. */
export function projectUsersQuery(id: number) {
  return queryOptions({
    queryKey: [...projectKey(id), 'users'],
    queryFn: async ({ signal }) =>
      (await call(projects.listProjectUsers, { id }, { signal, noNotice: true })).map(projectPersonOf),
    refetchInterval: projectRefreshMs,
  })
}

export function projectMachinesQuery(id: number) {
  return queryOptions({
    queryKey: [...projectKey(id), 'machines'],
    queryFn: async ({ signal }) =>
      (await call(projects.listProjectMachines, { id }, { signal, noNotice: true })).map(projectMachineOf),
    refetchInterval: projectRefreshMs,
  })
}

/** The rows of this month, and of each minute of the last day. */
export function projectUsageQuery(id: number) {
  return queryOptions({
    queryKey: [...projectKey(id), 'usage'],
    queryFn: ({ signal }) => call(projects.getProjectUsage, { id }, { signal, noNotice: true }),
    refetchInterval: projectRefreshMs,
  })
}

/** Only the owner may ask. */
export function projectKeysQuery(id: number) {
  return queryOptions({
    queryKey: [...projectKey(id), 'keys'],
    queryFn: ({ signal }) => call(projects.listProjectKeys, { id }, { signal, noNotice: true }),
    refetchInterval: projectRefreshMs,
  })
}

export function projectDestinationsQuery(id: number) {
  return queryOptions({
    queryKey: [...projectKey(id), 'destinations'],
    queryFn: ({ signal }) => call(destinations.listDestinations, { id }, { signal, noNotice: true }),
    refetchInterval: projectRefreshMs,
  })
}

/** The projects that get the values of a device. */
export function machineProjectsQuery(machineId: number) {
  return queryOptions({
    queryKey: [...accessKey(machineId), 'projects'],
    queryFn: ({ signal }) => call(projects.listMachineProjects, { machineId }, { signal, noNotice: true }),
  })
}

/** The addresses of the MQTT endpoint that a project chooses from. */
export const reportingServersQuery = queryOptions({
  queryKey: [...projectsKey, 'servers'],
  queryFn: async ({ signal }) => {
    const found = await call(projects.getServer, {}, { signal, noNotice: true })
    return Array.isArray(found) ? found : []
  },
})

/** Where a project’s system signs in and pulls, for its members. */
export function projectEndpointQuery(id: number) {
  return queryOptions({
    queryKey: [...projectKey(id), 'endpoint'],
    queryFn: async ({ signal }) => {
      const found = await call(projects.getServer, { id }, { signal, noNotice: true })
      if (Array.isArray(found)) throw new Error('The platform answered servers.')
      return found
    },
  })
}
