import { access, applications as contract, isAuditOpen } from '@busbar/contract'
import type { Caller } from '../../../kernel/http/caller.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import { readApplied } from '../../messages/index.ts'
import {
  type ApplicationRow,
  blacklist,
  changeRights,
  type EndTerms,
  endApplication,
  factOf,
  findGrant,
  listApplicationRows,
  listKeys,
  type NewStep,
  type RightsChange,
  type RightsDeps,
  recordApplicationEnds,
  shareOf,
  updateApplication,
  weighGift,
} from '../index.ts'
import { answerApplication, stateAt } from './application-rules.ts'
import { findBits, findMachineIdByApplication } from './applications-store.ts'
import { giveBkey, giveVisit } from './granting.ts'

const { auditStates } = contract

const minuteMs = 60_000

/** A key's answer to an application. */
export interface Verdict {
  readonly passes: boolean
  /** With a refusal: the person never gets in again. */
  readonly blacklists?: boolean
  /** The bits of a Bkey; undefined: not set. */
  readonly readOnly?: boolean | undefined
  readonly alarms?: boolean | undefined
  /** Length of an admitted visit: minutes, or -1 for no expiry. */
  readonly validTime?: number | undefined
  readonly mode?: access.VisitMode
}

/**
 * A key's answer to an application. Of two keys that answer at once, the later one changes nothing and gets the state
 * that the first one left. The answer marks the application's messages as read for this key, and not for the others.
 * Throws 01010306 for a Bkey without a say, 400 for a visit without a time, APPLICATION_GONE, and one of `auditErrors`
 * for a caller without a key.
 */
export async function answer(
  deps: RightsDeps,
  caller: Caller,
  about: { readonly applyId: number; readonly kind: contract.ApplicationKind },
  verdict: Verdict,
): Promise<contract.AuditState> {
  const { applyId, kind } = about
  if (kind === 'visit' && verdict.passes && verdict.validTime === undefined)
    throw new Failure('400', { field: 'validTime' })
  const machineId = await findMachineIdByApplication(deps.db, applyId)
  if (machineId === undefined) throw new Failure('APPLICATION_GONE')
  const key = { ...caller, right: 'bkey+', refuse: 'audit' } as const
  const state = await changeRights(deps, key, machineId, async (scope) => {
    // The machine may have changed hands since: its new owner must not see an application to the former one.
    if ((await findMachineIdByApplication(scope.trx, applyId)) === undefined)
      throw new Failure('GENERAL_USER')
    const [application] = await listApplicationRows(scope.trx, { id: applyId })
    if (!application || application.kind !== kind) throw new Failure('APPLICATION_GONE')
    return giveAnswer(scope, caller, application, verdict)
  })
  const at = new Date(caller.now)
  await deps.mailbox.change(caller.userId, at, (trx) => readApplied(trx, caller.userId, applyId, at))
  return state
}

/** The same for an application read under the machine's lock. */
export async function giveAnswer(
  scope: RightsChange,
  caller: Caller,
  application: ApplicationRow,
  verdict: Verdict,
): Promise<contract.AuditState> {
  const { trx, machine, machineId } = scope
  const { id: applyId, kind, userId } = application
  const state = stateAt(application, caller.now)
  if (!isAuditOpen(application.state)) return state
  const at = new Date(caller.now)
  const keys = await listKeys(trx, machineId, caller.now)
  if (!isAuditOpen(state)) {
    await scope.record(await endApplication(trx, application, { step: 'expired', state }, keys, at))
    return state
  }
  const key = scope.isAkey ? 'A' : 'B'
  const hasBkeys = keys.some((holder) => holder.key === 'B')
  const situation = { kind, state, checkType: machine.check_type, hasBkeys }
  const answered = answerApplication(situation, key, verdict.passes)
  if (answered === undefined) throw new Failure('01010306')
  const isBlacklisted = verdict.blacklists === true && !verdict.passes
  // A refusal out of turn leaves the application open; a blacklisted applicant ends it.
  const next = answered === state && isBlacklisted ? auditStates.over : answered
  if (next === state) return state
  const said = verdict.passes ? 'passed' : 'refused'
  const step: NewStep = {
    step: said,
    key,
    userId: caller.userId,
    state: next,
    isBlacklisted,
    ...(verdict.passes ? bitsOf(scope, verdict) : {}),
  }
  const decided = factOf({ ...application, state: next }, keys)
  await scope.record({ kind: 'application.answered', step: said, ...decided })
  if (isAuditOpen(next)) {
    await updateApplication(trx, applyId, { ...step, isOpen: true }, at)
    return next
  }
  const params = isBlacklisted ? { isBlacklisted } : {}
  await updateApplication(trx, applyId, { ...step, isOpen: false }, at)
  const terms = next === auditStates.passed ? await give(scope, application, verdict, caller.now) : params
  await scope.record({ kind: 'application.ended', step: said, ...decided, ...terms })
  if (isBlacklisted) await blacklist(scope, caller, userId)
  // A Bkey does not need visits any more.
  else if (next === auditStates.passed && kind === 'bind') await recordApplicationEnds(scope, { userId }, at)
  return next
}

/** The bits that a key's answer sets; a bit that the key may not lift is left out. */
function bitsOf(
  { access }: RightsChange,
  { readOnly, alarms }: Verdict,
): Pick<Verdict, 'readOnly' | 'alarms'> {
  const own = shareOf(access)
  return {
    readOnly: readOnly === false && own.readOnly ? undefined : readOnly,
    alarms: alarms === true && (own.readOnly || !own.alarms) ? undefined : alarms,
  }
}

/** Gives the requested right, limited to the rights of the deciding key; answers its terms. */
async function give(
  scope: RightsChange,
  { id, kind, userId, wish }: ApplicationRow,
  { validTime, mode = 'ro' }: Verdict,
  now: number,
): Promise<EndTerms> {
  if (kind === 'bind') {
    await giveBkey(scope, userId, true, await findBits(scope.trx, id))
    return {}
  }
  const isForever = validTime === undefined || validTime === access.visitTimes.forever
  const until = isForever ? null : new Date(now + validTime * minuteMs)
  const held = await findGrant(scope.trx, scope.machineId, { userId })
  // A key may give less than was requested, never more.
  const readOnly = wish === 'ro' || mode === 'ro'
  const wished = { readOnly, alarms: held?.alarms ?? true, until }
  const { given } = weighGift(shareOf(scope.access), wished, held)
  await giveVisit(scope, userId, given)
  return { until: given.until?.getTime() ?? access.visitTimes.forever, mode: given.readOnly ? 'ro' : 'rw' }
}
