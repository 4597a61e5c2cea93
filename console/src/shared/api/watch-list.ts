import type { LiveValue } from './live-value.ts'

export type ValuesListener = (values: readonly LiveValue[]) => void

interface Watcher {
  readonly tagIds: ReadonlySet<number> | undefined
  readonly onValues: ValuesListener
}

/** The platform's view of one machine's subscription: null to end it, an empty list for every tag. */
type Announce = (machineId: number, tagIds: readonly number[] | null) => void

/**
 * Keeps who watches what. Changes are sent once, at the end of the running task: a component that leaves
 * while another comes with the same wish sends nothing.
 */
export class WatchList {
  readonly #announce: Announce
  readonly #watchers = new Map<number, Set<Watcher>>()
  readonly #announced = new Map<number, string>()
  readonly #changed = new Set<number>()

  constructor(announce: Announce) {
    this.#announce = announce
  }

  add(machineId: number, tagIds: readonly number[] | undefined, onValues: ValuesListener): () => void {
    const watcher: Watcher = { tagIds: tagIds && new Set(tagIds), onValues }
    const watchers = this.#watchers.get(machineId) ?? new Set()
    this.#watchers.set(machineId, watchers)
    watchers.add(watcher)
    this.#touch(machineId)
    return () => {
      if (!watchers.delete(watcher)) return
      if (watchers.size === 0 && this.#watchers.get(machineId) === watchers) this.#watchers.delete(machineId)
      this.#touch(machineId)
    }
  }

  deliver(machineId: number, values: readonly LiveValue[]): void {
    for (const { tagIds, onValues } of this.#watchers.get(machineId) ?? []) {
      const wanted = tagIds ? values.filter((value) => tagIds.has(value.tagId)) : values
      if (wanted.length) onValues(wanted)
    }
  }

  /** Everything watched now, for a fresh connection. */
  *all(): Generator<[machineId: number, tagIds: readonly number[]]> {
    this.#announced.clear()
    this.#changed.clear()
    for (const [machineId, tagIds] of this.wanted()) {
      this.#announced.set(machineId, tagIds.join())
      yield [machineId, tagIds]
    }
  }

  /** Every watched machine and tag, for polling without a connection. */
  *wanted(): Generator<[machineId: number, tagIds: readonly number[]]> {
    for (const machineId of this.#watchers.keys()) {
      const tagIds = this.#wanted(machineId)
      if (tagIds) yield [machineId, tagIds]
    }
  }

  #touch(machineId: number): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.#flush())
    this.#changed.add(machineId)
  }

  #flush(): void {
    for (const machineId of this.#changed) {
      const tagIds = this.#wanted(machineId)
      const before = this.#announced.get(machineId)
      const after = tagIds?.join()
      if (before === after) continue
      if (after === undefined) this.#announced.delete(machineId)
      else this.#announced.set(machineId, after)
      this.#announce(machineId, tagIds ?? null)
    }
    this.#changed.clear()
  }

  #wanted(machineId: number): readonly number[] | undefined {
    const watchers = this.#watchers.get(machineId)
    if (!watchers) return undefined
    const union = new Set<number>()
    for (const { tagIds } of watchers) {
      if (!tagIds) return []
      for (const tagId of tagIds) union.add(tagId)
    }
    // For the platform an empty list means every tag, which was not requested here.
    return union.size ? [...union].sort((a, b) => a - b) : undefined
  }
}
