import {
  compressedPayloadUuid,
  decodeSparkplugEnvelope,
  parseSparkplugTopic,
  SparkplugDecoder,
  type SparkplugPayload,
} from '@busbar/link'
import { gatewayLimits } from '../limits.ts'
import type { TurnQueue, TurnTaker } from '../mqtt/turn-queue.ts'
import type { DecodedMessage, NodeTopic } from './adapters/sparkplug.ts'
import { inflateBody, mergeEnvelope } from './adapters/sparkplug-payload.ts'
import { BirthReading } from './adapters/sparkplug-record.ts'

/** Metrics read in one turn: about a millisecond. */
const metricsPerTurn = 200

/** The topic of a message that takes too long to read in one turn: a long one, or one that unfolds. */
export function longTopic(topic: string, payload: Buffer): NodeTopic | undefined {
  if (!topic.startsWith('spBv1.0/')) return undefined
  if (payload.length <= gatewayLimits.readAtOnceBytesMax && !payload.includes(compressedPayloadUuid))
    return undefined
  const parsed = parseSparkplugTopic(topic)
  return parsed && parsed.type !== 'STATE' ? parsed : undefined
}

/** Whether a message is so small that nothing has to wait until it is stored. */
export function saysLittle(decoded: DecodedMessage): boolean {
  if ('error' in decoded) return true
  return (decoded.birth?.records ?? decoded.payload.metrics).length <= metricsPerTurn
}

/** One long message that is read a little at a time, in turn with the connections. */
export class LongMessage implements TurnTaker {
  /** The decoded message; undefined if the reading was ended. */
  readonly decoded: Promise<DecodedMessage | undefined>
  readonly bytes: number
  readonly #turns: TurnQueue
  readonly #topic: NodeTopic
  readonly #now: number
  readonly #resolve: (decoded: DecodedMessage | undefined) => void
  #payload: Buffer | undefined
  #decoder: SparkplugDecoder | undefined
  #birth: BirthReading | undefined
  #isCompressed = false
  #isEnded = false

  constructor(turns: TurnQueue, topic: NodeTopic, payload: Buffer, now: number) {
    const { promise, resolve } = Promise.withResolvers<DecodedMessage | undefined>()
    this.decoded = promise
    this.bytes = payload.length
    this.#resolve = resolve
    this.#turns = turns
    this.#topic = topic
    this.#now = now
    this.#payload = payload
  }

  takeTurn(): boolean {
    if (this.#isEnded) return false
    try {
      return this.#read()
    } catch (error) {
      this.#finish({ error: error as Error })
      return false
    }
  }

  /** The connection is gone; reading stops. */
  end(): void {
    this.#finish(undefined)
  }

  /** Answers whether it needs another turn. */
  #read(): boolean {
    const decoder = this.#decoder ?? this.#begin(this.#payload ?? Buffer.alloc(0))
    const isDone = decoder.decode(metricsPerTurn)
    const birth = this.#birth
    if (birth) for (const metric of decoder.take()) birth.add(metric)
    if (!isDone) return true
    const { payload } = decoder
    if (this.#isCompressed) this.#inflate(payload)
    else this.#finish(birth ? { payload, birth } : { payload })
    return false
  }

  #begin(bytes: Buffer, outer: SparkplugPayload = { metrics: [] }): SparkplugDecoder {
    const decoder = new SparkplugDecoder(bytes)
    const { uuid, timestamp = outer.timestamp } = decodeSparkplugEnvelope(bytes)
    this.#decoder = decoder
    mergeEnvelope(decoder.payload, outer)
    // The inner payload is taken as it is: only one compression is undone.
    this.#isCompressed = !this.#isCompressed && uuid === compressedPayloadUuid
    const { type } = this.#topic
    if (!this.#isCompressed && (type === 'NBIRTH' || type === 'DBIRTH'))
      this.#birth = new BirthReading(type === 'DBIRTH' ? this.#topic.device : '', timestamp, this.#now)
    return decoder
  }

  #inflate(envelope: SparkplugPayload): void {
    inflateBody(envelope)
      .then((body) => {
        if (this.#isEnded) return
        this.#begin(body, envelope)
        this.#turns.add(this)
      })
      .catch((error: Error) => this.#finish({ error }))
  }

  #finish(decoded: DecodedMessage | undefined): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#payload = undefined
    this.#decoder = undefined
    this.#birth = undefined
    this.#resolve(decoded)
  }
}

/** Messages of one kind: at most this number are read and stored at the same time. */
interface Lane {
  readonly waiting: Set<LongMessage>
  readonly inHand: Set<LongMessage>
}

/**
 * The long messages of all connections: few are read and stored at the same time, because each is many records; the next
 * wait as the bytes they came in. Short ones that unfold do not wait for long ones: a node that compresses all it sends
 * would wait for others' births with every message.
 */
export class LongMessages {
  readonly #turns: TurnQueue
  readonly #long: Lane = { waiting: new Set(), inHand: new Set() }
  readonly #short: Lane = { waiting: new Set(), inHand: new Set() }
  #bytes = 0

  constructor(turns: TurnQueue) {
    this.#turns = turns
  }

  /** Begins to read one, now or when others are stored; undefined where too many wait. Call `leave` for each. */
  enter(topic: NodeTopic, payload: Buffer, now: number): LongMessage | undefined {
    if (this.#bytes + payload.length > gatewayLimits.longMessagesBytesMax) return undefined
    const message = new LongMessage(this.#turns, topic, payload, now)
    this.#bytes += message.bytes
    const lane = this.#laneOf(message)
    lane.waiting.add(message)
    this.#goOn(lane)
    return message
  }

  /** It is stored, or will not be, or turned out to be small; a repeated call changes nothing. */
  leave(message: LongMessage): void {
    const lane = this.#laneOf(message)
    if (!lane.waiting.delete(message) && !lane.inHand.delete(message)) return
    this.#bytes -= message.bytes
    this.#goOn(lane)
  }

  /** Whether it is being read, and not waiting for a place: it will soon be done. */
  isInHand(message: LongMessage): boolean {
    return this.#laneOf(message).inHand.has(message)
  }

  #laneOf({ bytes }: LongMessage): Lane {
    return bytes > gatewayLimits.readAtOnceBytesMax ? this.#long : this.#short
  }

  #goOn({ waiting, inHand }: Lane): void {
    for (const message of waiting) {
      if (inHand.size >= gatewayLimits.longMessagesMax) return
      waiting.delete(message)
      inHand.add(message)
      this.#turns.add(message)
    }
  }
}
