import { connect, type Socket } from 'node:net'
import { plainTopic } from '@busbar/link'
import { generate, parser } from 'mqtt-packet'

const reconnectMs = 20

/**
 * A machine that sends numbered samples at QoS 1, many at a time, and repeats unacknowledged ones when its connection
 * broke: like a real one, with the same time stamps.
 */
export class LoadClient {
  readonly code: string
  /** The number of times that each number was sent. */
  readonly sends = new Map<number, number>()
  readonly acknowledged = new Set<number>()
  readonly firstAt: number
  readonly #secret: string
  readonly #window: number
  readonly #factsEvery: number | undefined
  readonly #restMs: number
  readonly #moreOf: ((number: number) => object) | undefined
  /** Of each number, where they are those of the clock. */
  readonly #times: Map<number, number> | undefined
  #lastTime = 0
  /** Connections that were left open when the machine went to another node. */
  readonly #left = new Set<Socket>()
  #port: number
  #socket: Socket | undefined
  #next = 0
  #again: number[] = []
  readonly #inflight = new Map<number, number>()
  #packetId = 0
  #isSending = true
  #isEnded = false
  #drained: (() => void) | undefined

  constructor(options: {
    code: string
    secret: string
    port: number
    window: number
    firstAt: number
    /** At this interval of numbers the message also has a new variable, and the one before it is an alarm instead. */
    factsEvery?: number
    /** How long it rests after each acknowledgement. */
    restMs?: number
    /** Its times are those of the clock, instead of a millisecond for each number. */
    hasClock?: boolean
    /** Values beside the number. */
    moreOf?: (number: number) => object
  }) {
    this.#factsEvery = options.factsEvery
    this.#restMs = options.restMs ?? 0
    this.#moreOf = options.moreOf
    this.#times = options.hasClock ? new Map() : undefined
    this.code = options.code
    this.#secret = options.secret
    this.#window = options.window
    this.#port = options.port
    this.firstAt = options.firstAt
    this.#connect()
  }

  /** The platform is elsewhere now. */
  moveTo(port: number): void {
    this.#port = port
  }

  /**
   * Goes on at another node, as when its line broke and neither end was told: the connection before stays open and silent
   * until the platform ends it.
   */
  leaveFor(port: number): void {
    this.#port = port
    const left = this.#socket
    // A broken one is followed by another already.
    if (!left || left.destroyed) return
    this.#left.add(left)
    left.once('close', () => this.#left.delete(left))
    this.#goOn()
  }

  /** The numbers that it has sent are below this. */
  get next(): number {
    return this.#next
  }

  /** Connections before the present one that the platform has not ended. */
  get leftOpen(): number {
    return this.#left.size
  }

  /** Sends nothing new; resolves when everything sent is acknowledged. */
  async drain(): Promise<void> {
    this.#isSending = false
    if (this.#inflight.size + this.#again.length > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve
      })
    }
    this.abandon()
  }

  /** Leaves with unacknowledged samples. */
  abandon(): void {
    this.#isEnded = true
    for (const socket of [this.#socket, ...this.#left]) socket?.destroy()
  }

  #connect(): void {
    if (this.#isEnded) return
    const socket = connect({ port: this.#port, host: '127.0.0.1' })
    this.#socket = socket
    const reader = parser({ protocolVersion: 4 })
    reader.on('packet', (packet) => {
      if (socket !== this.#socket) return
      if (packet.cmd === 'puback') this.#acknowledge(packet.messageId ?? 0)
      if (packet.cmd === 'connack' || this.#restMs === 0) this.#fill()
      else setTimeout(() => socket === this.#socket && this.#fill(), this.#restMs)
    })
    socket.on('connect', () => {
      socket.write(
        generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          clientId: this.code,
          keepalive: 0,
          username: this.code,
          password: Buffer.from(this.#secret),
        }),
      )
    })
    socket.on('data', (bytes: Buffer) => reader.parse(bytes))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (socket === this.#socket) setTimeout(() => socket === this.#socket && this.#goOn(), reconnectMs)
    })
  }

  /** Connects, and sends again what the connection before left unacknowledged. */
  #goOn(): void {
    this.#again.unshift(...this.#inflight.values())
    this.#inflight.clear()
    this.#connect()
  }

  #acknowledge(packetId: number): void {
    const number = this.#inflight.get(packetId)
    if (number === undefined) return
    this.#inflight.delete(packetId)
    this.acknowledged.add(number)
    if (!this.#isSending && this.#inflight.size + this.#again.length === 0) this.#drained?.()
  }

  #fill(): void {
    while (this.#inflight.size < this.#window) {
      const number = this.#again.shift() ?? (this.#isSending ? this.#next++ : undefined)
      if (number === undefined) return
      this.#packetId = (this.#packetId % 65_535) + 1
      this.#inflight.set(this.#packetId, number)
      this.sends.set(number, (this.sends.get(number) ?? 0) + 1)
      const { topic, payload } = this.#messageOf(number)
      this.#socket?.write(
        generate({
          cmd: 'publish',
          topic,
          payload: JSON.stringify(payload),
          qos: 1,
          messageId: this.#packetId,
          dup: false,
          retain: false,
        }),
      )
    }
  }

  /** The time of a number that was sent, in epoch milliseconds. */
  timeOf(number: number): number {
    if (!this.#times) return this.firstAt + number
    const known = this.#times.get(number)
    if (known !== undefined) return known
    this.#lastTime = Math.max(this.#lastTime + 1, Date.now())
    this.#times.set(number, this.#lastTime)
    return this.#lastTime
  }

  /** Whether the message of a number is an alarm. */
  isAlarm(number: number): boolean {
    return this.#factsEvery !== undefined && number % this.#factsEvery === this.#factsEvery - 1
  }

  #messageOf(number: number): { topic: string; payload: object } {
    const ts = this.timeOf(number)
    if (this.isAlarm(number))
      return {
        topic: plainTopic.alarms,
        payload: { id: `A${number}`, state: 'raised', text: 'Pressure low', ts },
      }
    const isNew = this.#factsEvery !== undefined && number % this.#factsEvery === 0
    const values = { n: number, ...(isNew ? { [`n${number}`]: number } : {}), ...this.#moreOf?.(number) }
    return { topic: plainTopic.telemetry, payload: { ts, values } }
  }
}
