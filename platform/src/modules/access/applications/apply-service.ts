import { access, applications as contract, type ErrorCode } from '@busbar/contract'
import type { Caller } from '../../../kernel/http/caller.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import {
  type ApplicationRow,
  changeMachine,
  type EndTerms,
  endApplication,
  factOf,
  findGrant,
  listApplicationRows,
  listKeys,
  type MachineKey,
  type RightsChange,
  type RightsDeps,
  recordApplicationEnds,
  recordOpened,
  updateApplication,
} from '../index.ts'
import { stateAt, waitOf } from './application-rules.ts'
import * as store from './applications-store.ts'
import { giveBkey, giveVisit } from './granting.ts'
import { useTicket } from './password-tickets.ts'

const { auditStates } = contract

/**
 * A visitor admitted by the machine's password stays this long, unless already admitted for longer (rules/access.md:
 * audit modes).
 */
const passwordVisitMs = 60 * 60_000

/** The requested right. */
export interface Wish {
  readonly kind: 'bind' | 'visit'
  readonly machineId: number
  readonly message: string
  readonly remarks?: string
  readonly terminalName?: string
  /** For a visit. */
  readonly mode?: access.VisitMode
  /** Proves the machine's password. */
  readonly ticket: string | undefined
}

/** The person who asks and their browser: a ticket is valid in the browser that proved the password. */
export interface Asker extends Caller {
  readonly sessionId: number
}

/** The application that was opened, or is open; `applyId` null: the person already has the right. */
export interface Applied {
  readonly applyId: number | null
  readonly auditState: contract.AuditState
}

/**
 * Asks a machine's keys to become Bkey or visitor. One that waits answers itself; a visit time that runs is used again
 *; the machine's password passes at once where it may. Throws BLACKLIST, ADMINISTRATOR,
 * GENERAL_USER for a machine that is not in the caller's list, MACHINE_UNOWNED, 505 for a void ticket, and
 * BIND_TOO_OFTEN or VISIT_TOO_OFTEN (rules/access.md: applications).
 */
export async function apply(deps: RightsDeps, caller: Asker, wish: Wish): Promise<Applied> {
  const { kind, machineId } = wish
  const { userId } = caller
  const known = await deps.access.list(userId, [machineId], caller.now)
  if (!known.has(machineId)) throw new Failure('GENERAL_USER')
  return changeMachine(deps, caller, machineId, async (scope) => {
    const refusal = applyDenial(scope)
    if (refusal) throw new Failure(refusal)
    if (kind === 'visit' && mayEnterAsWished(scope, wish))
      return { applyId: null, auditState: auditStates.passed }
    if (scope.machine.owner_user_id === null && scope.machine.owner_enterprise_id === null)
      throw new Failure('MACHINE_UNOWNED')
    const keys = await listKeys(scope.trx, machineId, caller.now)
    const open = await findOpen(scope, { machineId, userId, kind }, keys, caller.now)
    if (wish.ticket !== undefined) {
      await useTicket(scope, caller, wish.ticket)
      return passByPassword(scope, caller, wish, open, keys)
    }
    if (open) return { applyId: open.id, auditState: stateAt(open, caller.now) }
    await requireWaited(scope, { machineId, userId, kind }, caller.now)
    const steps = [{ step: 'applied', state: auditStates.waiting, userId }] as const
    const application = await store.createApplication(
      scope.trx,
      newOf(wish, userId),
      steps,
      new Date(caller.now),
    )
    await recordOpened(scope, application, keys, keys)
    return { applyId: application.id, auditState: auditStates.waiting }
  })
}

const newOf = ({ mode, ...wish }: Wish, userId: number): store.NewApplication => ({
  ...wish,
  userId,
  ...(mode ? { wish: mode } : {}),
})

/** The reason why a person cannot apply at all. */
function applyDenial({ access }: RightsChange): ErrorCode | undefined {
  if (access.role === 'blacklisted') return 'BLACKLIST'
  if (access.rights.has('bkey+')) return 'ADMINISTRATOR'
  return access.rights.has('listed') ? undefined : 'GENERAL_USER'
}

/** A visitor whose time is running can only apply for more than read-only. */
function mayEnterAsWished({ access }: RightsChange, { mode, ticket }: Wish): boolean {
  return access.rights.has('holder') && (!access.readOnly || mode === 'ro') && ticket === undefined
}

