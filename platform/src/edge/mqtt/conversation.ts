import type { Histogram } from '../../kernel/metrics/index.ts'
import type { Sent } from '../ingest/known-messages.ts'
import { gatewayLimits } from '../limits.ts'
import type { KeptFilter, RowMessage } from '../projects/project-door.ts'
import { propertiesOf } from './connect-rules.ts'
import { formatPacket, hasRightFlags, packetType, pingResponse } from './packet-codec.ts'
import { malformed, protocolError } from './packet-fault.ts'
import {
  bodyOf,
  type ProtocolVersion,
  readDisconnect,
  readSubscribe,
  readUnsubscribe,
} from './packet-parser.ts'
import { PublishIntake } from './publish-intake.ts'
import { PublishOutflow } from './publish-outflow.ts'
import { type ReasonCode, reason } from './reasons.ts'
import { type SubscriptionResult, Subscriptions } from './subscriptions.ts'
import type { TopicRights } from './topic-rights.ts'
import { matchesTopic } from './topic-syntax.ts'

export interface ConversationOptions {
  readonly version: ProtocolVersion
  readonly topics: TopicRights
  /** The longest packet the client takes, with its header (MQTT-3.1.2-24); undefined if it takes any. */
  readonly packetBytesMax: number | undefined
  /** Messages above QoS 0 that the client accepts unacknowledged; undefined if it set no limit. */
  readonly receiveMax: number | undefined
  /** Messages of QoS 1 that the platform sends without an acknowledgement of one. */
  readonly inflightMax: number
  /** Whether the CONNECT requested a session beyond the connection. */
  readonly isExpiryAsked: boolean
  /** Of a session that goes on. */
  readonly filters?: readonly KeptFilter[]
  /** Told to a client of MQTT 5 with its SUBACK. */
  readonly subscribedWords?: string
  readonly stateTopic: string
  readonly acknowledgeSeconds: Histogram
  /** The platform's own STATE message. */
  statePayload(): Buffer
  store(topic: string, payload: Buffer, sent: Sent): Promise<void> | undefined
  write(bytes: Buffer): void
  /** A message is off the store's hands. */
  settled(): void
  /** The platform ends it. */
  end(code: ReasonCode, why: string): void
  /** The client leaves, and its will is published or not; `isForgotten`: its session ends with it. */
  left(isWillSaid: boolean, isForgotten: boolean): void
  /** Keeps the filters of a session, before they are answered; undefined: they are not kept. */
  keep?(filters: readonly KeptFilter[]): Promise<void> | undefined
  /** A message of QoS 1 is acknowledged, or a filter was added: more may be sent. */
  roomier?(): void
  refused(filter: string): void
}

/**
 * The packets of client and platform after the CONNACK: one method a packet. A fault throws, and ends the connection.
 */
export class Conversation {
  readonly #options: ConversationOptions
  readonly #intake: PublishIntake
  readonly #subscriptions: Subscriptions
  readonly #outflow: PublishOutflow

  constructor(options: ConversationOptions) {
    const { version, receiveMax, inflightMax, topics, filters } = options
    this.#options = options
    const write = (bytes: Buffer) => this.#writeFitting(bytes)
    this.#outflow = new PublishOutflow({ version, receiveMax, inflightMax, write })
    this.#intake = new PublishIntake(options)
    this.#subscriptions = new Subscriptions(topics, version)
    if (filters) this.#subscriptions.restore(filters)
  }

  /** As many messages wait for the store as may. */
  get isFull(): boolean {
    return this.#intake.isFull
  }

  /** No message waits for the store. */
  get isIdle(): boolean {
    return this.#intake.isIdle
  }

  /** Whether the client subscribed to a topic. */
  listens(topic: string): boolean {
    return this.#subscriptions.matches(topic)
  }

  /** Sends a message at QoS 0 when the client subscribed to its topic and takes its length; true when it did. */
  send(topic: string, payload: Buffer, retain: boolean): boolean {
    if (!this.listens(topic)) return false
    const packet = { cmd: 'publish', topic, payload, qos: 0, dup: false, retain } as const
    return this.#writeFitting(formatPacket(packet, this.#options.version))
  }

