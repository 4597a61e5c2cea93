import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { findUnchangedSince, type ListReader, readSnapshot } from './list-changes-store.ts'

/** Machines in all remembered lists of a process, about 50 bytes each. */
const rememberedMachinesMax = 500_000
/** The memory of an empty list, in machines. */
const machinesOfEmptyList = 20

/** A list as it was answered. */
export interface AnsweredList {
  /** Changes with everything the answer shows. */
  readonly version: string
  readonly machines: number
  /** The earliest time at which it changes without anybody's action, epoch milliseconds. */
  readonly until: number
  /** The digest of its parts from the memory of this process, as they were answered. */
  readonly digest: string
  /** The same digest now; undefined if memory does not have the parts any more. */
  digestNow(now: number): string | undefined
}

interface Remembered extends AnsweredList {
  readonly readAt: number
  snapshot: string
}

/** The beginning of reading a list; it is remembered when the reading has ended. */
export interface Reading {
  remember(list: AnsweredList): void
}

/**
 * Remembers which lists have not changed since a process answered them, without reading them again: the database
 * records each change of a list (docs/decisions/0047-unchanged-lists.md). It may report an unchanged list as changed,
 * but never the reverse (rules/calls.md: unchanged lists).
 */
export class UnchangedLists {
  readonly #db: Kysely<DB>
  readonly #now: () => number
  /** The one used last is the last. */
  readonly #lists = new Map<string, Remembered>()
  #machines = 0
  /** Lists answered as unchanged without reading them. */
  answered = 0

  constructor(options: { db: Kysely<DB>; now: () => number }) {
    this.#db = options.db
    this.#now = options.now
  }

  /** To be awaited before anything of the list is read. `key` names the list and the form of its answer. */
  async begin(key: string): Promise<Reading> {
    const readAt = this.#now()
    const snapshot = await readSnapshot(this.#db)
    return { remember: (list) => this.#put(key, { ...list, readAt, snapshot }) }
  }

  /** Whether the list would be answered with this version if it were read now. */
  async has(key: string, version: string, reader: ListReader): Promise<boolean> {
    const list = this.#lists.get(key)
    if (list?.version !== version || !this.#isSameHere(list)) return false
    const snapshot = await findUnchangedSince(this.#db, list.snapshot, reader)
    // Memory is asked again, because it may have changed meanwhile.
    if (snapshot === undefined || !this.#isSameHere(list)) return false
    list.snapshot = snapshot
    this.#touch(key, list)
    this.answered++
    return true
  }

  #isSameHere(list: Remembered): boolean {
    const now = this.#now()
    return now >= list.readAt && now < list.until && list.digest === list.digestNow(now)
  }

  #put(key: string, list: Remembered): void {
    this.#remove(key)
    this.#lists.set(key, list)
    this.#machines += weightOf(list)
    for (const oldest of this.#lists.keys()) {
      if (this.#machines <= rememberedMachinesMax) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const list = this.#lists.get(key)
    if (!list) return
    this.#machines -= weightOf(list)
    this.#lists.delete(key)
  }

  #touch(key: string, list: Remembered): void {
    if (this.#lists.get(key) !== list) return
    this.#lists.delete(key)
    this.#lists.set(key, list)
  }
}

const weightOf = ({ machines }: AnsweredList): number => machines + machinesOfEmptyList
