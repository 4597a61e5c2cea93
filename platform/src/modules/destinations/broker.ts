import type { destinations as contract } from '@busbar/contract'
import type { IConnectPacket } from 'mqtt-packet'
import {
  type OpenedSocket,
  type OutgoingCalls,
  OutgoingError,
  parseTypedAddress,
} from '../../kernel/outgoing-http/index.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { spaceOf } from '../spaces/index.ts'
import { clientIdOf, type NameEnd, sparkplugNames } from './broker-names.ts'
import { openBroker } from './broker-settings.ts'
import type { LaneSettings } from './lanes-store.ts'
import { MqttConnection, type MqttMessage, RefusedByBroker } from './mqtt-connection.ts'
import { type BrokerRefusal, formatReason } from './mqtt-reasons.ts'
import type { TryEnd } from './retry-rules.ts'
import { SparkplugNode, showPayload } from './sparkplug-node.ts'
import { topicOf } from './topic.ts'
import {
  type Attempt,
  type Sending,
  type SentRow,
  showBytes,
  shownBytesMax,
  type Transport,
} from './transport.ts'

/** For name, connection, TLS and sign-in together, and then without an acknowledgement. */
const usualPatienceMs = 15_000
/** A connection without rows is closed before a broker would ask whether we are there. */
const idleMs = 60_000
const keepAliveS = 90

interface BrokerOptions {
  readonly nameEnd?: NameEnd
  readonly patienceMs?: number
  /** Whether its rows are of the past. */
  readonly isHistory?: boolean
  /** Of a connection of Sparkplug. */
  nextBdSeq?(destinationId: number): number | Promise<number>
}

/** A connection with the settings that it was made of. */
interface Line {
  readonly settings: string
  readonly mqtt: MqttConnection
  readonly signInMs: number
  /** Of Sparkplug. */
  readonly node: SparkplugNode | undefined
}

/**
 * Publishes rows to somebody's broker, each as one message of QoS 1. They are accepted when the broker has acknowledged
 * every one. The connection is kept while rows come; that of Sparkplug also without any, because its end is a death.
 */
export class Broker implements Transport {
  readonly #outgoing: Pick<OutgoingCalls, 'openSocket'>
  readonly #secrets: SecretBox
  readonly #nameEnd: NameEnd
  readonly #patienceMs: number
  readonly #isHistory: boolean
  readonly #nextBdSeq: (destinationId: number) => number | Promise<number>
  #line: Line | undefined
  /** Of Sparkplug, over its connections with these settings. */
  #node: { readonly settings: string; readonly node: SparkplugNode } | undefined
  #idle: NodeJS.Timeout | undefined
  /** Between two sendings. */
  #pinging: Promise<void> | undefined

  constructor(
    outgoing: Pick<OutgoingCalls, 'openSocket'>,
    secrets: SecretBox,
    {
      nameEnd = '',
      patienceMs = usualPatienceMs,
      isHistory = false,
      nextBdSeq = countConnections(),
    }: BrokerOptions = {},
  ) {
    this.#outgoing = outgoing
    this.#secrets = secrets
    this.#nameEnd = nameEnd
    this.#patienceMs = patienceMs
    this.#isHistory = isHistory
    this.#nextBdSeq = nextBdSeq
  }

