import { applications as contract, isAuditOpen, machines } from '@busbar/contract'

const { auditStates } = contract

/** The key that answers. */
export type Key = 'A' | 'B'

/** The facts that the answer to an application depends on, at the moment of the answer. */
export interface Situation {
  readonly kind: contract.ApplicationKind
  readonly state: contract.AuditState
  /** The machine's audit mode now. */
  readonly checkType: number
  readonly hasBkeys: boolean
}

const { akeyAndPassword } = machines.checkTypes
const { waitsForBkey, waitsForAkey, refusedByAkey, refusedByBkey, passed } = auditStates

/**
 * The state of an application after a key passed or refused it; the same state if the answer decides nothing, because
 * it is over or the other key's turn. Undefined: the key may not decide, a Bkey in password mode (rules/access.md:
 * audit modes).
 */
export function answerApplication(
  situation: Situation,
  key: Key,
  passes: boolean,
): contract.AuditState | undefined {
  const { kind, state, checkType } = situation
  if (!isAuditOpen(state)) return state
  if (kind === 'visit') return passes ? passed : refusalBy(key)
  if (checkType === akeyAndPassword && key === 'B') return undefined
  const needsBkey = checkType !== akeyAndPassword && situation.hasBkeys
  if (key === 'A') return answerOfAkey(state, needsBkey, passes)
  if (state === waitsForAkey) return state
  if (!passes) return refusedByBkey
  return state === waitsForBkey ? passed : waitsForAkey
}

/** The Akey's answer to a bind application. After the Akey passed it, only a Bkey can still refuse it. */
function answerOfAkey(state: contract.AuditState, needsBkey: boolean, passes: boolean): contract.AuditState {
  if (!passes) return state === waitsForBkey ? state : refusedByAkey
  return state === waitsForAkey || !needsBkey ? passed : waitsForBkey
}

const refusalBy = (key: Key): contract.AuditState => (key === 'A' ? refusedByAkey : refusedByBkey)

/** Whether an application waits for this key's answer. */
export function mayAnswer(situation: Situation, key: Key): boolean {
  const { state } = situation
  return isAuditOpen(state) && [true, false].some((passes) => decides(situation, key, passes))
}

function decides(situation: Situation, key: Key, passes: boolean): boolean {
  const next = answerApplication(situation, key, passes)
  return next !== undefined && next !== situation.state
}

/**
 * The state of an application that a key makes for somebody else: an Akey's is passed at once, a Bkey's needs the
 * Akey's consent. Undefined: a Bkey in password mode may not make one.
 */
export function proposeBkey(checkType: number, key: Key): contract.AuditState | undefined {
  if (key === 'A') return passed
  return checkType === akeyAndPassword ? undefined : waitsForAkey
}

/**
 * The state of an application as everybody sees it: without an answer in time it is over, even before the row says so.
 */
export function stateAt(application: { state: number; expiresAt: Date }, now: number): contract.AuditState {
  const isRunOut = isAuditOpen(application.state) && application.expiresAt.getTime() <= now
  return isRunOut ? auditStates.over : (application.state as contract.AuditState)
}

/** Waits between applications of one person for one thing (rules/access.md: frequency of applications). */
const waitMs = { usually: 60_000, afterRefusals: 5 * 60_000 }
const refusalsMax = 3

/** Milliseconds until the same person may ask for the same again; 0: now. */
export function waitOf(earlier: { lastAt: number | undefined; refusals: number }, now: number): number {
  if (earlier.lastAt === undefined) return 0
  const wait = earlier.refusals >= refusalsMax ? waitMs.afterRefusals : waitMs.usually
  return Math.max(0, earlier.lastAt + wait - now)
}
