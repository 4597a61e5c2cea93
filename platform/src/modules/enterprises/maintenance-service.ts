import { enterprises as contract, type InputOf, limits } from '@busbar/contract'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import {
  changeRights,
  listCrew,
  listKeys,
  listMaintainers,
  lockMachine,
  type RightsDeps,
} from '../access/index.ts'
import { ownersName } from '../machine-names/index.ts'
import { findMachineByCode, putDevice } from './devices-store.ts'
import * as store from './maintenance-store.ts'
import { changeSpace, type SpaceDeps } from './space-change.ts'
import { getSpace, type Trx } from './spaces-store.ts'

const dayMs = 86_400_000

/**
 * Asks a machine's Akey for a maintenance window, or for a service contract. Throws 04010102 unknown code,
 * WINDOW_INVALID, CONTRACT_SCOPES, MAINTENANCE_UNOWNED, MAINTENANCE_OWN, MAINTENANCE_FULL (rules/enterprises.md:
 * maintenance windows).
 */
export async function requestMaintenance(
  deps: SpaceDeps,
  caller: Caller,
  input: InputOf<typeof contract.requestMaintenance>,
): Promise<number> {
  const { start, stop } = input
  const isEndless = stop === contract.noEnd
  const isFit = stop > start && stop > caller.now && stop - start <= limits.maintenanceDaysMax * dayMs
  if (!isEndless && !isFit) throw new Failure('WINDOW_INVALID')
  if (isEndless && input.scopes.some((scope) => !contract.contractScopes.includes(scope)))
    throw new Failure('CONTRACT_SCOPES')
  return changeSpace(deps, caller, input.eid, 'maintain', async (scope) => {
    const { trx, eid, at } = scope
    const found = await findMachineByCode(trx, input.machineCode)
    // Under its lock, so that a request to one owner does not reach the next.
    const machine = found && (await lockMachine(trx, found.id))
    if (!found || !machine) throw new Failure('04010102')
    if (machine.owner_enterprise_id === eid) throw new Failure('MAINTENANCE_OWN')
    if (machine.owner_user_id === null && machine.owner_enterprise_id === null)
      throw new Failure('MAINTENANCE_UNOWNED')
    if ((await store.countWaiting(trx, eid)) >= limits.maintenanceWaitingMax)
      throw new Failure('MAINTENANCE_FULL')
    const id = await store.createWindow(trx, {
      eid,
      machineId: found.id,
      requestedBy: caller.userId,
      start: new Date(start),
      stop: isEndless ? null : new Date(stop),
      scopes: [...new Set(input.scopes)],
      reason: input.reason,
      at,
    })
    const { name: enterprise } = await getSpace(trx, eid)
    const asked = await listAkeys(trx, found.id, caller.now)
    const about = { machineId: found.id, machineCode: machine.code, windowId: id, asked }
    const window = { from: start, until: stop, scopes: input.scopes }
    const { reason } = input
    await scope.record({ kind: 'maintenance.asked', ...about, ...window }, { words: { reason, enterprise } })
    return id
  })
}

const listAkeys = async (trx: Trx, machineId: number, now: number): Promise<number[]> =>
  (await listKeys(trx, machineId, now)).filter(({ key }) => key === 'A').map(({ userId }) => userId)

/**
 * The Akey's answer to a window: consent, refusal, suspension, resumption, end. Of two simultaneous answers one counts.
 * Throws 403, MAINTENANCE_STATE when the window does not wait for this answer (any more).
 */
export async function answerMaintenance(
  deps: RightsDeps,
  caller: Caller,
  id: number,
  action: contract.MaintenanceAction,
): Promise<contract.MaintenanceState> {
  const at = new Date(caller.now)
  const step = contract.maintenanceSteps[action]
  const machineId = await store.findMachineIdByWindow(deps.db, id)
  if (machineId === undefined) throw new Failure('403')
  return changeRights(deps, { ...caller, right: 'akey' }, machineId, async ({ trx, record }) => {
    const window = await store.findWindow(trx, id)
    if (!window) throw new Failure('403')
    const isOver = window.stop_at !== null && window.stop_at.getTime() <= caller.now
    if (!step.from.includes(window.state) || (isOver && action === 'accept'))
      throw new Failure('MAINTENANCE_STATE')
    const eid = window.enterprise_id
    // The device leaves its teams with the last window.
    const crew = await listCrew(trx, eid, machineId)
    await store.updateWindow(trx, id, { state: step.to, answeredBy: caller.userId, at })
    if (action === 'accept')
      await putDevice(trx, {
        eid,
        machineId,
        kind: 'maintained',
        name: await ownersName(trx, machineId),
        groupId: null,
        at,
      })
    else if (!(await store.hasWindow(trx, eid, machineId))) await store.removeMaintained(trx, eid, machineId)
    await record({
      kind: 'maintenance.answered',
      enterpriseId: eid,
      windowId: id,
      action,
      state: step.to,
      to: window.requested_by,
      from: window.start_at.getTime(),
      until: window.stop_at?.getTime() ?? contract.noEnd,
      began: action === 'accept' && window.start_at <= at,
      maintainers: await listMaintainers(trx, [eid]),
      crew,
    })
    return step.to
  })
}

/**
 * The enterprise withdraws its request, or ends its window or contract; the machine's Akeys learn of an end. Throws 403
 * foreign or unknown, MAINTENANCE_STATE when it is over already.
 */
export async function endMaintenance(
  deps: SpaceDeps,
  caller: Caller,
  { eid, id }: InputOf<typeof contract.endMaintenance>,
): Promise<contract.MaintenanceState> {
  const machineId = await store.findMachineIdByWindow(deps.db, id)
  if (machineId === undefined) throw new Failure('403')
  return changeSpace(deps, caller, eid, 'maintain', async ({ trx, at, record }) => {
    // The lock keeps the Akey's answer apart, and shows the state after it.
    const machine = await lockMachine(trx, machineId)
    const window = await store.findWindow(trx, id)
    if (!machine || window?.enterprise_id !== eid) throw new Failure('403')
    if (!contract.endableStates.includes(window.state)) throw new Failure('MAINTENANCE_STATE')
    const crew = window.state === 'waiting' ? [] : await listCrew(trx, eid, machineId)
    await store.updateWindow(trx, id, { state: 'ended', answeredBy: caller.userId, at })
    if (!(await store.hasWindow(trx, eid, machineId))) await store.removeMaintained(trx, eid, machineId)
    const { name: enterprise } = await getSpace(trx, eid)
    const fact = {
      kind: 'maintenance.withdrawn' as const,
      ...{ machineId, machineCode: machine.code, windowId: id },
      told: window.state === 'waiting' ? [] : await listAkeys(trx, machineId, caller.now),
      from: window.start_at.getTime(),
      until: window.stop_at?.getTime() ?? contract.noEnd,
      maintainers: await listMaintainers(trx, [eid]),
      crew,
    }
    await record(fact, { words: { enterprise } })
    return 'ended' as const
  })
}
