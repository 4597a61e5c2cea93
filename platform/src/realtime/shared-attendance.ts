import type { Bus, BusEvents } from '../kernel/bus/bus.ts'
import { every } from '../kernel/every.ts'
import type { Logger } from '../kernel/logger.ts'
import type { Attendance, AttendanceListener } from './attendance.ts'

/** Each process repeats the visits that its pages attend, because a message may be lost. */
const repeatMs = 20_000
/** A process that has not repeated a visit for this time has crashed, or does not show it any more. */
const forgetMs = 3 * repeatMs

type Told = BusEvents['attendance']
const keyOf = ({ userId, visitId }: Pick<Told, 'userId' | 'visitId'>) => `${userId}:${visitId}`

export interface SharedAttendanceDeps {
  readonly bus: Bus
  readonly nodeId: string
  readonly logger: Pick<Logger, 'error'>
  /** The pages of this process. */
  readonly local: Attendance
  /** Milliseconds that never go back. */
  readonly ticks?: () => number
}

/** Which visits have their bar on a page of any process. */
export class SharedAttendance {
  readonly #deps: SharedAttendanceDeps
  readonly #ticks: () => number
  /** By visit: the other nodes with such a page, and the time of their last message. */
  readonly #elsewhere = new Map<string, Map<string, number>>()
  readonly #here = new Map<string, Told>()
  readonly #listeners = new Set<AttendanceListener>()
  readonly #subscriptions: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(deps: SharedAttendanceDeps) {
    this.#deps = deps
    this.#ticks = deps.ticks ?? (() => performance.now())
  }

  start(): void {
    const { bus, local, nodeId } = this.#deps
    this.#subscriptions.push(
      local.onChange((userId, visitId, isAttended) => {
        const told = { nodeId, userId, visitId, isAttended }
        if (isAttended) this.#here.set(keyOf(told), told)
        else this.#here.delete(keyOf(told))
        bus.publish('attendance', told)
        if (!this.#elsewhere.has(keyOf(told))) this.#tell(told)
      }),
      bus.subscribe('attendance', (told, origin) => {
        if (origin === 'elsewhere') this.#heard(told)
      }),
    )
    this.#timer = every(repeatMs, () => this.sweep(), this.#deps.logger)
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const end of this.#subscriptions) end()
  }

  /** Calls when a visit's bar came onto a screen, or left the last one. Answers the function that ends the subscription. */
  onChange(listener: AttendanceListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  isAttended(userId: number, visitId: number): boolean {
    return this.#deps.local.isAttended(userId, visitId) || this.#elsewhere.has(keyOf({ userId, visitId }))
  }

  /** Repeats the visits attended here, and drops those that others have not repeated. */
  sweep(): void {
    for (const told of this.#here.values()) this.#deps.bus.publish('attendance', told)
    const before = this.#ticks() - forgetMs
    for (const [key, nodes] of this.#elsewhere) {
      for (const [nodeId, at] of nodes) {
        if (at >= before) continue
        const [userId = 0, visitId = 0] = key.split(':').map(Number)
        this.#heard({ nodeId, userId, visitId, isAttended: false })
      }
    }
  }

  #heard(told: Told): void {
    const key = keyOf(told)
    const nodes = this.#elsewhere.get(key) ?? new Map<string, number>()
    const wasAttended = nodes.size > 0
    if (told.isAttended) nodes.set(told.nodeId, this.#ticks())
    else nodes.delete(told.nodeId)
    if (nodes.size > 0) this.#elsewhere.set(key, nodes)
    else this.#elsewhere.delete(key)
    const isAttendedHere = this.#deps.local.isAttended(told.userId, told.visitId)
    if (nodes.size > 0 !== wasAttended && !isAttendedHere) this.#tell(told)
  }

  #tell({ userId, visitId, isAttended }: Told): void {
    for (const listener of this.#listeners) listener(userId, visitId, isAttended)
  }
}