  async send(settings: LaneSettings, { rows, signal }: Sending): Promise<Attempt> {
    let messages: readonly MqttMessage[] = []
    const begunAt = performance.now()
    let signedInAt: number | undefined
    let line: Line | undefined
    const attempt = (end: TryEnd, refusal?: BrokerRefusal, error?: OutgoingError): Attempt => ({
      end,
      ms: Math.round(performance.now() - begunAt),
      bytes: messages.reduce((sum, { payload }) => sum + payload.length, 0),
      connection: line?.mqtt.connection ?? error?.connection,
      signInMs: line?.signInMs,
      answerMs: signedInAt === undefined ? undefined : performance.now() - signedInAt,
      error,
      detail: refusal?.detail ?? error?.detail ?? error?.problem ?? '',
      showRequest: () => showMessages(this.#connectPacket(settings, line?.node), messages, settings.format),
      showAnswer: () => showAnswers(line !== undefined, refusal, end.fault === null ? messages.length : 0),
    })
    clearTimeout(this.#idle)
    await this.#pinging
    clearTimeout(this.#idle)
    try {
      line = await this.#connect(settings, signal)
      signedInAt = performance.now()
      // A node learns nothing of rows that were taken back: it would not be told again to forget their machines.
      signal?.throwIfAborted()
      messages = line.node?.tell(rows) ?? messagesOf(settings, rows)
      const refusal = await line.mqtt.publish(messages, signal)
      // The numbers of a node have no holes, as those of rows have that were refused.
      if (line.node?.isFull) this.#node = undefined
      if (line.node && (refusal || line.node.isFull)) this.close()
      else this.#rest(line)
      return attempt(endOf(refusal), refusal)
    } catch (error) {
      this.close()
      if (error instanceof RefusedByBroker) return attempt(endOf(error.refusal), error.refusal)
      if (error instanceof OutgoingError)
        return attempt({ status: null, fault: error.code }, undefined, error)
      throw error
    }
  }

  isDue(settings: LaneSettings): boolean {
    if (settings.format !== 'sparkplug') return false
    const line = this.#line
    return line?.settings !== keyOf(settings) || !line.mqtt.isOpen || (line.node?.isDue ?? false)
  }

  forget(linkIds: ReadonlySet<number>): void {
    this.#node?.node.forget(linkIds)
  }

  close(): void {
    clearTimeout(this.#idle)
    this.#line?.mqtt.end(this.#line.node?.death)
    this.#line = undefined
  }

  async #connect(settings: LaneSettings, signal: AbortSignal | undefined): Promise<Line> {
    const [key, former] = [keyOf(settings), this.#line]
    if (former?.settings === key && former.mqtt.isOpen) return former
    this.close()
    // Hosts saw the node die: that is told before it is born again.
    if (former?.settings === key && former.node) throw former.mqtt.failure
    const node = await this.#beginNode(settings, key)
    const begunAt = performance.now()
    const opened = await this.#open(settings, signal)
    const openedAt = performance.now()
    const connection = await MqttConnection.open(opened, this.#connectPacket(settings, node), {
      signInMs: this.#patienceMs - (openedAt - begunAt),
      patienceMs: this.#patienceMs,
      signal,
      listen: node && { topic: node.commandTopic, take: (message) => node.take(message) },
    })
    this.#line = { settings: key, mqtt: connection, signInMs: performance.now() - openedAt, node }
    return this.#line
  }

  async #beginNode(settings: LaneSettings, key: string): Promise<SparkplugNode | undefined> {
    const { format, mqtt, projectId, destinationId } = settings
    if (format !== 'sparkplug' || !mqtt) return undefined
    const bdSeq = await this.#nextBdSeq(destinationId)
    if (this.#node?.settings !== key) {
      const names = sparkplugNames({ mqtt, projectId }, this.#nameEnd)
      this.#node = { settings: key, node: new SparkplugNode(names, { isHistory: this.#isHistory }) }
    }
    this.#node.node.begin(bdSeq)
    return this.#node.node
  }

  /** Opens a socket, unless the signal comes first. */
  async #open(settings: LaneSettings, signal: AbortSignal | undefined): Promise<OpenedSocket> {
    const to = parseTypedAddress(settings.url, { protocols: ['mqtts', 'mqtt'] })
    const { ca, pin, certificate } = settings.mqtt ?? {}
    const { privateKey } = openBroker(this.#secrets, settings.destinationId, settings.mqttSealed)
    signal?.throwIfAborted()
    const withdrawn = Promise.withResolvers<never>()
    const withdraw = () => withdrawn.reject(signal?.reason)
    signal?.addEventListener('abort', withdraw)
    const opening = this.#outgoing.openSocket(to, {
      space: spaceOf(settings),
      deadlineMs: this.#patienceMs,
      tls: { ca, pin, certificate, privateKey },
    })
    try {
      return await Promise.race([opening, withdrawn.promise])
    } catch (error) {
      opening.then(
        ({ socket }) => socket.destroy(),
        () => undefined,
      )
      throw error
    } finally {
      signal?.removeEventListener('abort', withdraw)
    }
  }

  #connectPacket(
    { destinationId: id, mqtt, mqttSealed }: LaneSettings,
    node: SparkplugNode | undefined,
  ): IConnectPacket {
    const { version = '5', clientId = '', username = '', group = '', edgeNode = '' } = mqtt ?? {}
    const { password } = openBroker(this.#secrets, id, mqttSealed)
    return {
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: version === '5' ? 5 : 4,
      clean: true,
      clientId: clientIdOf({ id, mqtt: { clientId, group, edgeNode } }, this.#nameEnd),
      keepalive: keepAliveS,
      ...(node && { will: { ...node.death, qos: 1, retain: false } }),
      ...(username && { username, ...(password && { password: Buffer.from(password) }) }),
    }
  }

  /** Until the next rows, closes a connection without any, or keeps that of a node. */
  #rest(line: Line): void {
    clearTimeout(this.#idle)
    const ms = Math.min(idleMs, line.mqtt.keepAliveMs)
    this.#idle = line.node
      ? setTimeout(() => this.#ping(line), Math.ceil(ms / 2)).unref()
      : setTimeout(() => this.close(), ms).unref()
  }

  #ping(line: Line): void {
    this.#pinging = line.mqtt.ping().then(
      () => {
        if (this.#line === line) this.#rest(line)
      },
      // The next sending tells why it broke.
      () => undefined,
    )
  }
}

/** Another connection is needed for other ones. */
const keyOf = ({ url, mqtt, mqttSealed, format }: LaneSettings): string =>
  JSON.stringify([url, format, mqtt, mqttSealed?.toString('base64')])

/** A node that begins at 0 and does not outlive its transport. */
function countConnections(): () => number {
  let count = 0
  return () => count++ % 256
}

function messagesOf({ mqtt, projectId }: LaneSettings, rows: readonly SentRow[]): MqttMessage[] {
  const { topic = '' } = mqtt ?? {}
  return rows.map((row) => ({ topic: topicOf(topic, projectId, row), payload: Buffer.from(row.sent) }))
}

const endOf = (refusal: BrokerRefusal | undefined): TryEnd =>
  refusal
    ? { status: refusal.code, fault: refusal.fault, means: refusal.means }
    : { status: null, fault: null }

/** As text, because MQTT is binary; the password is left out. */
function showMessages(
  packet: IConnectPacket,
  messages: readonly MqttMessage[],
  format: contract.RowFormat,
): string {
  const { protocolVersion, clientId, username, password, keepalive, will } = packet
  const user = username ? ` user=${username} password=${password ? '***' : 'none'}` : ''
  const version = protocolVersion === 5 ? '5' : '3.1.1'
  const lines = [`CONNECT version=${version} client=${clientId}${user} clean=1 keepAlive=${keepalive}`]
  if (will) lines[0] += ` will=${will.topic}`
  let length = 0
  for (const { topic, payload } of messages) {
    if (length > shownBytesMax) break
    const text = `PUBLISH qos=1 topic=${topic}\n${format === 'sparkplug' ? showPayload(payload) : payload}`
    lines.push(text)
    length += text.length
  }
  return showBytes(lines.join('\n'))
}

function showAnswers(isSignedIn: boolean, refusal: BrokerRefusal | undefined, acknowledged: number): string {
  const lines = [
    isSignedIn && `CONNACK ${formatReason(0)}`,
    acknowledged > 0 && `PUBACK ${formatReason(0)} (${acknowledged})`,
    refusal && `${refusal.packet} ${refusal.detail}`,
  ]
  return showBytes(lines.filter(Boolean).join('\n'))
}
