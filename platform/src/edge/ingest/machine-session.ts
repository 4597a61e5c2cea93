import { encodeSparkplugPayload, formatSparkplugTopic, parseSparkplugTopic, plainTopic } from '@busbar/link'
import type { Bus } from '../../kernel/bus/bus.ts'
import {
  AppendReport,
  presentValue,
  RecordsRefused,
  type RefusedTags,
  type Telemetry,
} from '../../modules/telemetry/index.ts'
import type { MachineLogin } from '../login/login.ts'
import type { Session, Will } from '../mqtt/connection-host.ts'
import { isOtherTopic } from '../mqtt/topic-rights.ts'
import type { Online, Presence } from '../presence/presence.ts'
import { encodeJson } from './adapters/json-encoding.ts'
import { type Language, type ReadMessage, readMessage } from './adapters/read-message.ts'
import { type DecodedMessage, SparkplugNode } from './adapters/sparkplug.ts'
import { isNextOfNode, SparkplugOrder } from './adapters/sparkplug-order.ts'
import { refusedUplink, repeatedUplink, saysRepeated, type Uplink } from './adapters/uplink.ts'
import { vendorWrite } from './adapters/vendor.ts'
import { weintekWrite } from './adapters/weintek.ts'
import type { Said } from './known-columns.ts'
import {
  digestOf,
  isStamped,
  type KnownId,
  type KnownMessage,
  type KnownMessages,
  type Sent,
} from './known-messages.ts'
import { type LongMessage, type LongMessages, longTopic, saysLittle } from './long-messages.ts'
import type { MachineClock, MachineClocks } from './machine-clocks.ts'
import type { RawLog } from './raw-log.ts'
import type { PreparedWrite, TagWrite, Unwritable } from './tag-write.ts'
import { costOf, countValues, isDroppable, type ValuePace, type ValuePaces } from './value-pace.ts'

export interface SessionDeps {
  readonly telemetry: Telemetry
  readonly presence: Presence
  readonly rawLog: RawLog
  readonly clocks: MachineClocks
  readonly counters: IngestCounters
  readonly paces: ValuePaces
  readonly known: KnownMessages
  readonly long: LongMessages
  readonly bus: Bus
  now(): number
  /** Runs something once after this time; the answer cancels it. */
  after(ms: number, run: () => void): () => void
}

export interface IngestCounters {
  messages: number
  bytes: number
}

/** The link of a session to its client. */
export interface SessionPeer {
  readonly machine: MachineLogin
  readonly address: string
  readonly protocol: string
  /** A Sparkplug node's death is its will: it counts as online from its birth on, others from their CONNECT. */
  readonly will: Will | undefined
  /** Whether the client subscribed to a topic. */
  listens(topic: string): boolean
  /** False when the client is gone or did not subscribe. */
  send(topic: string, payload: Buffer): boolean
  /** A long message is read: the next may be taken. */
  goOn(): void
}

/** Groups of one HMI whose topics are remembered, so that writes find the way back. */
const dataTopicsMax = 256
/** Topics of one connection that are groups of values: each may make as many groups of variables. */
const otherTopicsMax = 256

interface DataTopic {
  readonly topic: string
  readonly adapter: 'vendor' | 'weintek'
}

/** A message that was not sent before. */
interface Message {
  readonly topic: string
  readonly payload: Buffer
  readonly packetId: number
  /** The digest that identifies it; undefined for a message that is never repeated. */
  readonly digest: string | undefined
  /** When it came. */
  readonly now: number
  readonly decoded: DecodedMessage | undefined
}

/** The connection ended while a message of it was read. */
class ReadingEnded extends Error {
  override name = 'ReadingEnded'
}

const sentAsWill: Sent = { qos: 1, packetId: 0, isDup: false }

/** Whether a will is a Sparkplug node's death certificate. */
function isNodeDeath(will: Will | undefined): boolean {
  const topic = will && parseSparkplugTopic(will.topic)
  return topic?.type === 'NDEATH'
}

/** A machine's connection from its login on: messages become records, births and deaths presence. */
export class MachineSession implements Session {
  readonly #deps: SessionDeps
  readonly #peer: SessionPeer
  #node: SparkplugNode | undefined
  #order: SparkplugOrder | undefined
  #online: Online | undefined
  #language: Language
  readonly #clock: MachineClock
  readonly #pace: ValuePace
  /** The topic and shape of each group of an HMI's tags. */
  #dataTopics: Map<string, DataTopic> | undefined
  #otherTopics: Set<string> | undefined
  #long: LongMessage | undefined
  /** The work that comes due while a long message is read. */
  readonly #afterReading: (() => void)[] = []
  #isEnded = false
  /** Names the connection among those of known messages. */
  readonly #source = {}

