import { enterprises as contract } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { RightsDeps } from '../access/index.ts'
import { findMembership } from '../spaces/index.ts'
import { requireUploads } from '../uploads/index.ts'
import { auditRoutes } from './audit-routes.ts'
import { type DevicesDeps, devicesRoutes } from './devices-routes.ts'
import { presentSpace } from './enterprises-views.ts'
import { maintenanceRoutes } from './maintenance-routes.ts'
import { membersRoutes } from './members-routes.ts'
import type { InviteDeps } from './members-service.ts'
import { changeSpace } from './space-change.ts'
import { isAdmin, rightsOf } from './space-rules.ts'
import { createSpace } from './spaces-service.ts'
import * as store from './spaces-store.ts'
import { teamsRoutes } from './teams-routes.ts'
import { listTeamsOf } from './teams-store.ts'

/** The parts that the enterprises' routes use. */
export interface EnterprisesDeps extends DevicesDeps, RightsDeps, InviteDeps {
  /** Whether only operators make enterprises here. */
  readonly isMadeByOperators: boolean
  isOperator(userId: number): Promise<boolean>
}

/** The routes of enterprises: the space itself here, its parts in separate files. */
export function enterprisesRoutes(deps: EnterprisesDeps): Binding[] {
  const { db } = deps

  return [
    bind(contract.listUserEnterprises, async (_, { user }) => {
      const rows = await store.listSpaces(db, user.userId)
      return rows.map((row) => ({
        eid: row.id,
        name: row.name,
        enableProject: row.enable_project,
        role: row.role as contract.EnterpriseRole,
      }))
    }),

    bind(contract.getEnterprise, async ({ eid }) => presentSpace(await store.getSpace(db, eid))),

    bind(contract.getEnterprisePermission, async ({ eid }, { user }) => {
      const membership = await findMembership(db, eid, user.userId)
      // Removed since the right was checked.
      if (!membership) throw new Failure('403')
      const teams = await listTeamsOf(db, eid, user.userId)
      return {
        isAdmin: isAdmin(membership),
        role: membership.role,
        rights: rightsOf(membership),
        teams: teams.map((team) => ({ ...team, kind: team.kind as contract.TeamKind })),
      }
    }),

    bind(contract.createEnterprise, async ({ name }, context) => {
      const mayMake = !deps.isMadeByOperators || (await deps.isOperator(context.user.userId))
      if (!mayMake) throw new Failure('ENTERPRISES_BY_OPERATORS')
      return { eid: await withTransaction(db, (trx) => createSpace(deps, trx, callerOf(context), name)) }
    }),

    bind(contract.updateEnterprise, async ({ eid, ...change }, context) => {
      const { name, platformName, applyLogoUrl, awayRules } = change
      await changeSpace(deps, callerOf(context), eid, 'admin', async (scope) => {
        if (applyLogoUrl) await requireUploads(scope.trx, 'logo', [applyLogoUrl])
        await store.updateSpace(scope.trx, eid, change)
        await scope.record(
          { kind: 'enterprise.changed', applyLogoUrl, awayRules },
          { words: { name, platformName } },
        )
      })
      return {}
    }),

    bind(contract.updateEnterpriseTimeZone, async ({ eid, timeZone }, context) => {
      await changeSpace(deps, callerOf(context), eid, 'manage', async (scope) => {
        await store.updateSpaceTimeZone(scope.trx, eid, timeZone)
        await scope.record({ kind: 'enterprise.changed', timeZone })
      })
      return {}
    }),

    ...membersRoutes(deps),
    ...teamsRoutes(deps),
    ...devicesRoutes(deps),
    ...maintenanceRoutes(deps),
    ...auditRoutes(deps),
  ]
}
