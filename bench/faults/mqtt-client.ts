import { plainTopic } from '@busbar/link'
import mqtt from 'mqtt'
import { type OutsideClient, Stamps } from './outside-client.ts'

const keepaliveS = 2
const reconnectMs = 300
const connectMsMax = 3_000
/** Numbers made and not acknowledged; a real one has a limit too. */
const unacknowledgedMax = 2_000

export interface OutsideMqttOptions {
  readonly port: number
  readonly code: string
  readonly secret: string
  readonly version: 4 | 5
  readonly messageEveryMs: number
  /** Numbers per message, each with a separate time. */
  readonly numbersPerMessage: number
}

interface Message {
  readonly payload: string
  readonly numbers: readonly number[]
}

/**
 * A machine with the `mqtt` package's client, QoS 1, plain JSON. Each connection gets a new client: the
 * package's own reconnect gives a number that waits for its PUBACK to another message.
 */
export class OutsideMqtt implements OutsideClient {
  readonly code: string
  readonly acknowledged = new Set<number>()
  made = 0
  answeredOf = 0
  /** The last error of a connection. */
  problem = ''
  readonly #options: OutsideMqttOptions
  readonly #stamps = new Stamps()
  /** Not acknowledged, in the order they were made. */
  readonly #open = new Set<Message>()
  #client: mqtt.MqttClient
  #load: NodeJS.Timeout | undefined
  #reconnect: NodeJS.Timeout | undefined
  #isAway = false

  constructor(options: OutsideMqttOptions) {
    this.#options = options
    this.code = options.code
    this.#client = this.#connect()
  }

  get isOnline(): boolean {
    return this.#client.connected
  }

  setLoad(isOn: boolean): void {
    clearInterval(this.#load)
    if (isOn) this.#load = setInterval(() => this.make(), this.#options.messageEveryMs)
  }

  /** Drops its connection silently, and stays away. */
  vanish(): void {
    this.#isAway = true
    clearTimeout(this.#reconnect)
    this.#client.stream?.destroy()
  }

  /** Comes back after `vanish`. */
  comeBack(): void {
    if (!this.#isAway) return
    this.#isAway = false
    this.#client = this.#connect()
  }

  async close(): Promise<void> {
    this.setLoad(false)
    this.vanish()
    await this.#client.endAsync(true)
  }

  #connect(): mqtt.MqttClient {
    const { code, port, secret, version } = this.#options
    const client = mqtt.connect({
      protocol: 'mqtt',
      host: '127.0.0.1',
      port,
      protocolVersion: version,
      clean: true,
      clientId: code,
      username: code,
      password: secret,
      keepalive: keepaliveS,
      connectTimeout: connectMsMax,
      reconnectPeriod: 0,
    })
    client.on('connect', () => {
      for (const message of this.#open) this.#send(client, message)
    })
    client.on('error', (error) => {
      this.problem = String(error)
    })
    client.once('close', () => {
      client.end(true)
      if (this.#isAway) return
      this.#reconnect = setTimeout(() => {
        this.#client = this.#connect()
      }, reconnectMs)
    })
    return client
  }

  make(): void {
    if (this.made - this.acknowledged.size >= unacknowledgedMax) return
    const points = Array.from({ length: this.#options.numbersPerMessage }, () => ({
      ts: this.#stamps.next(),
      values: { n: ++this.made },
    }))
    const message = {
      payload: JSON.stringify(points.length === 1 ? points[0] : points),
      numbers: points.map(({ values }) => values.n),
    }
    this.#open.add(message)
    if (this.#client.connected) this.#send(this.#client, message)
  }

  #send(client: mqtt.MqttClient, message: Message): void {
    const sentAt = performance.now()
    client.publish(plainTopic.telemetry, message.payload, { qos: 1 }, (error) => {
      if (error || client !== this.#client) return
      this.#open.delete(message)
      this.answeredOf = Math.max(this.answeredOf, sentAt)
      for (const number of message.numbers) this.acknowledged.add(number)
    })
  }
}