  constructor(deps: SessionDeps, peer: SessionPeer) {
    this.#deps = deps
    this.#peer = peer
    this.#language = peer.machine
    this.#clock = deps.clocks.of(peer.machine.machineId)
    this.#pace = deps.paces.of(peer.machine.machineId)
    this.#pace.holders++
    const awaitsBirth = peer.machine.adapter === 'sparkplug' || isNodeDeath(peer.will)
    if (!awaitsBirth) this.#comeOnline('mqtt')
  }

  waitMs(): number {
    return this.#pace.waitMs()
  }

  get isReading(): boolean {
    return this.#long !== undefined
  }

  publish(topic: string, payload: Buffer, sent: Sent): Promise<void> | undefined {
    if (this.#pace.waitMs() > 0 && isDroppable(topic, sent.qos)) return this.#drop(topic, payload)
    const { counters } = this.#deps
    const now = this.#deps.now()
    counters.messages++
    counters.bytes += payload.length
    if (this.#online) this.#online.lastSeenAt = now
    const long = this.#enterLong(topic, payload, now)
    return long ? this.#admitLong(long, topic, payload, sent, now) : this.#admit(topic, payload, sent, now)
  }

  #enterLong(topic: string, payload: Buffer, now: number): LongMessage | undefined {
    const { adapter } = this.#language
    if (this.#isEnded || (adapter !== null && adapter !== 'sparkplug')) return undefined
    const parsed = longTopic(topic, payload)
    return parsed && this.#deps.long.enter(parsed, payload, now)
  }

  /** Takes a message that is read over several turns; the machine's next one waits until it is. */
  async #admitLong(
    long: LongMessage,
    topic: string,
    payload: Buffer,
    sent: Sent,
    now: number,
  ): Promise<void> {
    this.#long = long
    try {
      const decoded = await long.decoded
      this.#long = undefined
      if (!decoded) throw new ReadingEnded()
      if (saysLittle(decoded)) this.#deps.long.leave(long)
      const stored = this.#admit(topic, payload, sent, now, decoded)
      for (const run of this.#afterReading.splice(0)) run()
      this.#peer.goOn()
      await stored
    } finally {
      this.#deps.long.leave(long)
    }
  }

  /** Takes a message that was not sent before. Only messages with an acknowledgement are sent again. */
  #admit(
    topic: string,
    payload: Buffer,
    sent: Sent,
    now: number,
    decoded?: DecodedMessage,
  ): Promise<void> | undefined {
    const digest = sent.qos === 0 ? undefined : digestOf(payload)
    const known = digest === undefined ? undefined : this.#findKnown(topic, payload, digest, sent)
    const message = { topic, payload, packetId: sent.packetId, digest, now, decoded }
    if (known) return this.#takeAgain(message, sent, known)
    if (!this.#order?.isWaiting) return this.#take(message)
    const parsed = parseSparkplugTopic(topic)
    if (parsed && parsed.type !== 'STATE') this.#order.makeWay(parsed, payload)
    const stored = this.#take(message)
    this.#order.goOn()
    return stored
  }

  #findKnown(topic: string, payload: Buffer, digest: string, sent: Sent): KnownMessage | undefined {
    const known = this.#deps.known.find(this.#said(topic, digest), sent, this.#source)
    if (!known || sent.isDup) return known
    return isNextOfNode(topic, payload, this.#node) ? undefined : known
  }

  /** Answers a repeated message like the first one; it is taken as new where the first one was not stored. */
  #takeAgain(message: Message, sent: Sent, known: KnownMessage): Promise<void> | undefined {
    const { topic, payload, now: at, decoded } = message
    const { cost, adapter } = known
    this.#pace.take(cost)
    if (topic.startsWith('data/'))
      this.#noteDataTopic(
        topic,
        readMessage(topic, payload, this.#language, () => this.#openNode(), at),
      )
    const keepRaw = () => this.#keepRaw({ topic, payload, now: at }, { uplink: repeatedUplink, adapter })
    if (known.isStored) {
      keepRaw()
      return undefined
    }
    return known.settled().then((isStored) => {
      if (!isStored) return this.#admit(topic, payload, sent, this.#deps.now(), decoded)
      keepRaw()
    })
  }

  /** Reads a message and stores its records; a message before its turn waits. */
  #take(message: Message): Promise<void> | undefined {
    const { telemetry } = this.#deps
    const { topic, payload, now, decoded } = message
    const read = this.#isTopicTooMany(topic)
      ? { uplink: refusedUplink('unknownTopic', `more than ${otherTopicsMax} other topics`), adapter: null }
      : readMessage(topic, payload, this.#language, () => this.#openNode(), now, decoded)
    const { uplink } = read
    if (uplink.outOfTurn) return this.#order?.hold(uplink.outOfTurn, () => this.#take(message))
    const cost = costOf(uplink.records)
    this.#pace.take(cost)
    const { machineId } = this.#peer.machine
    if (uplink.clockAt !== undefined) this.#clock.see(uplink.clockAt, now)
    if (topic.startsWith('data/')) this.#noteDataTopic(topic, read)
    if (uplink.online === true) this.#comeOnline('sparkplug')
    if (uplink.wantsRebirth) this.#askForRebirth(topic)
    if (uplink.staleGroup !== undefined) telemetry.markStale(machineId, uplink.staleGroup, uplink.goneAt)
    const stored = uplink.records.length > 0 ? this.#append(message, read, cost) : undefined
    if (!stored) this.#keepRaw(message, read)
    if (uplink.online === false) this.#goOffline()
    if (!uplink.readBacks && !uplink.rpcAnswer) return stored
    if (stored) return stored.then(() => this.#passAnswers(uplink))
    this.#passAnswers(uplink)
    return undefined
  }

  /** Whether a topic is one more than a connection may use beside the machine's own. */
  #isTopicTooMany(topic: string): boolean {
    if (!this.#language.otherTopics || !isOtherTopic(topic)) return false
    this.#otherTopics ??= new Set()
    if (this.#otherTopics.has(topic)) return false
    if (this.#otherTopics.size >= otherTopicsMax) return true
    this.#otherTopics.add(topic)
    return false
  }

  /** A write in the machine's own protocol, ready to be sent; nothing has been sent yet. */
  prepareWrite(write: TagWrite): PreparedWrite | Unwritable {
    if (!this.#online) return 'offline'
    // A Sparkplug node itself declares which tags are writable.
    if (this.#node) return write.isOpened ? 'unsupported' : this.#prepareCommand(this.#node, write)
    const dataTopic = this.#dataTopics?.get(write.group)
    return dataTopic ? this.#prepareSetting(dataTopic, write) : this.#prepareRpc(write)
  }

  /** Its keys changed how its messages are to be understood: the next one is. */
  setLanguage(language: Language): void {
    this.#language = language
  }

  /** Takes the messages that wait for their turn. */
  takeHeld(): void {
    this.#order?.flush()
  }

  movedOn(): void {
    const online = this.#online
    this.#online = undefined
    if (online) this.#deps.presence.letGo(this.#peer.machine.machineId, online)
    this.ended(undefined)
  }

  ended(will: Will | undefined): void {
    this.#isEnded = true
    this.#long?.end()
    this.takeHeld()
    if (will && !isNodeDeath(will)) this.publish(will.topic, will.payload, sentAsWill)?.catch(() => {})
    this.#goOffline()
    this.#pace.holders--
  }

  /** Drops a message without an acknowledgement unread; the raw log reports it once a second. */
  #drop(topic: string, payload: Buffer): undefined {
    const { paces, rawLog } = this.#deps
    const at = this.#deps.now()
    if (this.#online) this.#online.lastSeenAt = at
    paces.dropped++
    const dropped = this.#pace.drop()
    if (dropped === 0) return
    const uplink = refusedUplink('tooFast', `${dropped} messages above ${this.#pace.perS} values a second`)
    const { machineId } = this.#peer.machine
    rawLog.keep({ machineId, at, topic, payload, adapter: null, uplink, outcome: undefined })
  }

  #prepareCommand(node: SparkplugNode, write: TagWrite): PreparedWrite | Unwritable {
    if (!node.isBorn) return 'offline'
    const command = node.prepareWrite(this.#peer.machine.code, write)
    if (typeof command === 'string') return command
    const { topic, metric } = command
    if (!this.#peer.listens(topic)) return 'unsupported'
    return {
      send: () => {
        const timestamp = this.#deps.now()
        const payload = encodeSparkplugPayload({ timestamp, metrics: [{ ...metric, timestamp }] })
        return this.#peer.send(topic, Buffer.from(payload))
      },
    }
  }

  #prepareRpc({ group, tag, value }: TagWrite): PreparedWrite | Unwritable {
    const topicOf = (request: number) => `${plainTopic.rpcRequestPrefix}${request}`
    // Plain JSON has no groups: such a tag is from a protocol that the machine used before.
    if (group !== '' || !this.#peer.listens(topicOf(0))) return 'unsupported'
    const params = { [tag]: presentValue(value) }
    const payload = encodeJson(JSON.stringify({ method: 'write', params }), this.#language.textEncoding)
    return { send: (request) => this.#peer.send(topicOf(request), payload) }
  }

  /** An HMI subscribes under `cmd/` to the topics that it publishes under `data/`. */
  #prepareSetting({ topic, adapter }: DataTopic, { tag, value }: TagWrite): PreparedWrite | Unwritable {
    const commandTopic = `cmd${topic.slice('data'.length)}`
    const wire = presentValue(value)
    const text = adapter === 'weintek' ? weintekWrite(tag, wire) : vendorWrite(tag, String(wire))
    if (text === undefined || !this.#peer.listens(commandTopic)) return 'unsupported'
    return { send: () => this.#peer.send(commandTopic, encodeJson(text, this.#language.textEncoding)) }
  }

  #noteDataTopic(topic: string, { uplink, adapter }: ReadMessage): void {
    const first = uplink.records[0]
    if (first?.kind !== 'sample' || (adapter !== 'vendor' && adapter !== 'weintek')) return
    this.#dataTopics ??= new Map()
    const known = this.#dataTopics.get(first.group)
    if (known?.topic === topic && known.adapter === adapter) return
    if (known || this.#dataTopics.size < dataTopicsMax) this.#dataTopics.set(first.group, { topic, adapter })
  }

  #passAnswers({ readBacks, rpcAnswer }: Uplink): void {
    const { machineId } = this.#peer.machine
    if (readBacks) this.#deps.bus.publish('readBacks', { machineId, readBacks })
    if (rpcAnswer) this.#deps.bus.publish('rpcAnswers', { machineId, ...rpcAnswer })
  }

  #append(message: Message, read: ReadMessage, cost: number): Promise<void> {
    const { machineId } = this.#peer.machine
    const { records } = read.uplink
    const known = this.#remember(message, read, cost)
    const report = new AppendReport(read.uplink.notes)
    return this.#deps.telemetry.append(machineId, records, report).then(
      (refused) => {
        this.#settle(known, report.isKnownOf(records, refused))
        this.#keepRaw(message, saysRepeated(read, report), refused, report.notes)
      },
      (error) => {
        this.#settle(known, false)
        // A message that can never be stored is acknowledged, or the machine would repeat it endlessly.
        if (!(error instanceof RecordsRefused)) throw error
        this.#keepRaw(message, read, error)
      },
    )
  }

  #remember(
    { topic, digest, packetId, now }: Message,
    { uplink: { records }, adapter }: ReadMessage,
    cost: number,
  ): KnownId | undefined {
    if (digest === undefined) return undefined
    const values = countValues(records)
    const about = {
      packetId,
      source: this.#source,
      isStamped: isStamped(records, now),
      values,
      cost,
      adapter,
    }
    return this.#deps.known.add(this.#said(topic, digest), about)
  }

  #said(topic: string, digest: string): Said {
    return { machineId: this.#peer.machine.machineId, topic, digest }
  }

  #settle(known: KnownId | undefined, isStored: boolean): void {
    if (known !== undefined) this.#deps.known.settle(known, isStored)
  }

  #keepRaw(
    { topic, payload, now: at }: Pick<Message, 'topic' | 'payload' | 'now'>,
    { uplink, adapter }: ReadMessage,
    outcome: RefusedTags | RecordsRefused | undefined = undefined,
    notes: readonly string[] = uplink.notes ?? [],
  ): void {
    const { machineId } = this.#peer.machine
    this.#deps.rawLog.keep({ machineId, at, topic, payload, adapter, uplink, outcome, notes })
  }

  #openNode(): SparkplugNode {
    if (!this.#node) {
      this.#node = new SparkplugNode()
      this.#order = new SparkplugOrder(this.#node, (ms, run) =>
        this.#deps.after(ms, () => {
          // The waiting messages came after the one that is being read. One that waits for a place is not waited for: those
          // that wait for their turn may have that place.
          if (this.#long && this.#deps.long.isInHand(this.#long)) this.#afterReading.push(run)
          else run()
        }),
      )
    }
    return this.#node
  }

  #askForRebirth(topic: string): void {
    const parsed = parseSparkplugTopic(topic)
    if (!parsed || parsed.type === 'STATE') return
    const metrics = [this.#openNode().rebirthMetric()]
    const payload = encodeSparkplugPayload({ timestamp: this.#deps.now(), metrics })
    const { group, edgeNode } = parsed
    this.#peer.send(formatSparkplugTopic({ type: 'NCMD', group, edgeNode }), Buffer.from(payload))
  }

  #comeOnline(protocol: string): void {
    if (this.#online) return
    const { machine, address } = this.#peer
    this.#online = this.#deps.presence.begin(machine.machineId, `${this.#peer.protocol}/${protocol}`, address)
  }

  #goOffline(): void {
    const online = this.#online
    this.#online = undefined
    if (online) this.#deps.presence.end(this.#peer.machine.machineId, online)
  }
}
