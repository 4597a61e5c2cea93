import { connect, type Socket } from 'node:net'
import type { LoadStats } from './load-stats.ts'
import { encodeConnect, encodePublish, packet } from './mqtt-packets.ts'

const keepAliveS = 60
const pingMs = 45_000
const retryMsFirst = 1_000
const retryMsMax = 30_000
/** A machine with more unacknowledged messages than this pauses until some are acknowledged. */
const inFlightMax = 16
const packetIdMax = 65_535

export interface LoadLineOptions {
  host: string
  port: number
  localAddress: string | undefined
  code: string
  secret: string
  /** The farewell the platform is to publish when the line breaks. */
  will: { topic: string; payload: Uint8Array } | undefined
  stats: LoadStats
  onOpen(): void
}

/**
 * One machine's MQTT 3.1.1 connection, as small as ten thousand of them in one process need: QoS 1 out,
 * PUBACK in, nothing else. It reconnects automatically.
 */
export class LoadLine {
  readonly #options: LoadLineOptions
  #socket: Socket | undefined
  #isOpen = false
  #isClosed = false
  #wasOpen = false
  #retryMs = retryMsFirst
  #timer: NodeJS.Timeout | undefined
  #packetId = 0
  #wroteAt = 0
  #rest: Buffer | undefined
  /** Time of sending of each packet that waits for its PUBACK. */
  readonly #sentAt = new Map<number, number>()

  constructor(options: LoadLineOptions) {
    this.#options = options
  }

  open(): void {
    if (this.#isClosed) return
    const { host, port, localAddress, code, secret, will } = this.#options
    const socket = connect({ host, port, ...(localAddress ? { localAddress } : {}), noDelay: true })
    this.#socket = socket
    socket.on('connect', () => socket.write(encodeConnect({ code, secret, keepAliveS, will })))
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', (error: NodeJS.ErrnoException) => this.#options.stats.fail(error.code ?? 'socket'))
    socket.on('close', () => this.#gone())
  }

  /** Whether the platform ever accepted it. */
  get wasOpen(): boolean {
    return this.#wasOpen
  }

  /** False if the line is closed, or has too many unacknowledged messages. */
  publish(topic: string, payload: Uint8Array): boolean {
    if (!this.#isOpen || this.#sentAt.size >= inFlightMax) return false
    this.#packetId = (this.#packetId % packetIdMax) + 1
    const now = performance.now()
    this.#sentAt.set(this.#packetId, now)
    this.#wroteAt = now
    this.#socket?.write(encodePublish(topic, this.#packetId, payload))
    this.#options.stats.sent += 1
    return true
  }

  /** Keeps an idle line alive. */
  keepAlive(now: number): void {
    if (!this.#isOpen || now - this.#wroteAt < pingMs) return
    this.#wroteAt = now
    this.#socket?.write(packet.pingreq)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    if (this.#isOpen) this.#socket?.end(packet.disconnect)
    else this.#socket?.destroy()
  }

  #read(bytes: Buffer): void {
    let buffer = this.#rest ? Buffer.concat([this.#rest, bytes]) : bytes
    // The platform sends only short messages: acknowledgements, and a command now and then, whose length fits
    // two bytes.
    while (buffer.length >= 2) {
      const long = ((buffer[1] ?? 0) & 0x80) !== 0
      if (long && buffer.length < 3) break
      const length = ((buffer[1] ?? 0) & 0x7f) + (long ? ((buffer[2] ?? 0) & 0x7f) * 128 : 0)
      const head = long ? 3 : 2
      if (buffer.length < head + length) break
      this.#take(buffer[0] ?? 0, buffer.subarray(head, head + length))
      buffer = buffer.subarray(head + length)
    }
    this.#rest = buffer.length > 0 ? Buffer.from(buffer) : undefined
  }

  #take(first: number, body: Buffer): void {
    const { stats } = this.#options
    switch (first >> 4) {
      case packet.connack:
        if (body[1] !== 0) {
          stats.fail(`refused ${body[1]}`)
          this.#socket?.destroy()
          return
        }
        this.#isOpen = true
        this.#wasOpen = true
        this.#retryMs = retryMsFirst
        stats.connected += 1
        this.#options.onOpen()
        return
      case packet.puback: {
        const id = body.readUInt16BE(0)
        const sentAt = this.#sentAt.get(id)
        if (sentAt === undefined) return
        this.#sentAt.delete(id)
        stats.acknowledge(performance.now() - sentAt)
      }
    }
  }

  #gone(): void {
    if (this.#isOpen) {
      this.#options.stats.connected -= 1
      if (!this.#isClosed) this.#options.stats.fail('line lost')
    }
    this.#isOpen = false
    this.#rest = undefined
    this.#sentAt.clear()
    if (this.#isClosed) return
    // Spreads the reconnection of ten thousand machines of one platform.
    this.#timer = setTimeout(() => this.open(), this.#retryMs * (0.5 + Math.random()))
    this.#retryMs = Math.min(this.#retryMs * 2, retryMsMax)
  }
}