/** The waiting application; one that was not answered in time ends here. */
export async function findOpen(
  scope: RightsChange,
  about: store.About,
  keys: readonly MachineKey[],
  now: number,
): Promise<ApplicationRow | undefined> {
  const [open] = await listApplicationRows(scope.trx, about)
  if (!open || stateAt(open, now) !== auditStates.over) return open
  const end = { step: 'expired', state: auditStates.over } as const
  await scope.record(await endApplication(scope.trx, open, end, keys, new Date(now)))
  return undefined
}

/** Throws BIND_TOO_OFTEN or VISIT_TOO_OFTEN with the seconds to wait. */
export async function requireWaited(
  { trx, machine }: RightsChange,
  about: store.About,
  now: number,
  isProposed = false,
): Promise<void> {
  const earlier = await store.findEarlier(trx, about, { since: machine.owned_since, isProposed })
  const waitMs = waitOf(earlier, now)
  if (waitMs === 0) return
  const code = about.kind === 'bind' ? 'BIND_TOO_OFTEN' : 'VISIT_TOO_OFTEN'
  throw new Failure(code, { data: { retryIn: Math.ceil(waitMs / 1000) } })
}

/** Lets in a person who proved the machine's password, and notifies its keys. */
async function passByPassword(
  scope: RightsChange,
  caller: Caller,
  wish: Wish,
  open: ApplicationRow | undefined,
  keys: readonly MachineKey[],
): Promise<Applied> {
  const { trx } = scope
  const { userId } = caller
  const { kind } = wish
  const at = new Date(caller.now)
  const state = auditStates.passed
  const password = { step: 'password', state, userId } as const
  let application: ApplicationRow
  if (open) {
    await updateApplication(trx, open.id, { ...password, isOpen: false }, at)
    application = { ...open, state }
  } else {
    const applied = { step: 'applied', state: auditStates.waiting, userId } as const
    application = await store.createApplication(trx, newOf(wish, userId), [applied, password], at)
  }
  const terms = kind === 'visit' ? await giveHour(scope, userId, wish.mode ?? 'rw', caller.now) : {}
  if (kind === 'bind') await giveBkey(scope, userId, true)
  const told = { ...factOf(application, keys), keys: keys.map((key) => key.userId), ...terms }
  await scope.record({ kind: 'application.ended', step: 'password', ...told })
  // A Bkey does not need visits any more.
  if (kind === 'bind') await recordApplicationEnds(scope, { userId }, at)
  return { applyId: application.id, auditState: state }
}

/**
 * A visit by password, which counts as the Akey's consent. A longer visit time stays, unless it was for watching only:
 * read-write is given for the time of this visit.
 */
async function giveHour(
  scope: RightsChange,
  userId: number,
  mode: access.VisitMode,
  now: number,
): Promise<EndTerms> {
  const had = await findGrant(scope.trx, scope.machineId, { userId })
  const end = now + passwordVisitMs
  const isLonger = had !== undefined && (had.until === null || had.until.getTime() > end)
  const until = isLonger && (!had.readOnly || mode === 'ro') ? had.until : new Date(end)
  await giveVisit(scope, userId, { readOnly: mode === 'ro', alarms: had?.alarms ?? true, until })
  return { until: until?.getTime() ?? access.visitTimes.forever, mode }
}

/**
 * Gives a visit of an hour at once for a ticket of the machine's password; a key holder needs no visit, and keeps the
 * ticket. Throws as `apply`.
 */
export async function enterByTicket(
  deps: RightsDeps,
  caller: Asker,
  wish: Pick<Wish, 'machineId'> & { readonly ticket: string; readonly mode: access.VisitMode },
): Promise<void> {
  const { userId, now } = caller
  if (await deps.access.has(userId, 'bkey+', [wish.machineId], now)) return
  await apply(deps, caller, { ...wish, kind: 'visit', message: '' })
}

/** Withdraws the caller's application. Throws APPLICATION_GONE when it is over or belongs to somebody else. */
export async function withdraw(deps: RightsDeps, caller: Caller, applyId: number): Promise<void> {
  const [found] = await listApplicationRows(deps.db, { id: applyId })
  if (!found) throw new Failure('APPLICATION_GONE')
  await changeMachine(deps, caller, found.machineId, async (scope) => {
    const [application] = await listApplicationRows(scope.trx, { id: applyId })
    const isOwn = application && (application.proposedBy ?? application.userId) === caller.userId
    if (!isOwn || stateAt(application, caller.now) > auditStates.waitsForAkey)
      throw new Failure('APPLICATION_GONE')
    const keys = await listKeys(scope.trx, found.machineId, caller.now)
    const end = { step: 'withdrawn', state: auditStates.over, userId: caller.userId } as const
    await scope.record(await endApplication(scope.trx, application, end, keys, new Date(caller.now)))
  })
}
