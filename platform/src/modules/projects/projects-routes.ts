import { projects as contract } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { escapeLike } from '../../kernel/database/search.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { RightsDeps } from '../access/index.ts'
import { spaceOfCall } from '../spaces/index.ts'
import { listKeys } from './keys-store.ts'
import { listLinkDetails, listLinks, listOfMachine } from './links-store.ts'
import * as machines from './machines-service.ts'
import { listMembers } from './members-store.ts'
import * as people from './people-service.ts'
import { revealKey } from './project-keys.ts'
import { forecast, monthOf, rowsMaxOf } from './projects-rules.ts'
import * as service from './projects-service.ts'
import * as store from './projects-store.ts'
import * as views from './projects-views.ts'
import { listMinutes } from './quota.ts'
import type { ReportingSource } from './reporting-figures.ts'
import { findServerOf, listServers } from './servers-store.ts'

export interface RoutesDeps extends RightsDeps, service.ProjectsDeps, people.PeopleDeps {
  readonly facts: RightsDeps['facts']
  readonly mailbox: RightsDeps['mailbox']
  readonly link: Pick<EdgeLink, 'presence'>
  readonly reporting: ReportingSource
  /** Where the data of a project can be fetched, by the host that the caller came by. */
  endpointOf(projectId: number, host: string): contract.ProjectEndpoint
}

const dayMs = 86_400_000

