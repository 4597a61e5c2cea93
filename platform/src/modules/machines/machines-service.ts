import { randomBytes, randomInt } from 'node:crypto'
import { type machines as contract, demoMachineCode, type InputOf, limits } from '@busbar/contract'
import type { Bus } from '../../kernel/bus/bus.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import {
  type AccessPort,
  changeOwner,
  checkMachinePassword,
  lockMachine,
  type OwnerChangeScope,
} from '../access/index.ts'
import { createToken, hashPassword, hashToken } from '../accounts/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { createListEntry, refuseSameName, requireFreeName } from '../machine-lists/index.ts'
import { createMachines } from '../machine-register/index.ts'
import * as store from './machines-store.ts'

/** Ambiguous characters are left out: people read these from a label. */
const passwordAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz'

/** A machine code: 19 digits, the first never zero. */
export function createCode(): string {
  const digits = Array.from({ length: limits.machineCodeDigits - 1 }, () => randomInt(10))
  return String(randomInt(1, 10)) + digits.join('')
}

/** A machine password for a label: 12 characters, 69 bits (rules/machines.md: machine password). */
export function createMachinePassword(): string {
  return Array.from(randomBytes(12), (byte) => passwordAlphabet[byte % passwordAlphabet.length]).join('')
}

/**
 * Registers a machine. Without a password given one is made; both password and secret are answered once and
 * kept as hashes only. Undefined when the code is known already.
 */
export async function registerMachine(
  db: store.Db,
  machine: { code: string; type: string; model: string; name: string; password?: string },
): Promise<{ machineId: number; password: string; secret: string } | undefined> {
  const password = machine.password ?? createMachinePassword()
  const secret = createToken()
  const passwordHash = await hashPassword(password, 'known')
  const made = await createMachines(db, [{ ...machine, secretHash: hashToken(secret), passwordHash }])
  const machineId = made.get(machine.code)
  return machineId === undefined ? undefined : { machineId, password, secret }
}

interface AddDeps {
  readonly bus: Bus
  readonly access: AccessPort
  readonly facts: Pick<Facts, 'record'>
}

/**
 * Adds a machine to the caller's list: with its password the caller becomes Akey of an unowned machine, of an
 * owned one an ordinary user.
 * Throws 04010102 unknown code, 04010112 already there, 04010115 the list is full, 505 wrong password, 04010114 too many
 * wrong ones, 04010113 no such group, 04010412 another machine of the list has this name.
 */
export async function addMachine(
  db: store.Db,
  { bus, access, facts }: AddDeps,
  input: InputOf<typeof contract.addMachine>,
  actor: Actor,
): Promise<{ machineId: number; level: number }> {
  const caller = { userId: actor.user.userId, now: actor.now }
  const machine = await store.findMachineByCode(db, input.machineCode)
  if (!machine) throw new Failure('04010102')
  if (await store.hasListEntry(db, caller.userId, machine.id)) throw new Failure('04010112')
  const entry = { userId: caller.userId, machineId: machine.id, name: input.machineName }
  await requirePlace(db, caller.userId)
  // Checked before the password, because a try of the password is counted.
  await requireFreeName(db, entry)
  if (
    input.machineGroupID !== undefined &&
    !(await store.hasGroup(db, caller.userId, input.machineGroupID))
  ) {
    throw new Failure('04010113')
  }
  const takesOwnership = canBind(machine)
  if (takesOwnership) await checkMachinePassword({ db, bus }, machine, input.machinePwd, caller)

  await withTransaction(db, async (trx) => {
    const isOwner =
      takesOwnership && (await takeUnowned({ trx, facts }, machine, { ...caller, name: entry.name }))
    await lockPerson(trx, caller.userId)
    await requirePlace(trx, caller.userId)
    await enlist(trx, entry, actor, { code: machine.code, isOwner })
    if (input.machineGroupID !== undefined) {
      await store.createEntryGroup(trx, { ...entry, groupId: input.machineGroupID })
    }
  })
  const now = await access.list(caller.userId, [machine.id], caller.now)
  return { machineId: machine.id, level: now.get(machine.id)?.level ?? 0 }
}

/**
 * Makes the caller Akey of a machine that was registered in this transaction, with the caller's row locked.
 * Throws 04010115 the list is full, 04010412 another machine of the list has this name.
 */
export async function addRegistered(
  scope: OwnerChangeScope,
  { id: machineId, code, name }: { readonly id: number; readonly code: string; readonly name: string },
  actor: Actor,
): Promise<void> {
  const { userId } = actor.user
  await requirePlace(scope.trx, userId)
  await changeOwner(scope, machineId, { userId, sharedName: name }, new Date(actor.now))
  await enlist(scope.trx, { userId, machineId, name }, actor, { code, isOwner: true })
}

async function enlist(
  trx: store.Trx,
  entry: { readonly userId: number; readonly machineId: number; readonly name: string },
  actor: Actor,
  { code, isOwner }: { readonly code: string; readonly isOwner: boolean },
): Promise<void> {
  const { userId, machineId } = entry
  await requireFreeName(trx, entry)
  if (!(await refuseSameName(createListEntry(trx, entry)))) throw new Failure('04010112')
  await recordRightChange(trx, { userId, machineId, reason: 'added' })
  await auditAct(trx, actor, { action: 'machine.add', target: code, detail: { machineId, isOwner } })
}

async function requirePlace(db: store.Db, userId: number): Promise<void> {
  if ((await store.countListEntries(db, userId)) >= limits.machinesPerList) throw new Failure('04010115')
}

/**
 * Makes the caller Akey of an unowned machine, which everybody sees under the name they gave it
 * (rules/machines.md: one name for each reader). False when another caller was faster and owns it now. Throws
 * 505 when its password was changed since it was checked.
 */
async function takeUnowned(
  scope: OwnerChangeScope,
  machine: { id: number; password_hash: string | null },
  caller: { userId: number; now: number; name: string },
): Promise<boolean> {
  const locked = await lockMachine(scope.trx, machine.id)
  if (!locked || !isUnowned(locked)) return false
  if (locked.password_hash !== machine.password_hash) throw new Failure('505')
  // An unowned machine has no holders and no applicants to notify.
  await changeOwner(
    scope,
    machine.id,
    { userId: caller.userId, sharedName: caller.name },
    new Date(caller.now),
  )
  return true
}

/** Whether its password makes the person who adds the machine its Akey (rules/machines.md: owner). */
export function canBind(machine: Parameters<typeof isUnowned>[0] & { readonly code: string }): boolean {
  return isUnowned(machine) && machine.code !== demoMachineCode
}

function isUnowned(machine: { owner_user_id: number | null; owner_enterprise_id: number | null }): boolean {
  return machine.owner_user_id === null && machine.owner_enterprise_id === null
}
