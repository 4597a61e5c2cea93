import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import type { LastConnection } from '../telemetry/index.ts'
import type { LoadedRule } from './engine-store.ts'
import {
  comeBack,
  forgetSilence,
  goAway,
  holdAway,
  loseMachine,
  type Outcome,
  passTime,
  type RuleState,
  restoreState,
  startRule,
  takeValue,
} from './evaluate-rule.ts'
import { type CompiledRule, compileRule } from './rule-condition.ts'

/** Outcomes of one rule that wait for their writing; of more the middle is left out. */
const outcomesMax = 16
/** The same while values come that are older than this, and of all rules together: a machine sends what it had kept. */
const oldMs = 10_000
const oldOutcomesMax = 1_024
const oldOutcomesOfAllMax = 200_000
/** The time of a repeated value is not known more precisely than this. */
const heardMs = 1_000
/** Machines have so long to come back to a platform that was away (rules/alarms.md: rules). */
const returnMs = 60_000
const neverWritten = -1

/** A rule in memory, with its unwritten state. */
export class RunningRule {
  row: LoadedRule
  readonly compiled: CompiledRule
  state: RuleState
  /** The machine's clock offset from the platform's, in ms (positive: behind). */
  offsetMs: number
  outcomes: Outcome[] = []
  /** How many may wait. */
  #room = outcomesMax
  /** Number of outcomes that were left out. */
  dropped = 0
  writtenRevision: number
  /** It is evaluated and written no more. */
  isForgotten = false
  /** When the engine evaluates it by the platform's clock; Infinity: never. */
  queuedAt = Number.POSITIVE_INFINITY

  constructor(row: LoadedRule, now: number) {
    this.row = row
    this.compiled = compileRule(row, row.zone)
    this.offsetMs = row.state?.offsetMs ?? 0
    const state = row.state && restoreState(this.compiled, row.state.rule)
    this.state = state ?? startRule(this.compiled, now - this.offsetMs)
    // The state of one that nobody evaluated before is written, too: without a state a rule begins with its making.
    this.writtenRevision = state ? state.revision : neverWritten
  }

  get isDirty(): boolean {
    return this.outcomes.length > 0 || this.state.revision !== this.writtenRevision
  }

  /** When time alone changes something, by the platform's clock; Infinity: not before another value. */
  get dueAt(): number {
    return this.state.isGone ? Number.POSITIVE_INFINITY : this.state.dueAt + this.offsetMs
  }

  /** Takes a sample of the variable whose leaves have these places; `waiting` rules have outcomes that wait. */
  take(places: readonly number[], sample: TagValueEvent, isHeard: boolean, waiting = 0): void {
    const { value, receivedAt } = sample
    if (value === null) return
    if (this.outcomes.length === 0) this.#room = outcomesMax
    // The changes of minutes come within a second.
    if (receivedAt - sample.time > oldMs)
      this.#room = Math.max(this.#room, Math.min(oldOutcomesMax, oldOutcomesOfAllMax / (waiting + 1)))
    let { time } = sample
    if (isHeard) time = Math.max(time + 1, receivedAt - this.offsetMs - heardMs)
    else this.offsetMs = receivedAt - time
    takeValue(this.compiled, this.state, places, time, value, this.outcomes)
    if (this.outcomes.length > this.#room) this.#cut()
  }

  /** Begins with a value from before the rule, as if it had come now; not where a sample came since. */
  begin(tag: string, sample: TagValueEvent, now: number): void {
    const places = this.compiled.leavesOf.get(tag) ?? []
    if (places.some((place) => Number.isFinite(this.state.leaves[place]?.seenAt))) return
    this.offsetMs = sample.receivedAt - sample.time
    this.state.at = Math.max(this.state.at, now - this.offsetMs)
    this.take(places, sample, false)
  }

  pass(now: number): void {
    if (this.dueAt > now) return
    // Of the two sums, which are rounded differently, the later counts, so that due work is done.
    const until = Math.max(now - this.offsetMs, this.state.dueAt)
    passTime(this.compiled, this.state, until, this.outcomes)
    this.#cut()
  }

  lose(): void {
    if (this.state.isGone) return
    loseMachine(this.compiled, this.state)
    if (this.state.isGone) this.state.revision++
  }

  /** Another process evaluated it until `at`; values alone do not write its state, so the last ones may not be in there. */
  follow(at: number): void {
    forgetSilence(this.compiled, this.state, at - this.offsetMs)
  }

  /** The platform was away until `now`. */
  resume(now: number): void {
    this.lose()
    forgetSilence(this.compiled, this.state, now - this.offsetMs)
    holdAway(this.compiled, this.state, now + returnMs)
  }

  /** The machine's last connection, of a rule about it; `now`: by the clock of what was read. */
  see({ startedAt, endedAt }: LastConnection, now: number): void {
    const [{ awayAt } = {}] = this.state.leaves
    // One that ended before it began anew is another; one that goes on had ended by mistake.
    if (awayAt !== undefined && (startedAt >= awayAt || endedAt === null))
      comeBack(this.compiled, this.state, startedAt >= awayAt ? startedAt : now, this.outcomes)
    if (endedAt !== null) goAway(this.compiled, this.state, endedAt)
    this.#cut()
  }

  #cut(): void {
    const tooMany = Math.ceil(this.outcomes.length - this.#room)
    if (tooMany <= 0) return
    // In pairs: a raising and its clearing, so that the rest still alternates.
    const count = tooMany + (tooMany % 2)
    this.outcomes.splice(1, count)
    this.dropped += count
  }
}
