import type { Facts } from '../../../kernel/facts/facts.ts'
import type { OwnerName } from '../../../kernel/facts/machine-facts.ts'
import { ownerReason, recordRightChange } from '../../../kernel/rights/right-changes.ts'
import { updateOwner } from '../../machine-register/index.ts'
import { endApplications } from '../applications/application-ends.ts'
import type { ApplicationMessages } from '../applications/application-messages.ts'
import type { Trx } from '../grants-store.ts'
import * as store from './ownership-store.ts'

/** The transaction of a change of owner, and where it is recorded. */
export interface OwnerChangeScope {
  readonly trx: Trx
  readonly facts: Pick<Facts, 'record'>
}

/**
 * The receiver of a machine; undefined: the machine becomes unowned. An enterprise gets it among its devices, under
 * `deviceName`. The name that an owner gives an unowned machine becomes its `sharedName`.
 */
export type NextOwner =
  | { readonly userId: number; readonly sharedName?: string }
  | { readonly enterpriseId: number; readonly sharedName?: string; readonly deviceName?: string }
  | undefined

/**
 * Gives a machine to an owner, or to nobody: the only writer of its owner. All grants and settings of the former owner
 * end, and the next owner sees nothing from before: every module with data about a machine begins it anew when it
 * follows `machine.ownerChanged` in this transaction, or reads it with `isSinceOwned`. A machine's first owner also
 * sees the data that it sent while it was set up.
 *
 * Call it under the machine's row lock, in the transaction that checked the change, and send the answer by `writeMessages`
 * (rules/machines.md: next owner).
 */
export async function changeOwner(
  { trx, facts }: OwnerChangeScope,
  machineId: number,
  owner: NextOwner,
  at: Date,
): Promise<ApplicationMessages> {
  const before = await store.findOwner(trx, machineId)
  const from = ownerOf(before)
  const isFirst = from === null && before.owned_since === null
  // Before the keys change: the present ones get the messages.
  const toWrite = await endApplications(trx, { machineId }, at)
  const holders = await store.removeGrants(trx, machineId, at)
  await store.endFormerRights(trx, machineId, at)
  // Never equal to the instant of the last change: processes that hold the machine recognise its owner by it.
  const since = new Date(Math.max(at.getTime(), (before.owned_since?.getTime() ?? 0) + 1))
  await updateOwner(trx, machineId, owner, isFirst ? undefined : since)
  const { to, name } = nextOf(owner)
  const changed = { kind: 'machine.ownerChanged', machineId, at: at.getTime(), from, isFirst, to } as const
  await facts.record(trx, changed, { words: { name } })
  if (!isFirst) await recordRightChange(trx, { machineId, reason: ownerReason })
  const nextId = owner && 'userId' in owner ? owner.userId : undefined
  for (const { userId, role } of holders) {
    if (userId !== nextId) toWrite.messages.push({ userId, kind: 'rightTaken', params: { right: role } })
  }
  return toWrite
}

function ownerOf(machine: {
  owner_user_id: number | null
  owner_enterprise_id: number | null
}): OwnerName | null {
  if (machine.owner_user_id !== null) return { userId: machine.owner_user_id }
  return machine.owner_enterprise_id === null ? null : { enterpriseId: machine.owner_enterprise_id }
}

function nextOf(owner: NextOwner): { to: OwnerName | null; name?: string | undefined } {
  if (!owner) return { to: null }
  if ('userId' in owner) return { to: { userId: owner.userId } }
  const { enterpriseId, deviceName: name } = owner
  return { to: { enterpriseId }, name }
}
