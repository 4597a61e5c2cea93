import { EventEmitter, once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { SparkplugPayload, SparkplugTopic } from '@busbar/link'
import { decodeSparkplugPayload, parseSparkplugTopic } from '@busbar/link'
import mqttPacket from 'mqtt-packet'

/** A PUBLISH or a will as the broker saw it. */
export interface Arrival {
  type: SparkplugTopic['type']
  topic: string
  payload: SparkplugPayload
  qos: number
  isWill: boolean
}

/**
 * The cloud's end of one machine's MQTT connection, in the hands of a test: it decides what is acknowledged, which
 * neither mosquitto nor a library's broker would let it.
 */
export class TestBroker {
  port = 0
  /** Return code of CONNACK. */
  connackCode = 0
  /** PUBLISHes of these types are not acknowledged before `acknowledgeHeld`. */
  readonly unacknowledged = new Set<string>()
  readonly arrivals: Arrival[] = []
  readonly connects: mqttPacket.IConnectPacket[] = []
  readonly subscriptions: string[] = []
  #held: (() => void)[] = []
  #server: Server
  #sockets = new Set<Socket>()
  #events = new EventEmitter()

  private constructor() {
    this.#server = createServer((socket) => this.#accept(socket))
  }

  /** Acknowledges the held ones. */
  acknowledgeHeld(): void {
    for (const acknowledge of this.#held.splice(0)) acknowledge()
  }

  static async start(port = 0): Promise<TestBroker> {
    const broker = new TestBroker()
    broker.#server.listen(port, '127.0.0.1')
    await once(broker.#server, 'listening')
    const address = broker.#server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    broker.port = address.port
    return broker
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`
  }

  of(type: Arrival['type']): Arrival[] {
    return this.arrivals.filter((arrival) => arrival.type === type)
  }

  /** Waits for a condition, which is checked at every packet and every end of a connection. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(this.#events, 'change')
  }

  send(topic: string, payload: Uint8Array): void {
    const packet = mqttPacket.generate({
      cmd: 'publish',
      topic,
      payload: Buffer.from(payload),
      qos: 0,
      dup: false,
      retain: false,
    })
    for (const socket of this.#sockets) socket.write(packet)
  }

  /** Breaks every connection, as a network does. */
  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.breakConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    const parser = mqttPacket.parser()
    let will: mqttPacket.IConnectPacket['will']
    const reply = (packet: mqttPacket.Packet): void => void socket.write(mqttPacket.generate(packet))
    parser.on('packet', (packet) => {
      if (packet.cmd === 'connect') {
        this.connects.push(packet)
        will = packet.will
        reply({ cmd: 'connack', returnCode: this.connackCode, sessionPresent: false })
        if (this.connackCode !== 0) socket.end()
      } else if (packet.cmd === 'subscribe') {
        this.subscriptions.push(...packet.subscriptions.map((subscription) => subscription.topic))
        const granted = packet.subscriptions.map((subscription) => subscription.qos)
        reply({ cmd: 'suback', messageId: packet.messageId ?? 0, granted })
      } else if (packet.cmd === 'publish') {
        const arrival = this.#arrived(packet.topic, Buffer.from(packet.payload as Buffer), packet.qos, false)
        const acknowledge = () => reply({ cmd: 'puback', messageId: packet.messageId ?? 0 })
        if (packet.qos === 1) {
          if (this.unacknowledged.has(arrival.type)) this.#held.push(acknowledge)
          else acknowledge()
        }
      } else if (packet.cmd === 'pingreq') {
        reply({ cmd: 'pingresp' })
      } else if (packet.cmd === 'disconnect') {
        will = undefined
      }
      this.#events.emit('change')
    })
    socket.on('data', (bytes: Buffer) => void parser.parse(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      if (will !== undefined)
        this.#arrived(will.topic, Buffer.from(will.payload as Buffer), will.qos ?? 0, true)
      this.#events.emit('change')
    })
  }

  #arrived(topic: string, payload: Buffer, qos: number, isWill: boolean): Arrival {
    const parsed = parseSparkplugTopic(topic)
    if (parsed === null) throw new Error(`not a Sparkplug topic: ${topic}`)
    const arrival = { type: parsed.type, topic, payload: decodeSparkplugPayload(payload), qos, isWill }
    this.arrivals.push(arrival)
    return arrival
  }
}
