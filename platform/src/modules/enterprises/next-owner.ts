import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { DuringFollower } from '../../kernel/facts/follower.ts'
import { createMaintainerChanges } from '../access/index.ts'
import { nameKeyOf, numberUntilFree } from '../machine-lists/index.ts'
import { putDevice } from './devices-store.ts'
import type { Db, Trx } from './spaces-store.ts'

type OwnerChanged = Fact<'machine.ownerChanged'>

/**
 * At a change of owner removes the machine from enterprises' devices, and adds it to those of an enterprise that gets
 * it.
 */
export const ownerFollower: DuringFollower<'machine.ownerChanged'> = {
  mode: 'during',
  name: 'enterprises.ownerChanged',
  kinds: ['machine.ownerChanged'],
  async follow(trx, facts, { words }) {
    for (const fact of facts) {
      await removeDevices(trx, fact)
      await putGiven(trx, fact, words?.name)
    }
  },
}

/** Ends the windows of the machine and takes it from all devices, with its places in teams and groups. */
async function removeDevices(trx: Trx, { machineId, at }: OwnerChanged): Promise<void> {
  await trx
    .updateTable('maintenance_windows')
    .set({ state: 'ended', answered_at: new Date(at) })
    .where('machine_id', '=', machineId)
    .where('state', 'in', ['waiting', 'accepted', 'suspended'])
    .execute()
  const devices = await trx
    .deleteFrom('enterprise_machines')
    .where('machine_id', '=', machineId)
    .returning(['enterprise_id', 'kind'])
    .execute()
  const maintained = devices.filter(({ kind }) => kind === 'maintained')
  await createMaintainerChanges(
    trx,
    maintained.map((device) => device.enterprise_id),
  )
}

async function putGiven(
  trx: Trx,
  { machineId, at, to }: OwnerChanged,
  deviceName: string | undefined,
): Promise<void> {
  if (!to || 'userId' in to || deviceName === undefined) return
  const eid = to.enterpriseId
  const name = await findFreeDeviceName(trx, eid, deviceName)
  await putDevice(trx, { eid, machineId, kind: 'owned', name, groupId: null, at: new Date(at) })
}

/** A machine's name as an enterprise's devices have room for it: "Press", else "Press (2)". */
async function findFreeDeviceName(db: Db, eid: number, name: string): Promise<string> {
  const rows = await db
    .selectFrom('enterprise_machines')
    .select('name')
    .where('enterprise_id', '=', eid)
    .execute()
  return numberUntilFree(name, new Set(rows.map((row) => nameKeyOf(row.name))))
}
