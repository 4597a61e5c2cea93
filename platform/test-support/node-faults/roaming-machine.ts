import type { TestMachine } from '@busbar/testkit'
import { LoadClient } from '../gateway/load-client.ts'
import { alarmEvery, hotOf } from './alarmed-load.ts'
import { type EdgeName, otherEdge } from './draw-faults.ts'

/** Without an acknowledgement for this time a machine tries its other node, as one behind a proxy reconnects. */
const impatienceMs = 3_000
const lookMs = 250

/** A machine under load that goes to another port where it gets no acknowledgement. */
export class RoamingMachine implements TestMachine {
  readonly machineId: number
  readonly code: string
  readonly secret: string
  readonly client: LoadClient
  readonly #ports: Readonly<Record<EdgeName, number>>
  readonly #timer: NodeJS.Timeout
  #at: EdgeName
  #acknowledged = 0
  #progressAt = performance.now()

  /** It begins at the node `at`. */
  constructor(machine: TestMachine, ports: Readonly<Record<EdgeName, number>>, at: EdgeName) {
    this.machineId = machine.machineId
    this.code = machine.code
    this.secret = machine.secret
    this.#ports = ports
    this.#at = at
    this.client = new LoadClient({
      ...{ code: machine.code, secret: machine.secret, port: ports[at], firstAt: Date.now() },
      ...{ window: 5, restMs: 200, hasClock: true, factsEvery: alarmEvery },
      moreOf: (number) => ({ hot: hotOf(number) }),
    })
    this.#timer = setInterval(() => this.#look(), lookMs)
  }

  /** The node that it is at, or tries to reach. */
  get at(): EdgeName {
    return this.#at
  }

  /** Connects there from its next connection on. */
  moveTo(at: EdgeName): void {
    this.#at = at
    this.client.moveTo(this.#ports[at])
  }

  /** Connects there, while the connection that it has stands. */
  leaveFor(at: EdgeName): void {
    this.#at = at
    this.#progressAt = performance.now()
    this.client.leaveFor(this.#ports[at])
  }

  /** The numbers of its acknowledged values. */
  get numbers(): readonly number[] {
    return [...this.client.acknowledged].filter((number) => !this.client.isAlarm(number))
  }

  /** Whether a number that it sent after `mark` (a former `next`) is acknowledged. */
  hasNewer(mark: number): boolean {
    const { client } = this
    for (let number = client.next - 1; number >= mark; number--)
      if (client.acknowledged.has(number)) return true
    return false
  }

  /** The newest values, by their tags: of the number, and of the variables that were sent once and never again. */
  get newest(): ReadonlyMap<string, number> {
    const newest = new Map<string, number>()
    for (const number of this.numbers) {
      newest.set('n', Math.max(number, newest.get('n') ?? 0))
      if (number % alarmEvery === 0) newest.set(`n${number}`, number)
    }
    return newest
  }

  end(): void {
    clearInterval(this.#timer)
    this.client.abandon()
  }

  #look(): void {
    const now = performance.now()
    const { size } = this.client.acknowledged
    if (size > this.#acknowledged) this.#progressAt = now
    this.#acknowledged = size
    if (now - this.#progressAt >= impatienceMs) this.leaveFor(otherEdge[this.#at])
  }
}
