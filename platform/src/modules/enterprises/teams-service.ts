import { type enterprises as contract, type InputOf, limits } from '@busbar/contract'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { countMembersAmong } from './members-store.ts'
import { changeSpace, type SpaceChange, type SpaceDeps } from './space-change.ts'
import { countDevices } from './spaces-store.ts'
import * as store from './teams-store.ts'

/** Throws TEAM_NAME_TAKEN, TEAM_FOREIGN, TEAMS_FULL. */
export async function createTeam(
  deps: SpaceDeps,
  caller: Caller,
  input: InputOf<typeof contract.createTeam>,
): Promise<number> {
  return changeSpace(deps, caller, input.eid, 'admin', async (scope) => {
    const { trx, eid } = scope
    if ((await store.countTeams(trx, eid)) >= limits.teamsPerEnterprise) throw new Failure('TEAMS_FULL')
    await requireOwn(scope, input)
    const id = await store.createTeam(trx, { eid, name: input.name, kind: input.kind })
    if (id === undefined) throw new Failure('TEAM_NAME_TAKEN')
    await store.putTeamMembers(trx, { id, eid }, input.memberIds)
    await store.putTeamMachines(trx, { id, eid }, input.machineIds)
    const { name, kind: teamKind, memberIds: people } = input
    await scope.record({ kind: 'team.made', teamKind, people }, { words: { name } })
    return id
  })
}

/** Changes a team; fields that are left out stay as they are. Throws 404, TEAM_NAME_TAKEN, TEAM_FOREIGN. */
export async function updateTeam(
  deps: SpaceDeps,
  caller: Caller,
  input: InputOf<typeof contract.updateTeam>,
): Promise<void> {
  await changeSpace(deps, caller, input.eid, 'admin', async (scope) => {
    const { trx, eid } = scope
    const { id, name, memberIds, machineIds } = input
    const team = await store.findTeam(trx, eid, id)
    if (!team) throw new Failure('404')
    await requireOwn(scope, input)
    if (name !== undefined && name !== team.name) {
      if (await store.isTeamNameTaken(trx, eid, name, id)) throw new Failure('TEAM_NAME_TAKEN')
      await store.updateTeamName(trx, id, name)
    }
    const before = await store.listTeamMemberIds(trx, [id])
    if (memberIds) await store.putTeamMembers(trx, { id, eid }, memberIds)
    if (machineIds) await store.putTeamMachines(trx, { id, eid }, machineIds)
    const people = [...new Set([...before, ...(memberIds ?? [])])]
    await scope.record(
      { kind: 'team.changed', memberIds, machineIds, people },
      { words: { name: name ?? team.name } },
    )
  })
}

/** Throws 404. */
export async function removeTeam(deps: SpaceDeps, caller: Caller, eid: number, id: number): Promise<void> {
  await changeSpace(deps, caller, eid, 'admin', async (scope) => {
    const team = await store.findTeam(scope.trx, eid, id)
    if (!team) throw new Failure('404')
    const people = await store.listTeamMemberIds(scope.trx, [id])
    await store.removeTeam(scope.trx, id)
    await scope.record({ kind: 'team.removed', people }, { words: { name: team.name } })
  })
}

/** Only people and devices of this enterprise; the error does not show which one is foreign. */
async function requireOwn(
  { trx, eid }: SpaceChange,
  team: { memberIds?: readonly number[] | undefined; machineIds?: readonly number[] | undefined },
): Promise<void> {
  const [people, machines] = [new Set(team.memberIds), new Set(team.machineIds)]
  if (people.size > 0 && (await countMembersAmong(trx, eid, [...people])) !== people.size)
    throw new Failure('TEAM_FOREIGN')
  if (machines.size > 0 && (await countDevices(trx, eid, [...machines])) !== machines.size)
    throw new Failure('TEAM_FOREIGN')
}
