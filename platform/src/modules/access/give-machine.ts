import { listNames } from '../machine-names/index.ts'
import type { ApplicationMail } from './applications/application-mail.ts'
import { createListEntry, type Trx } from './grants-store.ts'
import { findFreeDeviceName } from './list-names.ts'
import { changeOwner } from './ownership/ownership.ts'
import * as store from './ownership/transfers-store.ts'

/** How a machine is given: when, and the most machines the receiver may have; undefined: as many as they are given. */
export interface Giving {
  readonly at: Date
  readonly max: number | undefined
}

/** Makes somebody a machine's Akey, with the machine in their list. Undefined when that is full: undo the rest then. */
export async function giveToPerson(
  trx: Trx,
  machineId: number,
  userId: number,
  { at, max }: Giving,
): Promise<ApplicationMail | undefined> {
  const mail = await changeOwner(trx, machineId, { userId }, at)
  const entry = { userId, machineId, entriesMax: max ?? Number.POSITIVE_INFINITY }
  return (await createListEntry(trx, entry)) ? mail : undefined
}

/**
 * Makes a machine the device of an enterprise, in no group, under `name`, numbered where that is taken. Undefined when
 * it has as many as it may.
 */
export async function giveToSpace(
  trx: Trx,
  machineId: number,
  { eid, name: given }: { readonly eid: number; readonly name: string },
  { at, max }: Giving,
): Promise<ApplicationMail | undefined> {
  if (max !== undefined && (await store.countOwnedBySpace(trx, eid)) >= max) return undefined
  const mail = await changeOwner(trx, machineId, { enterpriseId: eid }, at)
  const name = await findFreeDeviceName(trx, eid, given)
  await store.createOwnedDevice(trx, { eid, machineId, name, at })
  return mail
}

/** A machine's name as its giver reads it. */
export async function givenName(trx: Trx, userId: number, machineId: number): Promise<string> {
  return (await listNames(trx, userId, [machineId])).get(machineId) ?? ''
}
