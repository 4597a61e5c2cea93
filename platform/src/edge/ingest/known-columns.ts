import { randomInt } from 'node:crypto'
import type { telemetry as contract } from '@busbar/contract'

/** The contents of a machine's message. */
export interface Said {
  readonly machineId: number
  readonly topic: string
  /** The digest of its payload, a character for each byte. */
  readonly digest: string
}

/** The facts stored with a message beside its contents. */
export interface About {
  readonly packetId: number
  /** The connection or the request it came over; an object compared by identity. */
  readonly source: object
  /** All its records carry a time of the machine that is believed. */
  readonly isStamped: boolean
  readonly values: number
  /** Its cost for the pace of its machine, in values. */
  readonly cost: number
  readonly adapter: contract.Adapter | null
}

/** No slot: the first one is never used. */
export const none = 0
/** Words of 32 bits that are kept of a digest: enough to distinguish a machine's own messages. */
const digestWords = 4
const initialSlots = 1_024
const bucketBits = 16
/** Flags of a slot; neither of the last two: its commit is on its way. */
const stampedBit = 1
const storedBit = 2
const refusedBit = 4

/**
 * Messages as columns, found by their contents: numbers in typed arrays, which the garbage collector skips. A slot is
 * used again after `remove`. The lists by age are kept by the owner of the columns.
 */
export class KnownColumns {
  readonly #slotsMax: number
  #slots = 0
  /** The first slot that was never used. */
  #fresh = none + 1
  /** The first slot to be used again; the others follow by `next`. */
  #free = none
  /** The first slot of each bucket; the others follow by `#nextAlike`. */
  readonly #heads = new Int32Array(1 << bucketBits)
  #nextAlike = new Int32Array(0)
  #digests = new Uint32Array(0)
  #machineIds = new Float64Array(0)
  #ats = new Float64Array(0)
  #values = new Uint32Array(0)
  #costs = new Uint32Array(0)
  #packetIds = new Uint16Array(0)
  #flags = new Uint8Array(0)
  /** Number of uses of each slot, so that an id names one message only. */
  #uses = new Uint32Array(0)
  readonly #topics: string[] = []
  readonly #sources: object[] = []
  readonly #adapters: (contract.Adapter | null)[] = []
  /** The digest of the present search. */
  readonly #wanted = new Uint32Array(digestWords)
  /** The neighbours of each slot in the order of age, among all messages and among its machine's. */
  before = new Int32Array(0)
  next = new Int32Array(0)
  nextOfMachine = new Int32Array(0)

  /** For at most this number of messages at a time. */
  constructor(messagesMax: number) {
    this.#slotsMax = messagesMax + 1
    this.#grow(initialSlots)
  }

