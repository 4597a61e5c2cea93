import { hash } from 'node:crypto'
import type { telemetry as contract } from '@busbar/contract'
import { isTimeBelieved, type UplinkRecord } from '../../modules/telemetry/index.ts'
import { gatewayLimits } from '../limits.ts'

/** How a message was sent. */
export interface Sent {
  readonly qos: number
  /** 0 where it has none. */
  readonly packetId: number
  /** The sender says that it sent it before. */
  readonly isDup: boolean
}

/** The facts kept of a message beside its key. */
interface About {
  readonly packetId: number
  /** The connection or the request it came over; an object compared by identity. */
  readonly source: object
  /** All its records carry a time of the machine that is believed. */
  readonly isStamped: boolean
  readonly values: number
  readonly adapter: contract.Adapter | null
}

/** A message, from the moment it is given to the store. */
export class KnownMessage implements About {
  readonly machineId: number
  readonly key: string
  readonly packetId: number
  readonly source: object
  readonly isStamped: boolean
  readonly values: number
  readonly adapter: contract.Adapter | null
  /** By the monotonic clock. */
  readonly at: number
  /** Whether something of it was stored; undefined while its commit is on its way. */
  isStored: boolean | undefined = undefined
  /** Its neighbours in the order of age, among all messages and among its machine's. */
  before: KnownMessage | undefined = undefined
  next: KnownMessage | undefined = undefined
  nextOfMachine: KnownMessage | undefined = undefined
  #waiting: ((isStored: boolean) => void)[] | undefined = undefined

  constructor(machineId: number, key: string, about: About, at: number) {
    this.machineId = machineId
    this.key = key
    // Copied: one object less to keep of each message.
    this.packetId = about.packetId
    this.source = about.source
    this.isStamped = about.isStamped
    this.values = about.values
    this.adapter = about.adapter
    this.at = at
  }

  /** Sets the result of its commit. */
  settle(isStored: boolean): void {
    this.isStored = isStored
    for (const tell of this.#waiting ?? []) tell(isStored)
    this.#waiting = undefined
  }

  /** Resolves once it is known whether something of it was stored. */
  settled(): Promise<boolean> {
    if (this.isStored !== undefined) return Promise.resolve(this.isStored)
    return new Promise((resolve) => {
      this.#waiting ??= []
      this.#waiting.push(resolve)
    })
  }
}

interface MachineMessages {
  readonly byKey: Map<string, KnownMessage>
  oldest: KnownMessage
  newest: KnownMessage
  count: number
}

/** The key by which a message of a machine is recognised. */
export const messageKey = (topic: string, payload: Buffer): string =>
  `${hash('sha1', payload, 'base64')}${topic}`

/**
 * The messages of the last minutes, so that one sent again is recognised as a whole: by its payload, and by its packet id
 * with the DUP flag, or by stamps that are believed. Without the DUP flag only another connection or request can send it
 * again. A message of which no part was stored is not recognised: it is refused again, or stored.
 */
export class KnownMessages {
  readonly #ticks: () => number
  readonly #machines = new Map<number, MachineMessages>()
  #oldest: KnownMessage | undefined
  #newest: KnownMessage | undefined
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
  find(machineId: number, key: string, sent: Sent, source: object): KnownMessage | undefined {
    const known = this.#machines.get(machineId)?.byKey.get(key)
    if (!known || known.isStored === false) return undefined
    if (this.#ticks() - known.at > gatewayLimits.knownMessageMsMax) return undefined
    const isAgain = sent.isDup
      ? known.isStamped || known.packetId === sent.packetId
      : known.isStamped && known.source !== source
    return isAgain ? known : undefined
  }

  /** Keeps a message that is given to the store; say what became of it with `settle`. */
  add(machineId: number, key: string, about: About): KnownMessage {
    const message = new KnownMessage(machineId, key, about, this.#ticks())
    const machine = this.#machines.get(machineId)
    if (machine) {
      machine.newest.nextOfMachine = message
      machine.newest = message
      machine.count++
      machine.byKey.set(key, message)
    } else {
      const byKey = new Map([[key, message]])
      this.#machines.set(machineId, { byKey, oldest: message, newest: message, count: 1 })
    }
    message.before = this.#newest
    if (this.#newest) this.#newest.next = message
    else this.#oldest = message
    this.#newest = message
    this.#count++
    if (machine && machine.count > gatewayLimits.knownMessagesPerMachineMax) this.#letGo(machine)
    if (this.#count > gatewayLimits.knownMessagesMax) this.#letOldestGo()
    return message
  }

  /** Forgets the messages of a machine that has another owner. */
  forget(machineId: number): void {
    for (;;) {
      const machine = this.#machines.get(machineId)
      if (!machine) return
      this.#letGo(machine)
    }
  }

  /** Forgets the messages that are too old. */
  sweep(): void {
    const before = this.#ticks() - gatewayLimits.knownMessageMsMax
    while (this.#oldest && this.#oldest.at < before) this.#letOldestGo()
  }

  #letOldestGo(): void {
    // The oldest of all is its machine's oldest too.
    const machine = this.#oldest && this.#machines.get(this.#oldest.machineId)
    if (machine) this.#letGo(machine)
  }

  /** Forgets a machine's oldest message. */
  #letGo(machine: MachineMessages): void {
    const gone = machine.oldest
    if (machine.byKey.get(gone.key) === gone) machine.byKey.delete(gone.key)
    machine.count--
    if (gone.nextOfMachine) machine.oldest = gone.nextOfMachine
    else this.#machines.delete(gone.machineId)
    if (gone.before) gone.before.next = gone.next
    else this.#oldest = gone.next
    if (gone.next) gone.next.before = gone.before
    else this.#newest = gone.before
    this.#count--
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
