import { connect, type Socket } from 'node:net'
import { plainTopic } from '@busbar/link'
import { generate, parser } from 'mqtt-packet'

const reconnectMs = 20
/** Messages that wait for their acknowledgement: all of them are sent again after a kill. */
const windowMax = 3

/** A message of a machine; `ts` is in it, so that it is the same one when it is sent again. */
export interface Message {
  readonly topic: 'alarms' | 'telemetry'
  readonly payload: object
}

/** A machine that sends its messages in order at QoS 1, and those again that were not acknowledged. */
export class AlarmMachine {
  readonly #login: { readonly code: string; readonly secret: string }
  #port: number
  #socket: Socket | undefined
  #waiting: Message[] = []
  #inflight: { readonly id: number; readonly message: Message }[] = []
  #lastId = 0
  #isConnected = false
  #isEnded = false

  constructor(login: { code: string; secret: string }, port: number) {
    this.#login = login
    this.#port = port
    this.#connect()
  }

  moveTo(port: number): void {
    this.#port = port
    this.#socket?.destroy()
  }

  send(message: Message): void {
    this.#waiting.push(message)
    this.#fill()
  }

  get unacknowledged(): number {
    return this.#waiting.length + this.#inflight.length
  }

  end(): void {
    this.#isEnded = true
    this.#socket?.destroy()
  }

  #connect(): void {
    if (this.#isEnded) return
    const socket = connect({ port: this.#port, host: '127.0.0.1' })
    this.#socket = socket
    const { code, secret } = this.#login
    const reader = parser({ protocolVersion: 4 })
    reader.on('packet', (packet) => {
      if (packet.cmd === 'connack') this.#isConnected = true
      if (packet.cmd === 'puback') this.#inflight = this.#inflight.filter(({ id }) => id !== packet.messageId)
      this.#fill()
    })
    socket.on('connect', () =>
      socket.write(
        generate({
          ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 0 },
          ...{ clientId: code, username: code, password: Buffer.from(secret) },
        }),
      ),
    )
    socket.on('data', (bytes: Buffer) => reader.parse(bytes))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#isConnected = false
      this.#waiting.unshift(...this.#inflight.map(({ message }) => message))
      this.#inflight = []
      setTimeout(() => this.#connect(), reconnectMs)
    })
  }

  #fill(): void {
    while (this.#isConnected && this.#inflight.length < windowMax) {
      const message = this.#waiting.shift()
      if (!message) return
      this.#lastId = (this.#lastId % 65_535) + 1
      this.#inflight.push({ id: this.#lastId, message })
      const packet = { topic: plainTopic[message.topic], payload: JSON.stringify(message.payload) }
      this.#socket?.write(
        generate({ cmd: 'publish', ...packet, qos: 1, messageId: this.#lastId, dup: false, retain: false }),
      )
    }
  }
}
