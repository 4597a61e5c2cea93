import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import type { LoadedRule } from './engine-store.ts'
import {
  forgetSilence,
  loseMachine,
  type Outcome,
  passTime,
  type RuleState,
  restoreState,
  startRule,
  takeSample,
} from './evaluate-rule.ts'
import { type CompiledRule, compileRule } from './rule-condition.ts'

/** Outcomes of one rule that wait for their writing; of more the middle is left out. */
const outcomesMax = 16
/** The time of a value that was said again is not known better. */
const heardMs = 1_000

/** A rule in memory, with what was not written yet. */
export class RunningRule {
  row: LoadedRule
  readonly compiled: CompiledRule
  state: RuleState
  /** How far the machine's clock is behind the platform's. */
  offsetMs: number
  outcomes: Outcome[] = []
  /** How many outcomes were left out. */
  dropped = 0
  writtenRevision: number

  constructor(row: LoadedRule, now: number) {
    this.row = row
    this.compiled = compileRule(row, row.zone)
    this.offsetMs = row.state?.offsetMs ?? 0
    const state = row.state && restoreState(this.compiled, row.state.rule)
    this.state = state ?? startRule(this.compiled, now - this.offsetMs)
    this.writtenRevision = this.state.revision
  }

  get isDirty(): boolean {
    return this.outcomes.length > 0 || this.state.revision !== this.writtenRevision
  }

  take(tag: string, sample: TagValueEvent, isHeard: boolean): void {
    const { value, receivedAt } = sample
    if (value === null) return
    let { time } = sample
    if (isHeard) time = Math.max(time + 1, receivedAt - this.offsetMs - heardMs)
    else this.offsetMs = receivedAt - time
    takeSample(this.compiled, this.state, { tag, time, value }, this.outcomes)
    this.#cut()
  }

  /** Begins with a value from before the rule: what it shows holds from now on. */
  begin(tag: string, sample: TagValueEvent, now: number): void {
    this.offsetMs = sample.receivedAt - sample.time
    this.state.at = Math.max(this.state.at, now - this.offsetMs)
    this.take(tag, sample, false)
  }

  pass(now: number): void {
    if (this.state.dueAt > now - this.offsetMs) return
    passTime(this.compiled, this.state, now - this.offsetMs, this.outcomes)
    this.#cut()
  }

  lose(): void {
    if (this.state.isGone) return
    loseMachine(this.compiled, this.state)
    if (this.state.isGone) this.state.revision++
  }

  /** The platform was away until `now`. */
  resume(now: number): void {
    this.lose()
    forgetSilence(this.compiled, this.state, now - this.offsetMs)
  }

  #cut(): void {
    const tooMany = this.outcomes.length - outcomesMax
    if (tooMany <= 0) return
    // In pairs: a raising and its clearing, so that the rest still alternates.
    const count = tooMany + (tooMany % 2)
    this.outcomes.splice(1, count)
    this.dropped += count
  }
}
