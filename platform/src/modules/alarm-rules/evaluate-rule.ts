import { CounterRise, type TellRise } from '../telemetry/index.ts'
import {
  type Branch,
  type Comparable,
  type CompiledRule,
  comparable,
  type Leaf,
  limitOf,
} from './rule-condition.ts'

/** The values of a rate's window that are kept at most. */
const pointsPerWindow = 60

export type SampleValue = boolean | number | bigint | string

/** The state of one variable of a rule. Times are the machine's, epoch milliseconds. */
export interface LeafState {
  /** The time of the newest sample that counted. */
  seenAt: number
  /** Silence before it is not counted. */
  quietFrom?: number
  /** Of absence: since when the machine is away, and the instant before which that raises nothing. */
  awayAt?: number
  heldUntil?: number
  isTrue: boolean
  /** The value of that sample; of a rate the rate. */
  value: Comparable | null
  /** Of a rate: values of the window, oldest first; of a counter its rise until then. */
  points?: [at: number, value: number][]
  counter?: CounterRise
  /** The rise that the counter has told. */
  risen?: number
}

/** The state of a rule between two samples; it can be stored as JSON. */
export interface RuleState {
  readonly leaves: LeafState[]
  /** The condition holds, at a time at which the rule does. */
  isMet: boolean
  /** Since when it is so. */
  since: number
  /** The alarm was raised and not cleared. */
  isActive: boolean
  raisedAt: number | null
  /** The leaf that became true last. */
  turned: number
  /** The newest instant that was evaluated. */
  at: number
  /** The machine is away: its values are not known any more, so that no delay runs. */
  isGone: boolean
  /** When time alone changes something; Infinity, in JSON null: never. */
  dueAt: number
  /** Grows with each change that a later evaluation depends on, beside the times of newer samples. */
  revision: number
}

/** An alarm to be raised or cleared. */
export interface Outcome {
  readonly state: 'raised' | 'cleared'
  readonly at: number
  /** The variable that made the condition true; empty for absence. */
  readonly tag: string
  /** Null for silence and absence, which have no value; the limit is null for a text. */
  readonly value: Comparable | null
  readonly limit: number | null
}

/** The state of a rule of which nothing was seen; silence counts from `at`. */
export function startRule(rule: CompiledRule, at: number): RuleState {
  const state: RuleState = {
    leaves: rule.leaves.map(({ kind }) => ({
      seenAt: Number.NEGATIVE_INFINITY,
      isTrue: false,
      value: null,
      ...(kind === 'noData' && { quietFrom: at }),
      // The edit that the rule begins with may have ended its alarm at this very millisecond.
      ...(kind === 'away' && { heldUntil: at + 1 }),
    })),
    isMet: false,
    since: at,
    isActive: false,
    raisedAt: null,
    turned: 0,
    at: Number.NEGATIVE_INFINITY,
    isGone: false,
    dueAt: Number.POSITIVE_INFINITY,
    revision: 0,
  }
  state.dueAt = nextDue(rule, state)
  return state
}

/**
 * Evaluates a sample of a variable with `state`, after the time until it has passed; the outcomes are added to `told`.
 * Samples of one variable come in the order of their times; one that is not newer than the last is left out
 * (rules/alarms.md: evaluation of rules).
 */
export function takeSample(
  rule: CompiledRule,
  state: RuleState,
  sample: { readonly tag: string; readonly time: number; readonly value: SampleValue },
  told: Outcome[],
): void {
  const places = rule.leavesOf.get(sample.tag)
  if (places) takeValue(rule, state, places, sample.time, sample.value, told)
}

/** The same with the indexes of the variable's leaves: tens of thousands of samples a second create no objects. */
export function takeValue(
  rule: CompiledRule,
  state: RuleState,
  places: readonly number[],
  time: number,
  value: SampleValue,
  told: Outcome[],
): void {
  const wasGone = state.isGone
  if (wasGone) {
    state.isGone = false
    state.revision++
  } else if (state.dueAt <= time) passTime(rule, state, time, told)
  let isChanged = wasGone || rule.isTimed
  for (const place of places) {
    const leaf = rule.leaves[place] as Leaf
    const before = state.leaves[place] as LeafState
    if (time <= before.seenAt) continue
    const wasTrue = before.isTrue
    seeValue(leaf, before, time, value, state)
    if (before.isTrue === wasTrue) continue
    isChanged = true
    state.revision++
    if (before.isTrue) state.turned = place
  }
  if (isChanged) settle(rule, state, Math.max(time, state.at), told)
}

