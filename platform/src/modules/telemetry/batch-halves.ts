import type { AlarmChange } from '../alarms/index.ts'
import type { LostSpan } from './lost-spans-store.ts'

/** The changes of a batch other than samples. */
export interface BatchEffects {
  /** The changes of alarms, in order. */
  readonly alarms: readonly AlarmChange[]
  /** Spans that were not stored before. */
  readonly lost: readonly LostSpan[]
}

/** The progress of a batch whose facts and samples go to two databases. */
export interface BatchHalf {
  /** Whether its facts are committed. */
  isWritten: boolean
  /** The changes that the facts made; undefined if the answer to that commit was lost. */
  effects: BatchEffects | undefined
  /** Whether it has samples: then its row of the log commits it. Every further try has one, too. */
  hasRow: boolean
  /** Whether all of it is committed. */
  isWhole: boolean
  /** The machines that its facts are about. */
  machineIds: readonly number[]
}

/**
 * The batches whose first half may be committed: a further try under the same id writes the other half alone. Kept
 * until the batch is no longer tried.
 */
export class BatchHalves {
  readonly #byId = new Map<string, BatchHalf>()
  /** Machines of given up batches whose facts are committed: memory does not know the tags among these. */
  readonly #stale = new Set<number>()

  of(batchId: string): BatchHalf {
    const known = this.#byId.get(batchId)
    if (known) return known
    const half = { isWritten: false, effects: undefined, hasRow: false, isWhole: false, machineIds: [] }
    this.#byId.set(batchId, half)
    return half
  }

  /** Notes that a batch is committed in no other way than it is now. */
  giveUp({ isWhole, machineIds }: BatchHalf): void {
    if (!isWhole) for (const machineId of machineIds) this.#stale.add(machineId)
  }

  /** Removes a batch. */
  end(batchId: string): void {
    const half = this.#byId.get(batchId)
    if (!half) return
    this.giveUp(half)
    this.#byId.delete(batchId)
  }

  /** Which of these machines must be read anew, once. */
  takeStale(machineIds: readonly number[]): number[] {
    return this.#stale.size === 0 ? [] : machineIds.filter((machineId) => this.#stale.delete(machineId))
  }
}