  /** The newest message with the same contents. */
  find({ machineId, topic, digest }: Said): number {
    this.#read(digest)
    const bucket = bucketOf(this.#wanted[0] as number, machineId)
    for (let slot = this.#heads[bucket] as number; slot !== none; slot = this.#nextAlike[slot] as number)
      if (this.#holdsWanted(slot) && this.#machineIds[slot] === machineId && this.#topics[slot] === topic)
        return slot
    return none
  }

  /** Takes a message in, without neighbours. */
  add({ machineId, topic, digest }: Said, about: About, at: number): number {
    const slot = this.#take()
    this.#read(digest)
    this.#digests.set(this.#wanted, slot * digestWords)
    const bucket = bucketOf(this.#wanted[0] as number, machineId)
    this.#nextAlike[slot] = this.#heads[bucket] as number
    this.#heads[bucket] = slot
    this.#machineIds[slot] = machineId
    this.#topics[slot] = topic
    this.#ats[slot] = at
    this.#values[slot] = about.values
    this.#costs[slot] = about.cost
    this.#packetIds[slot] = about.packetId
    this.#flags[slot] = about.isStamped ? stampedBit : 0
    this.#sources[slot] = about.source
    this.#adapters[slot] = about.adapter
    this.before[slot] = none
    this.next[slot] = none
    this.nextOfMachine[slot] = none
    return slot
  }

  remove(slot: number): void {
    const bucket = bucketOf(this.#digests[slot * digestWords] as number, this.#machineIds[slot] as number)
    const follower = this.#nextAlike[slot] as number
    if (this.#heads[bucket] === slot) this.#heads[bucket] = follower
    else {
      let before = this.#heads[bucket] as number
      while (this.#nextAlike[before] !== slot) before = this.#nextAlike[before] as number
      this.#nextAlike[before] = follower
    }
    this.#uses[slot] = (this.#uses[slot] as number) + 1
    this.next[slot] = this.#free
    this.#free = slot
  }

  /** Names the message of a slot, as long as nothing else names another one. */
  idOf(slot: number): number {
    return (this.#uses[slot] as number) * this.#slotsMax + slot
  }

  /** Sets the result of a message's commit, where the message is still there. */
  settle(id: number, isStored: boolean): void {
    const slot = id % this.#slotsMax
    if (this.idOf(slot) === id)
      this.#flags[slot] = ((this.#flags[slot] as number) & stampedBit) | (isStored ? storedBit : refusedBit)
  }

  /** Undefined while its commit is on its way. */
  isStored(slot: number): boolean | undefined {
    const flags = this.#flags[slot] as number
    if ((flags & storedBit) !== 0) return true
    return (flags & refusedBit) !== 0 ? false : undefined
  }

  isStamped(slot: number): boolean {
    return ((this.#flags[slot] as number) & stampedBit) !== 0
  }

  atOf(slot: number): number {
    return this.#ats[slot] as number
  }

  machineIdOf(slot: number): number {
    return this.#machineIds[slot] as number
  }

  packetIdOf(slot: number): number {
    return this.#packetIds[slot] as number
  }

  sourceOf(slot: number): object | undefined {
    return this.#sources[slot]
  }

  valuesOf(slot: number): number {
    return this.#values[slot] as number
  }

  costOf(slot: number): number {
    return this.#costs[slot] as number
  }

  adapterOf(slot: number): contract.Adapter | null {
    return this.#adapters[slot] ?? null
  }

  /** A slot to be written. */
  #take(): number {
    const free = this.#free
    if (free !== none) {
      this.#free = this.next[free] as number
      return free
    }
    if (this.#fresh === this.#slots) this.#grow(Math.min(this.#slots * 2, this.#slotsMax))
    return this.#fresh++
  }

  /** Four characters are a word. */
  #read(digest: string): void {
    for (let word = 0; word < digestWords; word++) {
      const at = word * 4
      this.#wanted[word] =
        digest.charCodeAt(at) |
        (digest.charCodeAt(at + 1) << 8) |
        (digest.charCodeAt(at + 2) << 16) |
        (digest.charCodeAt(at + 3) << 24)
    }
  }

  #holdsWanted(slot: number): boolean {
    const first = slot * digestWords
    for (let word = 0; word < digestWords; word++)
      if (this.#digests[first + word] !== this.#wanted[word]) return false
    return true
  }

  #grow(slots: number): void {
    const grown = <Column extends Int32Array | Uint32Array | Float64Array | Uint16Array | Uint8Array>(
      column: Column,
      width = 1,
    ): Column => {
      const next = new (column.constructor as new (length: number) => Column)(slots * width)
      next.set(column)
      return next
    }
    this.#slots = slots
    this.#digests = grown(this.#digests, digestWords)
    this.#machineIds = grown(this.#machineIds)
    this.#ats = grown(this.#ats)
    this.#values = grown(this.#values)
    this.#costs = grown(this.#costs)
    this.#packetIds = grown(this.#packetIds)
    this.#flags = grown(this.#flags)
    this.#uses = grown(this.#uses)
    this.#nextAlike = grown(this.#nextAlike)
    this.before = grown(this.before)
    this.next = grown(this.next)
    this.nextOfMachine = grown(this.nextOfMachine)
  }
}

/** So that machines which choose their payloads cannot fill one bucket. */
const seed = randomInt(2 ** 31) * 2 + 1

const bucketOf = (word: number, machineId: number): number =>
  Math.imul(word ^ machineId, seed) >>> (32 - bucketBits)
