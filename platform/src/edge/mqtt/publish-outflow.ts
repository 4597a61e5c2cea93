import { gatewayLimits } from '../limits.ts'
import { formatPacket } from './packet-codec.ts'
import { PacketFault, protocolError } from './packet-fault.ts'
import { bodyOf, type ProtocolVersion, readPuback } from './packet-parser.ts'
import { reason } from './reasons.ts'

export interface OutflowOptions {
  readonly version: ProtocolVersion
  /** Messages above QoS 0 the client takes without acknowledging one (MQTT 5.0, 3.1.2.11.3); undefined: 65,535. */
  readonly receiveMax: number | undefined
  /** The platform's own limit of them. */
  readonly inflightMax: number
  /** Writes a packet, if the client takes its length; false when it does not. */
  write(bytes: Buffer): boolean
}

interface Message {
  readonly topic: string
  readonly payload: Buffer
  readonly retain: boolean
  /** Called at its PUBACK. */
  readonly acknowledged?: () => void
}

const packetIdMax = 65_535

/**
 * The messages of QoS 1 to one client: each with a packet id until its PUBACK (MQTT 4.3.2). Messages wait while the
 * client cannot take more (MQTT 5.0, 4.9). They are not sent again: the session ends with the connection.
 */
export class PublishOutflow {
  readonly #options: OutflowOptions
  readonly #inflightMax: number
  /** Made with the first message: most machines are sent none. */
  #unacknowledged: Map<number, Message['acknowledged']> | undefined
  #waiting: Message[] | undefined
  #lastId = 0

  constructor(options: OutflowOptions) {
    this.#options = options
    this.#inflightMax = Math.min(options.receiveMax ?? packetIdMax, options.inflightMax)
  }

  /** How many more messages go out before one is acknowledged. */
  get room(): number {
    return this.#inflightMax - (this.#unacknowledged?.size ?? 0)
  }

  /**
   * Sends a message, or keeps it until others are acknowledged; false if it is longer than the client accepts.
   * @throws PacketFault for a client that does not acknowledge and requests more
   */
  send(message: Message): boolean {
    if (this.room > 0) return this.#write(message)
    this.#waiting ??= []
    if (this.#waiting.length >= gatewayLimits.outboundWaitingMax) {
      throw new PacketFault(reason.quotaExceeded, 'too many messages of QoS 1 unacknowledged')
    }
    this.#waiting.push(message)
    return true
  }

  /** Takes a PUBACK of any reason: a refused message is not sent again either (MQTT 5.0, 4.4). */
  acknowledge(packet: Buffer): void {
    const packetId = readPuback(bodyOf(packet), this.#options.version)
    const acknowledged = this.#unacknowledged?.get(packetId)
    if (!this.#unacknowledged?.delete(packetId)) throw protocolError('a PUBACK of nothing that was sent')
    acknowledged?.()
    const next = this.#waiting?.shift()
    if (next) this.#write(next)
  }

  #write(message: Message): boolean {
    const messageId = this.#nextId()
    const { topic, payload, retain, acknowledged } = message
    const packet = { cmd: 'publish', topic, payload, retain, qos: 1, dup: false, messageId } as const
    if (!this.#options.write(formatPacket(packet, this.#options.version))) return false
    this.#unacknowledged ??= new Map()
    this.#unacknowledged.set(messageId, acknowledged)
    return true
  }

  /** An id no message under way has (MQTT-2.2.1-4, of 3.1.1 MQTT-2.3.1-4). */
  #nextId(): number {
    do this.#lastId = (this.#lastId % packetIdMax) + 1
    while (this.#unacknowledged?.has(this.#lastId))
    return this.#lastId
  }
}
