import type { Histogram } from '../../kernel/metrics/index.ts'
import type { Sent } from '../ingest/known-messages.ts'
import { gatewayLimits } from '../limits.ts'
import { AckQueue, type PendingAck } from './ack-queue.ts'
import { packetType } from './packet-codec.ts'
import { NotItsOwn, PacketFault, protocolError } from './packet-fault.ts'
import { bodyOf, type ProtocolVersion, readPubrel } from './packet-parser.ts'
import { type KnownTopic, readPublish } from './publish-reader.ts'
import { type ReasonCode, reason } from './reasons.ts'
import type { TopicRights } from './topic-rights.ts'
import { isTopicName } from './topic-syntax.ts'

export interface IntakeOptions {
  readonly version: ProtocolVersion
  readonly topics: TopicRights
  readonly acknowledgeSeconds: Histogram
  /** Stores a message; resolves when it may be acknowledged. Undefined: at once. */
  store(topic: string, payload: Buffer, sent: Sent): Promise<void> | undefined
  write(bytes: Buffer): void
  /** A message is off the store's hands. */
  settled(): void
  end(code: ReasonCode, why: string): void
}

/** One connection's PUBLISH and PUBREL packets: each message stored once, then acknowledged, in order. */
export class PublishIntake {
  readonly #options: IntakeOptions
  readonly #acks: AckQueue
  #inflight = 0
  #inflightBytes = 0
  /** The topic checked last: machines publish to few. */
  #known: KnownTopic | undefined
  /** QoS 2 messages taken and not released, by packet id (MQTT-4.3.3-10). */
  #unreleased: Map<number, PendingAck> | undefined

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#acks = new AckQueue(options.write, options.acknowledgeSeconds)
  }

  /** As many messages wait for the store as may. */
  get isFull(): boolean {
    return (
      this.#inflight >= gatewayLimits.inflightMax || this.#inflightBytes >= gatewayLimits.inflightBytesMax
    )
  }

  /** No message waits for the store. */
  get isIdle(): boolean {
    return this.#inflight === 0
  }

  /** Takes a PUBLISH in (MQTT 3.3, 4.3). */
  publish(packet: Buffer): void {
    const message = readPublish(packet, this.#options.version, this.#known)
    const { topic, qos, packetId, payload } = message
    if (topic !== this.#known?.name) this.#admit(topic, payload)
    if (qos === 2 && this.#unreleased?.has(packetId)) {
      // Sent again, as if our PUBREC were lost: answered again behind the first answer, stored no second time.
      this.#acks.settle(this.#acks.add(packetId, packetType.pubrec))
      return
    }
    const ack = qos === 0 ? undefined : this.#await(packetId, qos)
    const stored = this.#options.store(topic, payload, message)
    if (!stored) {
      if (ack) this.#acks.settle(ack)
      return
    }
    this.#inflight++
    this.#inflightBytes += packet.length
    stored.then(
      () => {
        this.#leave(packet.length)
        if (ack) this.#acks.settle(ack)
        this.#options.settled()
      },
      (error) => {
        this.#leave(packet.length)
        // Not acknowledged: the client keeps it and sends it again.
        this.#options.end(reason.serverBusy, error instanceof Error ? error.name : 'not stored')
      },
    )
  }

  /** Answers a PUBREL: its packet id is free for another message (MQTT-4.3.3-11, MQTT-4.3.3-12). */
  release(packet: Buffer): void {
    const { version } = this.#options
    const packetId = readPubrel(bodyOf(packet), version)
    const ack = this.#unreleased?.get(packetId)
    if (ack && !ack.isSettled) throw protocolError('a PUBREL before its PUBREC')
    this.#unreleased?.delete(packetId)
    const isUnknown = ack === undefined && version === 5
    const code = isUnknown ? { code: reason.packetIdentifierNotFound } : {}
    this.#acks.send({ packetId, type: packetType.pubcomp, ...code })
  }

  /** Writes the acknowledgements that are due. */
  flush(): void {
    this.#acks.flush()
  }

  #admit(topic: string, payload: Buffer): void {
    if (!isTopicName(topic)) throw protocolError('not a topic name')
    const why = this.#options.topics.whyNoPublish(topic)
    if (why !== undefined) throw new NotItsOwn(reason.notAuthorized, why, topic, payload)
    this.#known = { name: topic, bytes: Buffer.from(topic) }
  }

  #await(packetId: number, qos: number): PendingAck {
    if (qos === 1) return this.#acks.add(packetId, packetType.puback)
    this.#unreleased ??= new Map()
    if (this.#unreleased.size >= gatewayLimits.inflightMax) {
      throw new PacketFault(reason.receiveMaximumExceeded, 'too many messages of QoS 2 unreleased')
    }
    const ack = this.#acks.add(packetId, packetType.pubrec)
    this.#unreleased.set(packetId, ack)
    return ack
  }

  #leave(bytes: number): void {
    this.#inflight--
    this.#inflightBytes -= bytes
  }
}
