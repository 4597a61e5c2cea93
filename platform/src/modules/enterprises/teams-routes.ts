import { enterprises as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import { presentTeam, presentTeamPerson } from './enterprises-views.ts'
import { listTeamPeople } from './members-store.ts'
import type { SpaceDeps } from './space-change.ts'
import * as service from './teams-service.ts'
import { listTeams } from './teams-store.ts'

/** Management and maintenance teams. */
export function teamsRoutes(deps: SpaceDeps): Binding[] {
  const { db } = deps
  return [
    bind(contract.listManagementMembers, async ({ eid, teamId }) =>
      (await listTeamPeople(db, eid, { kind: 'manage', teamId })).map(presentTeamPerson),
    ),

    bind(contract.listMaintenanceMembers, async ({ eid }) =>
      (await listTeamPeople(db, eid, { kind: 'maintain' })).map(presentTeamPerson),
    ),

    bind(contract.listTeams, async ({ eid }) => (await listTeams(db, eid)).map(presentTeam)),

    bind(contract.createTeam, async (input, context) => ({
      id: await service.createTeam(deps, callerOf(context), input),
    })),

    bind(contract.updateTeam, async (input, context) => {
      await service.updateTeam(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.removeTeam, async ({ eid, id }, context) => {
      await service.removeTeam(deps, callerOf(context), eid, id)
      return {}
    }),
  ]
}