  /**
   * Sends the platform's STATE at the QoS that the client was granted, which must be 1 in Sparkplug 3.0
   * (tck-id-host-topic-phid-birth-qos); true when it is sent.
   */
  sendState(payload: Buffer, retain: boolean): boolean {
    const topic = this.#options.stateTopic
    if (this.#subscriptions.qosOf(topic) !== 1) return this.send(topic, payload, retain)
    return this.#outflow.send({ topic, payload, retain })
  }

  /** How many messages of QoS 1 the client takes now; 0 while it has no filter. */
  get room(): number {
    return this.#subscriptions.isEmpty ? 0 : this.#outflow.room
  }

  /**
   * Sends a row at the QoS of the client's filters: `acknowledged` is called at its PUBACK, at once at QoS 0. False for a
   * row that no filter matches, or a longer one than the client takes.
   */
  sendRow({ topic, payload }: RowMessage, acknowledged: () => void): boolean {
    const qos = this.#subscriptions.qosOf(topic)
    if (qos === undefined) return false
    if (qos === 1) return this.#outflow.send({ topic, payload, retain: false, acknowledged })
    const isSent = this.send(topic, payload, false)
    if (isSent) acknowledged()
    return isSent
  }

  /** Writes the acknowledgements that are due. */
  flush(): void {
    this.#intake.flush()
  }

  /** Takes one packet of the client. */
  take(packet: Buffer): void {
    const first = packet[0] ?? 0
    const type = first >> 4
    if (type === packetType.publish) this.#intake.publish(packet)
    else if (!hasRightFlags(first)) throw malformed('flags of another packet')
    else if (type === packetType.pubrel) this.#intake.release(packet)
    else if (type === packetType.puback) this.#acknowledge(packet)
    else if (type === packetType.pingreq) this.#ping(packet)
    else if (type === packetType.subscribe) this.#subscribe(packet)
    else if (type === packetType.unsubscribe) this.#unsubscribe(packet)
    else if (type === packetType.disconnect) this.#disconnect(packet)
    else if (type === packetType.reserved) throw malformed('packet type 0')
    // A second CONNECT (MQTT-3.1.0-2), AUTH without a method (MQTT-4.12.0-7), a server's packets, PUBREC and PUBCOMP:
    // nothing goes out at QoS 2.
    else throw protocolError(`a packet of type ${type} from a client`)
  }

  #acknowledge(packet: Buffer) {
    this.#outflow.acknowledge(packet)
    this.#options.roomier?.()
  }

  #ping(packet: Buffer) {
    bodyOf(packet).finish()
    this.#options.write(pingResponse)
  }

  /** Answers a SUBSCRIBE, then sends the retained message: the platform's own state (MQTT 3.8.4). */
  #subscribe(packet: Buffer) {
    const { version, stateTopic, subscribedWords } = this.#options
    const subscribe = readSubscribe(bodyOf(packet), version, gatewayLimits.filtersPerPacketMax)
    const results = this.#subscriptions.add(subscribe)
    this.#reportRefused(results)
    const granted = results.map(({ code }) => code)
    const words = version === 5 ? propertiesOf(subscribedWords) : {}
    this.#answerKept(
      formatPacket({ cmd: 'suback', messageId: subscribe.packetId, granted, ...words }, version),
    )
    if (results.some(({ filter, wantsRetained }) => wantsRetained && matchesTopic(filter, stateTopic))) {
      this.sendState(this.#options.statePayload(), true)
    }
  }

  #reportRefused(results: readonly SubscriptionResult[]) {
    const refused = results.filter(({ isRefused }) => isRefused)
    // A machine cannot use more filters than its limit: the rest would only fill the log.
    const told = refused.slice(0, gatewayLimits.filtersPerConnectionMax)
    for (const { filter } of told) this.#options.refused(filter)
  }

  /** Answers an UNSUBSCRIBE, even for unknown filters (MQTT-3.10.4-5). */
  #unsubscribe(packet: Buffer) {
    const { version } = this.#options
    const { packetId, filters } = readUnsubscribe(bodyOf(packet), version, gatewayLimits.filtersPerPacketMax)
    const granted = filters.map((filter) =>
      this.#subscriptions.remove(filter) ? reason.success : reason.noSubscriptionExisted,
    )
    this.#answerKept(formatPacket({ cmd: 'unsuback', messageId: packetId, granted }, version))
  }

  /** The client leaves; its will goes unsaid when all is well, and only then (MQTT-3.14.4-3). */
  #disconnect(packet: Buffer) {
    const { version, isExpiryAsked } = this.#options
    const { reasonCode, properties } = readDisconnect(bodyOf(packet), version)
    if (!isExpiryAsked && (properties.sessionExpiryInterval ?? 0) > 0) {
      throw protocolError('a session to keep that was none to keep')
    }
    this.#options.left(reasonCode !== reason.success, properties.sessionExpiryInterval === 0)
  }

  /** Answers a change of the filters once they are kept: a session that goes on has every filter that was answered. */
  #answerKept(bytes: Buffer) {
    const kept = this.#options.keep?.(this.#subscriptions.list())
    if (!kept) return this.#answer(bytes)
    kept.then(
      () => {
        this.#answer(bytes)
        this.#options.roomier?.()
      },
      (error) => this.#options.end(reason.serverBusy, error instanceof Error ? error.name : 'not kept'),
    )
  }

  #answer(bytes: Buffer) {
    if (this.#writeFitting(bytes)) return
    this.#options.end(reason.packetTooLarge, 'an answer longer than the client takes')
  }

  /** False, and nothing written, when a packet is longer than the client takes. */
  #writeFitting(bytes: Buffer): boolean {
    const { packetBytesMax } = this.#options
    if (packetBytesMax !== undefined && bytes.length > packetBytesMax) return false
    this.#options.write(bytes)
    return true
  }
}
