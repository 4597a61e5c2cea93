import { hash } from 'node:crypto'
import type { telemetry as contract } from '@busbar/contract'
import { isTimeBelieved, type UplinkRecord } from '../../modules/telemetry/index.ts'
import { gatewayLimits } from '../limits.ts'
import { type About, KnownColumns, none, type Said } from './known-columns.ts'

/** The delivery of a message. */
export interface Sent {
  readonly qos: number
  /** 0 without one. */
  readonly packetId: number
  /** The sender marked it as a repetition. */
  readonly isDup: boolean
}

/** A message that was given to the store before. */
export interface KnownMessage extends Pick<About, 'values' | 'cost'> {
  readonly adapter: contract.Adapter | null
  /** Whether something of it was stored; undefined while its commit is on its way. */
  readonly isStored: boolean | undefined
  /** Resolves once it is known whether something of it was stored. */
  settled(): Promise<boolean>
}

/** Names a message from `add` to `settle`. */
export type KnownId = number

/** A machine's messages as a list by age, by their slots. */
interface MachineMessages {
  oldest: number
  newest: number
  count: number
}

/** The digest that identifies a payload, a character for each byte. */
export const digestOf = (payload: Buffer): string => hash('sha1', payload, 'latin1')

/**
 * The messages of the last minutes, so that a repeated one is recognised as a whole: by its topic and payload, and by
 * its packet id with the DUP flag, or by plausible stamps. Without the DUP flag only another connection or request can
 * repeat a message. A message of which no part was stored is not recognised: it is refused again, or stored.
 *
 * They are kept in columns: as objects, the garbage collector would have to move all of them, and collect them later
 * (rules/telemetry.md: messages sent again).
 */
export class KnownMessages {
  readonly #ticks: () => number
  readonly #columns = new KnownColumns(gatewayLimits.knownMessagesMax + 1)
  readonly #machines = new Map<number, MachineMessages>()
  /** Callbacks that wait for a running commit, by the message's id. */
  readonly #waiting = new Map<KnownId, ((isStored: boolean) => void)[]>()
  #oldest = none
  #newest = none
  #count = 0

  /** `ticks` are milliseconds of a monotonic clock. */
  constructor(ticks: () => number) {
    this.#ticks = ticks
  }

  /** Messages kept, of all machines. */
  get count(): number {
    return this.#count
  }

  /** The message that this one is sent again of; its commit may be on its way. */
  find(said: Said, sent: Sent, source: object): KnownMessage | undefined {
    const columns = this.#columns
    const slot = columns.find(said)
    if (slot === none || columns.isStored(slot) === false) return undefined
    if (this.#ticks() - columns.atOf(slot) > gatewayLimits.knownMessageMsMax) return undefined
    const isStamped = columns.isStamped(slot)
    const isAgain = sent.isDup
      ? isStamped || columns.packetIdOf(slot) === sent.packetId
      : isStamped && columns.sourceOf(slot) !== source
    return isAgain ? this.#show(slot) : undefined
  }

  /** Keeps a message that is given to the store; report its result with `settle`. */
  add(said: Said, about: About): KnownId {
    const columns = this.#columns
    const slot = columns.add(said, about, this.#ticks())
    const machine = this.#machines.get(said.machineId)
    if (machine) {
      columns.nextOfMachine[machine.newest] = slot
      machine.newest = slot
      machine.count++
    } else this.#machines.set(said.machineId, { oldest: slot, newest: slot, count: 1 })
    columns.before[slot] = this.#newest
    if (this.#newest === none) this.#oldest = slot
    else columns.next[this.#newest] = slot
    this.#newest = slot
    this.#count++
    const id = columns.idOf(slot)
    if (machine && machine.count > gatewayLimits.knownMessagesPerMachineMax)
      this.#letGo(said.machineId, machine)
    if (this.#count > gatewayLimits.knownMessagesMax) this.#letOldestGo()
    return id
  }

  /** Sets the result of a message's commit. */
  settle(id: KnownId, isStored: boolean): void {
    this.#columns.settle(id, isStored)
    if (this.#waiting.size === 0) return
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    for (const tell of waiting ?? []) tell(isStored)
  }

  /** Drops the messages of a machine that has another owner. */
  forget(machineId: number): void {
    for (;;) {
      const machine = this.#machines.get(machineId)
      if (!machine) return
      this.#letGo(machineId, machine)
    }
  }

  /** Drops the messages that are too old. */
  sweep(): void {
    const before = this.#ticks() - gatewayLimits.knownMessageMsMax
    while (this.#oldest !== none && this.#columns.atOf(this.#oldest) < before) this.#letOldestGo()
  }

  #show(slot: number): KnownMessage {
    const columns = this.#columns
    const id = columns.idOf(slot)
    const isStored = columns.isStored(slot)
    return {
      values: columns.valuesOf(slot),
      cost: columns.costOf(slot),
      adapter: columns.adapterOf(slot),
      isStored,
      settled: () => (isStored === undefined ? this.#settled(id) : Promise.resolve(isStored)),
    }
  }

  /** Called in the turn in which the message was found: its commit has not ended since. */
  #settled(id: KnownId): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id)
      if (waiting) waiting.push(resolve)
      else this.#waiting.set(id, [resolve])
    })
  }

  #letOldestGo(): void {
    const machineId = this.#columns.machineIdOf(this.#oldest)
    const machine = this.#machines.get(machineId)
    // The oldest of all is its machine's oldest too.
    if (machine) this.#letGo(machineId, machine)
  }

  /** Drops a machine's oldest message. */
  #letGo(machineId: number, machine: MachineMessages): void {
    const columns = this.#columns
    const gone = machine.oldest
    const before = columns.before[gone] as number
    const next = columns.next[gone] as number
    machine.count--
    if (machine.count > 0) machine.oldest = columns.nextOfMachine[gone] as number
    else this.#machines.delete(machineId)
    if (before === none) this.#oldest = next
    else columns.next[before] = next
    if (next === none) this.#newest = before
    else columns.before[next] = before
    this.#count--
    columns.remove(gone)
  }
}

/** Whether every record with a time has the machine's own, and that is believed. */
export function isStamped(records: readonly UplinkRecord[], now: number): boolean {
  let stamped = 0
  for (const record of records) {
    if (record.kind !== 'sample' && record.kind !== 'alarm') continue
    if (record.time === undefined || !isTimeBelieved(record.time, record.late, now)) return false
    stamped++
  }
  return stamped > 0
}
