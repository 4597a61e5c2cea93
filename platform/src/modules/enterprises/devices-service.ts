import { type enterprises as contract, demoMachineCode, type InputOf, limits } from '@busbar/contract'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { changeOwner, checkMachinePassword, lockMachine, messagesAbout } from '../access/index.ts'
import * as store from './devices-store.ts'
import { findGroup } from './groups-store.ts'
import { endMaintenance } from './maintenance-store.ts'
import { changeSpace, type SpaceChange, type SpaceDeps } from './space-change.ts'
import * as teams from './teams-store.ts'

/**
 * Makes the enterprise owner of an unowned machine, by its password. Throws 04010102 unknown code, 04010112 its device
 * already, MACHINE_OWNED, 04010115 the list is full, 04010113 no such group, 505 wrong password, 04010114 too many
 * (rules/enterprises.md: enterprise machines).
 */
export async function addDevice(
  deps: SpaceDeps,
  caller: Caller,
  input: InputOf<typeof contract.addEnterpriseMachine>,
): Promise<number> {
  const machine = await store.findMachineByCode(deps.db, input.machineCode)
  if (!machine) throw new Failure('04010102')
  if (machine.owner_enterprise_id === input.eid) throw new Failure('04010112')
  const isOwned = machine.owner_user_id !== null || machine.owner_enterprise_id !== null
  if (isOwned || machine.code === demoMachineCode) throw new Failure('MACHINE_OWNED')
  // Outside of the transaction: it takes a while, and its counts of wrong passwords must survive a rollback.
  await checkMachinePassword(deps, machine, input.password, caller)
  return changeSpace(deps, caller, input.eid, 'manage', async (scope) => {
    const { trx } = scope
    await requirePlace(scope)
    await requireGroup(scope, input.groupId)
    const locked = await lockMachine(trx, machine.id)
    // Another person was faster, or its password was changed meanwhile.
    const isFree = locked && locked.owner_user_id === null && locked.owner_enterprise_id === null
    if (!isFree || locked.password_hash !== machine.password_hash) throw new Failure('MACHINE_OWNED')
    await own(deps, scope, machine, { name: input.name, groupId: input.groupId ?? null })
    return machine.id
  })
}

/**
 * Makes the enterprise owner of a machine that `register` registers in the same transaction. Throws 403, 04010115 the
 * list is full.
 */
export async function addRegisteredDevice<Machine extends { readonly id: number; readonly code: string }>(
  deps: SpaceDeps,
  caller: Caller,
  { eid, name }: { readonly eid: number; readonly name: string },
  register: (trx: SpaceChange['trx']) => Promise<Machine>,
): Promise<Machine> {
  return changeSpace(deps, caller, eid, 'manage', async (scope) => {
    await requirePlace(scope)
    const machine = await register(scope.trx)
    await own(deps, scope, machine, { name, groupId: null })
    return machine
  })
}

async function requirePlace({ trx, eid }: SpaceChange): Promise<void> {
  if ((await store.countDevicesOfKind(trx, eid, 'owned')) >= limits.machinesPerList)
    throw new Failure('04010115')
}

/** Gives an unowned machine to the enterprise: it has no holders and no applicants to notify. */
async function own(
  { facts }: SpaceDeps,
  { trx, eid, at, record }: SpaceChange,
  { id: machineId, code: machineCode }: { readonly id: number; readonly code: string },
  { name, groupId }: { readonly name: string; readonly groupId: number | null },
): Promise<void> {
  await changeOwner({ trx, facts }, machineId, { enterpriseId: eid, sharedName: name }, at)
  await store.putDevice(trx, { eid, machineId, kind: 'owned', name, groupId, at })
  await record({ kind: 'device.added', machineId, machineCode }, { words: { name } })
}

/** Changes the enterprise's notes of a device and its teams. Throws 403, 04010113, TEAM_FOREIGN. */
export async function updateDevice(
  deps: SpaceDeps,
  caller: Caller,
  input: InputOf<typeof contract.updateEnterpriseMachine>,
): Promise<void> {
  await changeSpace(deps, caller, input.eid, 'manage', async (scope) => {
    const { trx, eid } = scope
    const { id: machineId, name, remark, groupId, teamId } = input
    const device = await store.findDevice(trx, eid, machineId)
    if (!device) throw new Failure('403')
    await requireGroup(scope, groupId || undefined)
    await store.updateDevice(
      trx,
      { eid, machineId },
      {
        ...(name === undefined ? {} : { name }),
        ...(remark === undefined ? {} : { remark }),
        ...(groupId === undefined ? {} : { group_id: groupId || null }),
      },
    )
    const people = teamId === undefined ? [] : await moveToTeam(scope, machineId, teamId || undefined)
    const changed = { machineId, machineCode: device.code, groupId, teamId, people }
    await scope.record({ kind: 'device.changed', ...changed }, { words: { name, remark } })
  })
}

/** The remark of a person who maintains a device. */
export async function updateRemark(
  deps: SpaceDeps,
  caller: Caller,
  device: { eid: number; machineId: number; remark: string },
): Promise<void> {
  await changeSpace(deps, caller, device.eid, 'maintain', async (scope) => {
    await store.updateDevice(scope.trx, device, { remark: device.remark })
  })
}

/**
 * Gives a device up. An owned one becomes unowned, and every right to it ends: refused while others hold one. A
 * maintained one only leaves the list, with its windows. Throws 403, MACHINE_HELD.
 */
export async function removeDevice(
  deps: SpaceDeps,
  caller: Caller,
  eid: number,
  machineId: number,
): Promise<void> {
  await changeSpace(deps, caller, eid, 'admin', async (scope) => {
    const { trx, at } = scope
    const machine = await lockMachine(trx, machineId)
    const device = await store.findDevice(trx, eid, machineId)
    if (!machine || !device) throw new Failure('403')
    if (device.kind === 'owned') {
      if (await store.isHeld(trx, machineId, at)) throw new Failure('MACHINE_HELD')
      const ended = await changeOwner({ trx, facts: deps.facts }, machineId, undefined, at)
      await scope.writeMessages(messagesAbout({ machineId, machineCode: machine.code }, ended))
    } else await endMaintenance(trx, { machineId, eid }, at)
    await store.removeDevice(trx, eid, machineId)
    const removed = { machineId, machineCode: device.code, deviceKind: device.kind }
    await scope.record({ kind: 'device.removed', ...removed })
  })
}

async function requireGroup({ trx, eid }: SpaceChange, groupId: number | undefined): Promise<void> {
  if (groupId !== undefined && !(await findGroup(trx, eid, groupId))) throw new Failure('04010113')
}

/**
 * A device's team decides who holds its keys, so only administrators choose it. Answers the people of both teams, whose
 * rights it changes (rules/enterprises.md: teams and groups).
 */
async function moveToTeam(
  scope: SpaceChange,
  machineId: number,
  teamId: number | undefined,
): Promise<number[]> {
  const { trx, eid, actor } = scope
  if (actor.role === 'member') throw new Failure('403')
  if (teamId !== undefined && !(await teams.findTeam(trx, eid, teamId))) throw new Failure('TEAM_FOREIGN')
  const before = await teams.listTeamIdsOfMachine(trx, eid, machineId)
  await teams.putMachineTeam(trx, { eid, machineId }, teamId)
  return teams.listTeamMemberIds(trx, [...before, ...(teamId === undefined ? [] : [teamId])])
}
