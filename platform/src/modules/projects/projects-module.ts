import type { access } from '@busbar/contract'
import { isHttps } from '../../config.ts'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { recordRightChanges } from '../../kernel/rights/right-changes.ts'
import type { AccessPort } from '../access/index.ts'
import { type BrandsModule, consoleOrigin, linkSource } from '../brands/index.ts'
import type { ListProjects } from '../machine-lists/index.ts'
import type { MessagesModule } from '../messages/index.ts'
import { addressesOf } from '../onboarding/index.ts'
import { endpointOf } from './endpoint.ts'
import { memberFollower, ownerFollower } from './follow-facts.ts'
import { removeEndedKeys } from './keys-store.ts'
import { type Links, LinkWatch } from './link-watch.ts'
import { listOfMachine } from './links-store.ts'
import { operatorRoutes } from './operator-routes.ts'
import { createProjectKeys, type ProjectKeys } from './project-keys.ts'
import { projectsRoutes } from './projects-routes.ts'
import { findLevel, listOldest } from './projects-store.ts'
import { presentReach } from './projects-views.ts'
import { createQuota, type Quota, removeOldMinutes } from './quota.ts'
import type { ReportingSource } from './reporting-figures.ts'

interface Deps {
  readonly access: AccessPort
  readonly brands: BrandsModule
  readonly link: EdgeLink
  readonly messages: MessagesModule
  /** How reporting goes, from the modules that send rows. */
  readonly reporting: ReportingSource
}

export interface ProjectsModule extends Module {
  readonly links: Links
  readonly keys: ProjectKeys
  readonly quota: Quota
  /** The projects that a machine's values reach, as its keys see them. */
  listReach(machineId: number): Promise<access.Reach[]>
  readonly listOldest: ListProjects
  readonly guards: {
    hasProjectRight(userId: number, projectId: number, right: 'member' | 'owner'): Promise<boolean>
  }
}

const dayMs = 86_400_000

/** Projects: their people, machines, keys and quotas (rules/projects.md). */
export function createProjectsModule(kernel: Kernel, deps: Deps): ProjectsModule {
  const { db, pools, bus, rights, facts, logger, secrets, limits, config, ports, now } = kernel
  const { access: port, link, reporting } = deps
  const { publicUrl } = linkSource(kernel, deps.brands.directory)
  const keepsEnds = config.ROLES.includes('jobs')
  const watch = new LinkWatch({ db, watch: pools.watch, access: port, rights, facts, logger, keepsEnds, now })
  const originOf = (host: string) =>
    consoleOrigin({ brands: deps.brands.directory, publicUrl, https: isHttps(config) }, host)
  return {
    name: 'projects',
    roles: ['api', 'edge', 'visits', 'jobs'],
    links: watch,
    keys: createProjectKeys({ db, secrets, limits, facts, now }),
    quota: createQuota({ facts, now }),
    guards: {
      async hasProjectRight(userId, projectId, right) {
        const level = await findLevel(db, userId, projectId)
        return right === 'owner' ? level === 3 : level !== undefined
      },
    },
    follows: [ownerFollower, memberFollower],
    routes: [
      ...projectsRoutes({
        ...{ db, bus, facts, secrets, access: port, link, reporting, mailbox: deps.messages.mailbox },
        endpointOf(projectId, host) {
          const origin = originOf(host)
          return endpointOf(projectId, origin, addressesOf(origin, config, ports))
        },
      }),
      ...operatorRoutes({ db, reporting }),
    ],
    listReach: async (machineId) => (await listOfMachine(db, machineId)).flatMap(presentReach),
    listOldest,
    projectOf: { project: async (id) => id },
    jobs: [
      {
        name: 'projects.endKeys',
        everyS: 30,
        run: () =>
          db.transaction().execute(async (trx) => {
            const projectIds = await removeEndedKeys(trx, new Date(now()))
            await recordRightChanges(
              trx,
              projectIds.map((projectId) => ({ projectId, reason: 'project' })),
            )
          }),
      },
      {
        name: 'projects.removeOldMinutes',
        everyS: 3_600,
        run: () => removeOldMinutes(db, new Date(now() - 2 * dayMs)),
      },
    ],
    start: () => watch.start(),
    stop: () => watch.stop(),
  }
}