/** Lets the time pass until an instant of the machine's clock. */
export function passTime(rule: CompiledRule, state: RuleState, until: number, told: Outcome[]): void {
  while (!state.isGone && state.dueAt <= until) {
    const at = Math.max(state.dueAt, state.at)
    for (const [place, leaf] of rule.leaves.entries()) {
      const known = state.leaves[place] as LeafState
      if (leaf.kind === 'noData' && !known.isTrue && at >= quietSince(known) + leaf.silenceMs) {
        known.isTrue = true
        state.turned = place
        state.revision++
      } else if (leaf.kind === 'away' && !known.isTrue && at >= awayDue(leaf, known)) {
        known.isTrue = true
        state.revision++
      } else if (leaf.kind === 'rate' && known.isTrue && at >= known.seenAt + leaf.overMs) {
        known.isTrue = false
        state.revision++
      }
    }
    settle(rule, state, at, told)
  }
}

/** The machine went away, or the platform did: a delay waits for the next value. */
export function loseMachine(rule: CompiledRule, state: RuleState): void {
  if (!rule.watchesSilence) state.isGone = true
}

/** Silence counts from `at` on, not before: nothing could be received then, or another process has judged it. */
export function forgetSilence(rule: CompiledRule, state: RuleState, at: number): void {
  for (const [place, { kind }] of rule.leaves.entries()) {
    const leaf = state.leaves[place] as LeafState
    if (kind === 'noData' && !leaf.isTrue) leaf.quietFrom = Math.max(leaf.quietFrom ?? at, at)
  }
  state.dueAt = nextDue(rule, state)
}

/** The machine is away since an instant. */
export function goAway(rule: CompiledRule, state: RuleState, at: number): void {
  for (const known of leavesAway(rule, state)) {
    if (known.awayAt === at) continue
    known.awayAt = at
    state.revision++
  }
  state.dueAt = nextDue(rule, state)
}

/** The machine is back since an instant: the time until then has passed. */
export function comeBack(rule: CompiledRule, state: RuleState, at: number, told: Outcome[]): void {
  passTime(rule, state, at, told)
  for (const known of leavesAway(rule, state)) {
    if (known.awayAt === undefined) continue
    delete known.awayAt
    known.isTrue = false
    state.revision++
  }
  settle(rule, state, Math.max(at, state.at), told)
}

/** Absence raises nothing before an instant: machines need a moment to come back to a platform that does. */
export function holdAway(rule: CompiledRule, state: RuleState, until: number): void {
  for (const known of leavesAway(rule, state)) known.heldUntil = Math.max(known.heldUntil ?? until, until)
  state.dueAt = nextDue(rule, state)
}

const leavesAway = (rule: CompiledRule, state: RuleState): LeafState[] =>
  state.leaves.filter((_, place) => rule.leaves[place]?.kind === 'away')

/** Brings a state that was stored as JSON back; undefined if it is of another rule. */
export function restoreState(rule: CompiledRule, stored: unknown): RuleState | undefined {
  const state = stored as RuleState | null
  if (!state || state.leaves?.length !== rule.leaves.length) return undefined
  for (const leaf of state.leaves) {
    leaf.seenAt ??= Number.NEGATIVE_INFINITY
    if (leaf.counter) leaf.counter = CounterRise.restore(leaf.counter, addsTo(leaf))
  }
  state.at ??= Number.NEGATIVE_INFINITY
  state.dueAt = nextDue(rule, state)
  return state
}

function seeValue(leaf: Leaf, known: LeafState, time: number, value: SampleValue, state: RuleState): void {
  if (leaf.kind === 'noData') {
    known.seenAt = time
    known.isTrue = false
    return
  }
  if (leaf.kind === 'bit') {
    const whole = wholeOf(value)
    if (whole === undefined) return
    known.isTrue = ((whole & leaf.mask) !== 0n) === leaf.isSet
    known.value = comparable(value)
  } else if (leaf.kind === 'equals') {
    known.value = comparable(value)
    known.isTrue = known.value === leaf.equals
  } else {
    const number = Number(value)
    if (typeof value === 'string' || !Number.isFinite(number)) return
    if (leaf.kind === 'threshold') {
      known.isTrue = isBeyond(leaf, number, known.isTrue)
      known.value = number
    } else if (leaf.kind === 'rate') seeRate(leaf, known, time, number, state)
  }
  known.seenAt = time
}

const quietSince = ({ seenAt, quietFrom = seenAt }: LeafState): number => Math.max(seenAt, quietFrom)

const awayDue = (
  { awayMs }: Extract<Leaf, { kind: 'away' }>,
  { awayAt = Number.POSITIVE_INFINITY, heldUntil = awayAt }: LeafState,
): number => Math.max(awayAt + awayMs, heldUntil)