/** Projects with their people, machines, keys and quotas. */
export function projectsRoutes(deps: RoutesDeps): Binding[] {
  const { db, access, link, reporting } = deps

  const listProjectLinks = async (
    { id, name: project, isPictureShown }: store.ProjectRow,
    userId: number,
    now: number,
  ) => {
    const rows = await listLinks(db, access, { projectIds: [id] }, now)
    const linkIds = rows.map(({ linkId }) => linkId)
    const machineIds = rows.map(({ machineId }) => machineId)
    const [details, presence, lastRows, visible] = await Promise.all([
      listLinkDetails(db, linkIds),
      link.presence(machineIds),
      reporting.listLastRows(id),
      access.listVisible(userId, isPictureShown ? machineIds : [], now),
    ])
    return rows.flatMap((row) => {
      const detail = details.get(row.linkId)
      const isOnline = presence.get(row.machineId)?.online === true
      const lastRowAt = lastRows.get(row.linkId)
      const mayOpen = visible.has(row.machineId)
      return detail
        ? [views.presentLink(row, { project, ...detail, isOnline, lastRowAt, mayOpen }, userId)]
        : []
    })
  }

  /** A project with all that its page shows. Throws 404 unless the caller is in it, or invited. */
  const getProject = async (id: number, userId: number, now: number): Promise<contract.Project> => {
    const [row] = await store.listProjects(db, userId, { id }, now)
    if (!row) throw new Failure('404')
    if (!row.isAccepted) return views.presentProject(row, undefined)
    const [figures, secretKey, members, links] = await Promise.all([
      reporting.listFigures([id]),
      row.level === 3 ? revealKey(deps.secrets, db, id, new Date(now)) : '',
      listMembers(db, id),
      listProjectLinks(row, userId, now),
    ])
    const project = views.presentProject(row, figures.get(id), secretKey)
    return { ...project, users: members.map(views.presentMember), machines: links }
  }

  const machinesOf = async (id: number, userId: number, now: number) => {
    const project = await store.findProject(db, id, now)
    return project ? listProjectLinks(project, userId, now) : []
  }

  return [
    bind(contract.listProjects, async ({ id, eid, type }, { user, now }) => {
      if (id !== undefined) return [await getProject(id, user.userId, now)]
      const which = { space: spaceOfCall(user.userId, eid), type }
      const rows = await store.listProjects(db, user.userId, which, now)
      const figures = await reporting.listFigures(rows.map((row) => row.id))
      return rows.map((row) => views.presentProject(row, figures.get(row.id)))
    }),

    bind(contract.listProjectUsers, async ({ id }) => (await listMembers(db, id)).map(views.presentMember)),

    bind(contract.listProjectMachines, ({ id }, { user, now }) => machinesOf(id, user.userId, now)),

    bind(contract.createProject, async (input, context) => ({
      id: await service.createProject(deps, callerOf(context), input),
    })),

    bind(contract.getServer, async ({ id }, { user, host }) => {
      const own = deps.endpointOf(id ?? 0, host)
      if (id === undefined) {
        const { host: name, port, tlsPort } = own.mqtt
        const platform = { id: 1, name, host: name, port: tlsPort ?? port ?? 0 }
        return [platform, ...(await listServers(db))]
      }
      if ((await store.findLevel(db, user.userId, id)) === undefined) throw new Failure('404')
      const chosen = await findServerOf(db, id)
      // It takes connections by TLS.
      return chosen
        ? { ...own, mqtt: { ...own.mqtt, host: chosen.host, port: null, tlsPort: chosen.port } }
        : own
    }),

    bind(contract.removeProjectUser, async (input, context) => {
      await people.removeUser(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.addProjectUser, async (input, context) => ({
      userId: await people.inviteUser(deps, callerOf(context), input),
    })),

    bind(contract.answerProjectInvitation, async (input, context) => {
      await people.answerInvitation(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.transferProject, async (input, context) => {
      await people.transferProject(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.takeProjectOver, async (input, context) => {
      await people.takeProjectOver(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.deleteProject, async ({ id }, context) => {
      await service.deleteProject(deps, callerOf(context), id)
      return {}
    }),

    bind(contract.addProjectMachine, async (input, context) => ({
      report_count: await machines.addMachine(deps, callerOf(context), input),
    })),

    bind(contract.removeProjectMachine, async (input, context) => ({
      report_count: await machines.removeMachine(deps, callerOf(context), input),
    })),

    bind(contract.takeProjectMachineOver, async (input, context) => {
      await machines.takeMachine(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.updateProject, async (input, context) => {
      await service.updateProject(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.listProjectKeys, async ({ id }, { now }) =>
      (await listKeys(db, id, new Date(now))).map((key) => ({
        createdAt: key.createdAt.getTime(),
        endsAt: key.endsAt?.getTime() ?? null,
        lastUsedAt: key.lastUsedAt?.getTime() ?? null,
        lastUsedFrom: key.lastUsedFrom,
      })),
    ),

    bind(contract.resetProjectKey, async (input, context) => ({
      secret_key: await service.resetKey(deps, callerOf(context), input),
    })),

    bind(contract.setProjectConsent, async (input, context) => {
      await machines.setConsent(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.listMachineProjects, async ({ machineId }) =>
      (await listOfMachine(db, machineId)).map(views.presentProjectOfMachine),
    ),

    bind(contract.withdrawMachine, async (input, context) => {
      await machines.withdrawMachine(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.getProjectUsage, async ({ id }, { now }) => {
      const row = await store.findProject(db, id, now)
      if (!row) throw new Failure('403')
      const minutes = await listMinutes(db, id, new Date(now - dayMs))
      const perDay = minutes.reduce((sum, { rows }) => sum + rows, 0)
      const { from: monthFrom, to: monthTo } = monthOf(now)
      const rowsMax = rowsMaxOf(row.machines)
      const usage = { rows: row.rows, rowsMax, perDay, machines: row.machines, everyS: row.everyS }
      const told = minutes.map(({ at, rows }) => ({ at: at.getTime(), rows }))
      return { monthFrom, monthTo, rows: row.rows, rowsMax, perDay, ...forecast(usage, now), minutes: told }
    }),

    bind(contract.listEnterpriseProjects, async ({ eid, type, search }, { user, now }) => {
      const pattern = `%${escapeLike(search.trim().toLowerCase())}%`
      const rows = await store.listOfEnterprise(db, eid, user.userId, { type, pattern }, now)
      return rows.map(views.presentOfEnterprise)
    }),

    bind(contract.listEnterpriseProjectMachines, async ({ id }, { user, now }) => {
      await requireOfEnterprise(id, now)
      return machinesOf(id, user.userId, now)
    }),

    bind(contract.getEnterpriseProject, async ({ id }, { user, now }) => {
      await requireOfEnterprise(id, now)
      return getProject(id, user.userId, now)
    }),
  ]

  /** Throws 404 for a person's project. */
  async function requireOfEnterprise(id: number, now: number): Promise<void> {
    const project = await store.findProject(db, id, now)
    if (!project || project.enterpriseId === null) throw new Failure('404')
  }
}
