import { groupCommitLimits, type Waiting } from './commit-batch.ts'

type Entry = Pick<Waiting, 'machineId' | 'records' | 'alarms' | 'place'>

/** Entries are dropped from a queue's front in groups of at least this size. */
const compactMin = 1_024

/** A queue whose front is taken without a move of the rest. */
class Queue<Item> {
  #items: Item[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  get first(): Item | undefined {
    return this.#items[this.#head]
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  forEach(visit: (item: Item) => void): void {
    for (let place = this.#head; place < this.#items.length; place++) visit(this.#items[place] as Item)
  }

  pushFront(items: readonly Item[]): void {
    this.#items = [...items, ...this.#items.slice(this.#head)]
    this.#head = 0
  }

  /** Drops the first one. */
  drop(): void {
    this.#head++
    if (this.#head === this.#items.length) {
      this.#items = []
      this.#head = 0
    } else if (this.#head >= compactMin && this.#head * 2 > this.#items.length) {
      this.#items.splice(0, this.#head)
      this.#head = 0
    }
  }
}

/**
 * Entries that wait for a commit. Those of a machine are taken in their order. Alarms beyond the limit of one commit
 * wait, together with the later entries of their machines; other entries pass them. Taking a batch costs as much as the
 * batch has entries, however many wait behind it.
 */
export class WaitingEntries<E extends Entry> {
  /** Taken and put back: they come before all others. */
  readonly #returned = new Queue<E>()
  readonly #plain = new Queue<E>()
  /** Alarms, and the later entries of their machines. */
  readonly #alarms = new Queue<E>()
  /** Number of entries of each machine in `#alarms`. */
  readonly #behindAlarms = new Map<number, number>()

  get size(): number {
    return this.#returned.size + this.#plain.size + this.#alarms.size
  }

  add(entry: E): void {
    const { machineId } = entry
    const before = this.#behindAlarms.size > 0 ? this.#behindAlarms.get(machineId) : undefined
    if (entry.alarms === 0 && before === undefined) {
      this.#plain.push(entry)
      return
    }
    this.#alarms.push(entry)
    this.#behindAlarms.set(machineId, (before ?? 0) + 1)
  }

  /** Visits all entries, in no order. */
  forEach(visit: (entry: E) => void): void {
    this.#returned.forEach(visit)
    this.#plain.forEach(visit)
    this.#alarms.forEach(visit)
  }

  /** Puts entries back, before all those that were not taken yet. */
  putBack(entries: readonly E[]): void {
    this.#returned.pushFront(entries)
  }

  /** Takes the entries of the next commit. */
  take(): E[] {
    const { recordsPerBatchMax, alarmsPerBatchMax } = groupCommitLimits
    const taken: E[] = []
    let records = 0
    let alarms = 0
    const fits = (entry: E | undefined) =>
      entry && (entry.alarms === 0 || alarms === 0 || alarms + entry.alarms <= alarmsPerBatchMax)
    while (records < recordsPerBatchMax) {
      // The entries behind a returned one are unknown, so nothing passes it.
      const queue = this.#returned.size > 0 ? this.#returned : this.#nextQueue(fits)
      const entry = queue?.first
      if (!entry || !fits(entry)) break
      queue.drop()
      if (queue === this.#alarms) this.#leaveAlarms(entry.machineId)
      records += entry.records.length
      alarms += entry.alarms
      taken.push(entry)
    }
    return taken
  }

  /** The queue whose first entry came first. An alarm goes behind the earlier entries of its machine. */
  #nextQueue(fits: (entry: E | undefined) => boolean | undefined): Queue<E> {
    const [plain, alarm] = [this.#plain.first, this.#alarms.first]
    if (!alarm || !fits(alarm)) return this.#plain
    return plain && plain.place < alarm.place ? this.#plain : this.#alarms
  }

  #leaveAlarms(machineId: number): void {
    const left = (this.#behindAlarms.get(machineId) ?? 1) - 1
    if (left > 0) this.#behindAlarms.set(machineId, left)
    else this.#behindAlarms.delete(machineId)
  }
}
