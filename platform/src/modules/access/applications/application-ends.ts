import { type access, applications as contract, machines } from '@busbar/contract'
import type { Caller } from '../../../kernel/http/caller.ts'
import { messagesOfEnd } from '../../messages/index.ts'
import { listKeys, type MachineKey } from '../access-port.ts'
import type { Trx } from '../grants-store.ts'
import { findMachine } from '../machine-settings-store.ts'
import type { MachineFact, RightsChange } from '../rights-change.ts'
import {
  type ApplicationRow,
  listApplicationRows,
  listAskedAgain,
  type NewStep,
  removePasswordTickets,
  updateApplication,
} from './application-ends-store.ts'
import type { ApplicationMessages } from './application-messages.ts'

const { auditStates } = contract

/** The asker: the person, or the Bkey who proposed them. */
const askerOf = ({ proposedBy, userId }: ApplicationRow): number => proposedBy ?? userId

/** Terms that an application ends with. */
export interface EndTerms {
  /** Epoch milliseconds; -1 for no expiry. */
  readonly until?: number
  readonly mode?: access.VisitMode
  readonly isBlacklisted?: boolean
}

/**
 * An application as facts carry it. Its state shows on the pages of its machine's keys, of the asker, and of the person
 * proposed once they have the right.
 */
export function factOf(application: ApplicationRow, keys: readonly MachineKey[]) {
  const { id: applicationId, kind: right, userId, proposedBy } = application
  const state = application.state as contract.AuditState
  const person = state === auditStates.passed ? [userId] : []
  const told = [...new Set([...keys.map((key) => key.userId), askerOf(application), ...person])]
  return { applicationId, right, userId, proposedBy, state, told }
}

/** Records an application to these keys. */
export function recordOpened(
  scope: RightsChange,
  application: ApplicationRow,
  keys: readonly MachineKey[],
  asked: readonly MachineKey[],
): Promise<void> {
  const told = { ...factOf(application, keys), asked: asked.map(({ userId }) => userId) }
  return scope.record({ kind: 'application.opened', ...told })
}

type Ended = MachineFact<'application.ended'>

/**
 * Ends an open application and answers the fact of it. The caller holds its machine's row lock; the fact names the
 * machine's present keys.
 */
export async function endApplication(
  trx: Trx,
  application: ApplicationRow,
  { terms, ...end }: NewStep & { readonly terms?: EndTerms },
  keys: readonly MachineKey[],
  at: Date,
): Promise<Ended> {
  await updateApplication(trx, application.id, { ...end, isOpen: false }, at)
  const told = factOf({ ...application, state: end.state }, keys)
  return { kind: 'application.ended', step: end.step, ...told, ...terms }
}

/** Ends a person's applications, because the right is no longer available. */
export async function recordApplicationEnds(
  scope: RightsChange,
  { userId }: { readonly userId: number },
  at: Date,
  terms?: EndTerms,
): Promise<void> {
  const { trx, machineId } = scope
  for (const ended of await endAll(trx, { machineId, userId }, at, terms)) await scope.record(ended)
}

/**
 * Ends the open applications for a machine, because the right is no longer available, with the proofs of its password.
 * Call it under the machine's row lock and before its keys change, because they get the messages; give the answer to
 * `RightsChange.writeMessages`.
 */
export async function endApplications(
  trx: Trx,
  { machineId }: { readonly machineId: number },
  at: Date,
): Promise<ApplicationMessages> {
  const toWrite: ApplicationMessages = { messages: [], updates: [] }
  for (const ended of await endAll(trx, { machineId }, at)) {
    const { messages, updates } = messagesOfEnd({
      ...ended,
      id: 0,
      machineId,
      machineCode: '',
      by: null,
      at: at.getTime(),
    })
    toWrite.messages.push(...messages)
    toWrite.updates.push(...updates)
  }
  return toWrite
}

async function endAll(
  trx: Trx,
  which: { readonly machineId: number; readonly userId?: number },
  at: Date,
  terms?: EndTerms,
): Promise<Ended[]> {
  await removePasswordTickets(trx, which.machineId, which.userId)
  const applications = await listApplicationRows(trx, which)
  if (applications.length === 0) return []
  const keys = await listKeys(trx, which.machineId, at.getTime())
  const ended = []
  for (const application of applications) {
    const end = { step: 'expired', state: auditStates.over, ...(terms ? { terms } : {}) } as const
    ended.push(await endApplication(trx, application, end, keys, at))
  }
  return ended
}

/**
 * Passes the application of a person who is given the requested right; false if they had not applied, and get a message
 * of the gift itself.
 */
export async function passIfAsked(
  scope: RightsChange,
  caller: Caller,
  about: { readonly userId: number; readonly kind: contract.ApplicationKind },
  terms: EndTerms = {},
): Promise<boolean> {
  const { trx, machineId } = scope
  const [open] = await listApplicationRows(trx, { machineId, ...about })
  if (!open) return false
  const keys = await listKeys(trx, machineId, caller.now)
  const key = scope.isAkey ? 'A' : 'B'
  const end = { step: 'passed', key, userId: caller.userId, state: auditStates.passed, terms } as const
  await scope.record(await endApplication(trx, open, end, keys, new Date(caller.now)))
  return true
}

/**
 * Notifies the Akeys of applications they passed that no Bkey can pass any more, because there is none left or the mode
 * gives Bkeys no say: the Akeys answer again, once, and their answer decides. Call it under the machine's lock wherever
 * that may be the case (rules/access.md: application states).
 */
export async function askAkeysAgain(
  { trx, machineId, record }: Pick<RightsChange, 'trx' | 'machineId' | 'record'>,
  now: number,
): Promise<void> {
  const open = await listApplicationRows(trx, { machineId, kind: 'bind' })
  const waiting = open.filter(
    ({ state, expiresAt }) => state === auditStates.waitsForBkey && expiresAt.getTime() > now,
  )
  if (waiting.length === 0) return
  const keys = await listKeys(trx, machineId, now)
  const machine = await findMachine(trx, machineId)
  const bkeysDecide = machine?.check_type !== machines.checkTypes.akeyAndPassword
  if (bkeysDecide && keys.some(({ key }) => key === 'B')) return
  for (const application of waiting) {
    const told = await listAskedAgain(trx, application.id)
    const akeys = keys.filter(({ key, userId }) => key === 'A' && !told.has(userId))
    if (akeys.length === 0) continue
    const asked = akeys.map(({ userId }) => userId)
    await record({ kind: 'application.askedAgain', ...factOf(application, keys), asked })
  }
}