function wholeOf(value: SampleValue): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined
}

function isBeyond(
  { op, limit, deadband }: Extract<Leaf, { kind: 'threshold' }>,
  value: number,
  wasTrue: boolean,
): boolean {
  const back = wasTrue ? deadband : 0
  switch (op) {
    case '>':
      return value > limit - back
    case '>=':
      return value >= limit - back
    case '<':
      return value < limit + back
    case '<=':
      return value <= limit + back
  }
}

/** Compares a value with the one a window earlier; before a whole window has passed there is no rate. */
function seeRate(
  leaf: Extract<Leaf, { kind: 'rate' }>,
  known: LeafState,
  time: number,
  value: number,
  state: RuleState,
): void {
  const points = known.points ?? []
  known.points = points
  const begin = time - leaf.overMs
  while (points[1] && points[1][0] <= begin) points.shift()
  const kept = leaf.isCounter ? takeReading(known, time, value, state) : value
  const reference = points[0] && points[0][0] <= begin ? points[0] : undefined
  const ahead = reference ? Number(known.counter?.riseAhead(reference[0]) ?? 0) : 0
  const rate = reference ? (kept + ahead - reference[1]) / (leaf.overMs / 1_000) : 0
  known.isTrue = leaf.perSecond > 0 ? rate >= leaf.perSecond : rate <= leaf.perSecond
  known.value = rate
  const last = points.at(-1)
  if (last && time < last[0] + leaf.overMs / pointsPerWindow) return
  points.push([time, kept])
  state.revision++
}

/** The rise of a counter, without that of readings which wait for others. */
function takeReading(known: LeafState, time: number, value: number, state: RuleState): number {
  known.risen ??= 0
  known.counter ??= new CounterRise(false, [], addsTo(known))
  // The rise from a stored reading on is the same, unless the counter started again in between.
  const wasOpen = known.counter.isOpen
  if (!known.counter.take(value, time) || wasOpen) state.revision++
  return known.risen
}

/** Adds a part of the rise, also to the points after it: it is told up to two readings later. */
function addsTo(known: LeafState): TellRise {
  return (at, amount) => {
    known.risen = (known.risen ?? 0) + Number(amount)
    for (const point of known.points ?? []) if (point[0] >= at) point[1] += Number(amount)
  }
}

function isTrue(branch: Branch, leaves: readonly LeafState[]): boolean {
  if (typeof branch === 'number') return leaves[branch]?.isTrue === true
  return branch.isAll
    ? branch.parts.every((part) => isTrue(part, leaves))
    : branch.parts.some((part) => isTrue(part, leaves))
}

function settle(rule: CompiledRule, state: RuleState, at: number, told: Outcome[]): void {
  state.at = at
  const isMet = isTrue(rule.root, state.leaves) && (rule.hours?.(at).isInside ?? true)
  if (isMet !== state.isMet) {
    state.isMet = isMet
    state.since = at
    state.revision++
  }
  if (isMet !== state.isActive && at >= state.since + (isMet ? rule.onDelayMs : rule.offDelayMs)) {
    state.isActive = isMet
    state.raisedAt = isMet ? at : null
    state.revision++
    const leaf = rule.leaves[state.turned] as Leaf
    const value = state.leaves[state.turned]?.value ?? null
    told.push({ state: isMet ? 'raised' : 'cleared', at, tag: leaf.tag, value, limit: limitOf(leaf) })
  }
  state.dueAt = nextDue(rule, state)
}

function nextDue(rule: CompiledRule, state: RuleState): number {
  let dueAt = Number.POSITIVE_INFINITY
  if (state.isMet !== state.isActive) dueAt = state.since + (state.isMet ? rule.onDelayMs : rule.offDelayMs)
  if (rule.hours && isTrue(rule.root, state.leaves)) dueAt = Math.min(dueAt, rule.hours(state.at).until)
  if (!rule.isTimed) return dueAt
  for (let place = 0; place < rule.leaves.length; place++) {
    const leaf = rule.leaves[place] as Leaf
    const known = state.leaves[place] as LeafState
    if (leaf.kind === 'noData' && !known.isTrue) dueAt = Math.min(dueAt, quietSince(known) + leaf.silenceMs)
    else if (leaf.kind === 'away' && !known.isTrue) dueAt = Math.min(dueAt, awayDue(leaf, known))
    else if (leaf.kind === 'rate' && known.isTrue) dueAt = Math.min(dueAt, known.seenAt + leaf.overMs)
  }
  return dueAt
}
