import { putIntoList } from '../machine-lists/index.ts'
import { listNames } from '../machine-names/index.ts'
import type { ApplicationMessages } from './applications/application-messages.ts'
import type { Trx } from './grants-store.ts'
import { changeOwner, type OwnerChangeScope } from './ownership/ownership.ts'
import * as store from './ownership/transfers-store.ts'

/** The terms of giving a machine: when, and the limit of the receiver's machines; undefined: no limit. */
export interface Giving {
  readonly at: Date
  readonly max: number | undefined
}

/**
 * Makes a person a machine's Akey, with the machine in their list. Undefined when that list is full: the caller must
 * roll back.
 */
export async function giveToPerson(
  scope: OwnerChangeScope,
  machineId: number,
  userId: number,
  { at, max }: Giving,
): Promise<ApplicationMessages | undefined> {
  const toWrite = await changeOwner(scope, machineId, { userId }, at)
  const entry = { userId, machineId, entriesMax: max ?? Number.POSITIVE_INFINITY }
  return (await putIntoList(scope.trx, entry)) ? toWrite : undefined
}

/**
 * Makes a machine the device of an enterprise, in no group, under `name`, numbered where that is taken. Undefined when
 * it has as many as it may.
 */
export async function giveToSpace(
  scope: OwnerChangeScope,
  machineId: number,
  { eid, name }: { readonly eid: number; readonly name: string },
  { at, max }: Giving,
): Promise<ApplicationMessages | undefined> {
  if (max !== undefined && (await store.countOwnedBySpace(scope.trx, eid)) >= max) return undefined
  return changeOwner(scope, machineId, { enterpriseId: eid, deviceName: name }, at)
}

/** A machine's name as its giver reads it. */
export async function givenName(trx: Trx, userId: number, machineId: number): Promise<string> {
  return (await listNames(trx, userId, [machineId])).get(machineId) ?? ''
}
