import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { clockSkewMsMax } from './judge-sample.ts'

/** Values that come no nearer to the present for this long are those of a clock that is behind. */
const patienceMs = clockSkewMsMax
/** A distance to the present shrinks by this at least. */
const stepMs = 1_000

interface Stamped {
  /** The machine's own time. */
  readonly stamp: number
  readonly value: TagValueEvent['value']
}

/**
 * One machine's values that came long after their stamps. It tells those that the machine kept while it could not send
 * from those of a clock that is behind (rules/telemetry.md: kept values): the clock was right before, the stamps run on
 * from there or are little older, and they come nearer to the present. It begins with the first such value.
 */
export class CatchUp {
  /** How far tags were behind when that shrank last, and when that was. */
  readonly #behind = new Map<object, { lagMs: number; since: number }>()
  #keptAt = Number.NEGATIVE_INFINITY
  /** When a value came that is older than its tag's newest. */
  #wentBackAt: number | undefined
  /** Right values came after that: the machine sends old ones between them. */
  #isMixed = false

  /** Whether a live value was kept; `newestStamp` is the machine's own stamp of the tag's newest value. */
  isKept(
    tag: object,
    sample: Stamped,
    receivedAt: number,
    newest: TagValueEvent | undefined,
    newestStamp: number,
  ): boolean {
    const isKept =
      this.#runsOn(sample, receivedAt, newest, newestStamp) &&
      this.#comesNearer(tag, receivedAt - sample.stamp, receivedAt)
    if (isKept) this.#keptAt = receivedAt
    return isKept
  }

  /** A live value of a tag came with the right time. */
  noteRight(tag: object, receivedAt: number): void {
    if (this.#behind.size > 0) this.#behind.delete(tag)
    if (this.#wentBackAt !== undefined && receivedAt > this.#wentBackAt) this.#isMixed = true
  }

  #runsOn(
    { stamp, value }: Stamped,
    receivedAt: number,
    newest: TagValueEvent | undefined,
    newestStamp: number,
  ): boolean {
    // A new variable does as the others of its machine.
    if (!newest) return receivedAt - this.#keptAt <= patienceMs
    if (Math.abs(newest.time - newestStamp) > clockSkewMsMax) return false
    if (stamp > newestStamp) return true
    // A machine begins with what was stored and not acknowledged: taken as new, it would raise its alarms twice.
    if (stamp === newestStamp ? value === newest.value : stamp >= newestStamp - clockSkewMsMax) return true
    this.#wentBackAt ??= receivedAt
    return this.#isMixed
  }

  #comesNearer(tag: object, lagMs: number, receivedAt: number): boolean {
    const known = this.#behind.get(tag)
    if (!known) this.#behind.set(tag, { lagMs, since: receivedAt })
    else if (lagMs <= known.lagMs - stepMs) {
      known.lagMs = lagMs
      known.since = receivedAt
    } else if (receivedAt - known.since > patienceMs) {
      this.#behind.delete(tag)
      this.#isMixed = false
      this.#wentBackAt = undefined
      return false
    }
    return true
  }
}
