import { applications as contract, isAuditOpen, machines } from '@busbar/contract'
import type { MessageParams } from '../../messages/index.ts'
import { createAccess, type MachineKey } from '../access-door.ts'
import type { Trx } from '../grants-store.ts'
import { findMachine } from '../machine-settings-store.ts'
import type { Caller, RightsChange } from '../rights-change.ts'
import {
  type ApplicationRow,
  findPersonName,
  listApplicationRows,
  listAskedAgain,
  type NewStep,
  removePasswordTickets,
  updateApplication,
} from './application-ends-store.ts'
import type { ApplicationMail } from './application-mail.ts'

const { auditStates } = contract

/** Who asked: the person, or the Bkey who proposed them. */
export const askerOf = ({ proposedBy, userId }: ApplicationRow): number => proposedBy ?? userId

/**
 * The state of an application for the pages of everybody it concerns: its machine's keys and whoever asked; and the
 * person proposed, once they have the right.
 */
export function newsOf(application: ApplicationRow, keys: readonly MachineKey[]): ApplicationMail['news'] {
  const { id: applyId, kind, state: auditState } = application
  const person = auditState === auditStates.passed ? [application.userId] : []
  const told = new Set([...keys.map(({ userId }) => userId), askerOf(application), ...person])
  return [...told].map((userId) => ({
    userId,
    kind,
    applyId,
    auditState,
    isResult: !isAuditOpen(auditState),
  }))
}

/** What whoever asked is told of how it ended, and the person who was proposed and has the right. */
export function lettersOfEnd(application: ApplicationRow, params: MessageParams): ApplicationMail['letters'] {
  const { id: applicationId, kind, userId, proposedBy } = application
  const isPassed = application.state === auditStates.passed
  const reply = { userId: askerOf(application), applicationId, params }
  if (!isPassed) return [{ ...reply, kind: `${kind}Reply` }]
  const given = { userId, kind: 'rightGiven', applicationId, params: { right: 'bkey' } } as const
  return [{ ...reply, kind: `${kind}Success` }, ...(proposedBy === null ? [] : [given])]
}

/**
 * Ends an open application and answers what to tell. The caller holds its machine's row lock; whoever is a key at this
 * moment is told.
 */
export async function endApplication(
  trx: Trx,
  application: ApplicationRow,
  end: NewStep & { readonly params?: MessageParams },
  keys: readonly MachineKey[],
  at: Date,
): Promise<ApplicationMail> {
  await updateApplication(trx, application.id, { ...end, isOpen: false }, at)
  const ended = { ...application, state: end.state }
  return {
    // Who withdrew it knows.
    letters: end.step === 'withdrawn' ? [] : lettersOfEnd(ended, end.params ?? {}),
    news: newsOf(ended, keys),
  }
}

/**
 * Ends the open applications for a machine, all or one person's, because what they asked for is no longer to be had,
 * with the proofs of its password. Call it under the machine's row lock and before its keys change, so that those are
 * told; give the answer to `RightsChange.mail`.
 */
export async function endApplications(
  trx: Trx,
  which: { readonly machineId: number; readonly userId?: number },
  at: Date,
  params: MessageParams = {},
): Promise<ApplicationMail> {
  await removePasswordTickets(trx, which.machineId, which.userId)
  const applications = await listApplicationRows(trx, which)
  if (applications.length === 0) return { letters: [], news: [] }
  const keys = await createAccess(trx, { demo: false }).listKeys(which.machineId, at.getTime())
  const mail: ApplicationMail = { letters: [], news: [] }
  for (const application of applications) {
    const end = { step: 'expired', state: auditStates.over, params } as const
    const { letters, news } = await endApplication(trx, application, end, keys, at)
    mail.letters.push(...letters)
    mail.news.push(...news)
  }
  return mail
}

/**
 * Tells somebody of a right a key gave without having been asked. Where it was asked for as well, the open application
 * is passed with it, and that is told.
 */
export async function tellGiven(
  scope: RightsChange,
  caller: Caller,
  about: { readonly userId: number; readonly kind: contract.ApplicationKind },
  params: MessageParams = {},
): Promise<void> {
  const { trx, machineId } = scope
  const { userId, kind } = about
  const [open] = await listApplicationRows(trx, { machineId, ...about })
  if (!open) {
    const right = kind === 'bind' ? 'bkey' : 'visitor'
    const person = await findPersonName(trx, caller.userId)
    return scope.mail([{ userId, kind: 'rightGiven', params: { person, right, ...params } }])
  }
  const keys = await createAccess(trx, { demo: false }).listKeys(machineId, caller.now)
  const key = scope.isAkey ? 'A' : 'B'
  const end = { step: 'passed', key, userId: caller.userId, state: auditStates.passed, params } as const
  const { letters, news } = await endApplication(trx, open, end, keys, new Date(caller.now))
  await scope.mail(letters, news)
}

/** Tells somebody of a right a key took away. */
export async function tellTaken(
  scope: RightsChange,
  caller: Caller,
  grant: { readonly userId: number; readonly role: 'bkey' | 'visitor' },
  params: MessageParams = {},
): Promise<void> {
  if (grant.userId === caller.userId) return
  const person = await findPersonName(scope.trx, caller.userId)
  const { userId, role: right } = grant
  await scope.mail([{ userId, kind: 'rightTaken', params: { person, right, ...params } }])
}

/**
 * Tells the Akeys of applications they passed that no Bkey can pass any more, since none is left or the mode gives them no
 * say: the Akeys' word is asked for again, once, and decides. Call it under the machine's lock wherever that may be so.
 */
export async function askAkeysAgain(
  { trx, machineId, mail }: Pick<RightsChange, 'trx' | 'machineId' | 'mail'>,
  now: number,
): Promise<void> {
  const open = await listApplicationRows(trx, { machineId, kind: 'bind' })
  const waiting = open.filter(
    ({ state, expiresAt }) => state === auditStates.waitsForBkey && expiresAt.getTime() > now,
  )
  if (waiting.length === 0) return
  const keys = await createAccess(trx, { demo: false }).listKeys(machineId, now)
  const machine = await findMachine(trx, machineId)
  const bkeysDecide = machine?.check_type !== machines.checkTypes.akeyAndPassword
  if (bkeysDecide && keys.some(({ key }) => key === 'B')) return
  for (const application of waiting) {
    const told = await listAskedAgain(trx, application.id)
    const akeys = keys.filter(({ key, userId }) => key === 'A' && !told.has(userId))
    if (akeys.length === 0) continue
    const letter = { kind: 'bindApply', applicationId: application.id } as const
    await mail(
      akeys.map(({ userId }) => ({ ...letter, userId })),
      newsOf(application, keys),
    )
  }
}
