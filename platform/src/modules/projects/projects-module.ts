import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { recordRightChanges } from '../../kernel/rights/right-changes.ts'
import type { AccessPort } from '../access/index.ts'
import { memberFollower, ownerFollower } from './follow-facts.ts'
import { removeEndedKeys } from './keys-store.ts'
import { type Links, LinkWatch } from './link-watch.ts'
import { createProjectKeys, type ProjectKeys } from './project-keys.ts'
import { findLevel } from './projects-store.ts'
import { createQuota, type Quota, removeOldMinutes } from './quota.ts'

interface Deps {
  readonly access: AccessPort
}

export interface ProjectsModule extends Module {
  readonly links: Links
  readonly keys: ProjectKeys
  readonly quota: Quota
  readonly guards: {
    hasProjectRight(userId: number, projectId: number, right: 'member' | 'owner'): Promise<boolean>
  }
}

const dayMs = 86_400_000

/** Projects: their people, machines, keys and quotas (rules/projects.md). */
export function createProjectsModule(kernel: Kernel, { access }: Deps): ProjectsModule {
  const { db, pools, rights, facts, logger, secrets, limits, config, now } = kernel
  const keepsEnds = config.ROLES.includes('jobs')
  const watch = new LinkWatch({ db, watch: pools.watch, access, rights, facts, logger, keepsEnds, now })
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
