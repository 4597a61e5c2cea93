import { enterprises as contract, type InputOf, limits } from '@busbar/contract'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { changeRights, listKeys, listMaintainers, lockMachine, type RightsDeps } from '../access/index.ts'
import { ownersName } from '../machine-names/index.ts'
import { findMachineByCode, putDevice } from './devices-store.ts'
import * as store from './maintenance-store.ts'
import { changeSpace, type SpaceDeps } from './space-change.ts'
import { getSpace } from './spaces-store.ts'

const dayMs = 86_400_000

/**
 * Asks a machine's Akey for a maintenance window. Throws 04010102 unknown code, WINDOW_INVALID, MAINTENANCE_UNOWNED,
 * MAINTENANCE_OWN, MAINTENANCE_FULL (rules/enterprises.md: maintenance windows).
 */
export async function requestMaintenance(
  deps: SpaceDeps,
  caller: Caller,
  input: InputOf<typeof contract.requestMaintenance>,
): Promise<number> {
  const { start, stop } = input
  const isFit = stop > start && stop > caller.now && stop - start <= limits.maintenanceDaysMax * dayMs
  if (!isFit) throw new Failure('WINDOW_INVALID')
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
      stop: new Date(stop),
      scopes: [...new Set(input.scopes)],
      reason: input.reason,
      at,
    })
    const keys = await listKeys(trx, found.id, caller.now)
    const { name: enterprise } = await getSpace(trx, eid)
    const asked = keys.filter(({ key }) => key === 'A').map(({ userId }) => userId)
    const about = { machineId: found.id, machineCode: machine.code, windowId: id, asked }
    const window = { from: start, until: stop, scopes: input.scopes }
    const { reason } = input
    await scope.record({ kind: 'maintenance.asked', ...about, ...window }, { words: { reason, enterprise } })
    return id
  })
}

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
    const isOver = window.stop_at.getTime() <= caller.now
    if (!step.from.includes(window.state) || (isOver && action === 'accept'))
      throw new Failure('MAINTENANCE_STATE')
    const eid = window.enterprise_id
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
      until: window.stop_at.getTime(),
      maintainers: await listMaintainers(trx, [eid]),
    })
    return step.to
  })
}
