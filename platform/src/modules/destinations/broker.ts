import type { IConnectPacket } from 'mqtt-packet'
import {
  type OpenedSocket,
  type OutgoingCalls,
  OutgoingError,
  parseTypedAddress,
} from '../../kernel/outgoing-http/index.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { spaceOf } from '../spaces/index.ts'
import { openBroker } from './broker-settings.ts'
import type { LaneSettings } from './lanes-store.ts'
import { MqttConnection, type MqttMessage, RefusedByBroker } from './mqtt-connection.ts'
import { type BrokerRefusal, formatReason } from './mqtt-reasons.ts'
import type { TryEnd } from './retry-rules.ts'
import { topicOf } from './topic.ts'
import { type Attempt, type Sending, showBytes, shownBytesMax, type Transport } from './transport.ts'

/** For name, connection, TLS and sign-in together, and then without an acknowledgement. */
const usualPatienceMs = 15_000
/** A connection without rows is closed before a broker would ask whether we are there. */
const idleMs = 60_000
const keepAliveS = 90

/** A connection with the settings that it was made of. */
interface Line {
  readonly settings: string
  readonly mqtt: MqttConnection
  readonly signInMs: number
}

/**
 * Publishes rows to somebody's broker, each as one message of QoS 1. They are accepted when the broker has acknowledged
 * every one. The connection is kept while rows come.
 */
export class Broker implements Transport {
  readonly #outgoing: Pick<OutgoingCalls, 'openSocket'>
  readonly #secrets: SecretBox
  /** After the client id: a broker ends a connection when another one has the same id. */
  readonly #idEnd: string
  readonly #patienceMs: number
  #line: Line | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(
    outgoing: Pick<OutgoingCalls, 'openSocket'>,
    secrets: SecretBox,
    { idEnd = '', patienceMs = usualPatienceMs } = {},
  ) {
    this.#outgoing = outgoing
    this.#secrets = secrets
    this.#idEnd = idEnd
    this.#patienceMs = patienceMs
  }

  async send(settings: LaneSettings, { rows, signal }: Sending): Promise<Attempt> {
    const { topic = '' } = settings.mqtt ?? {}
    const messages = rows.map((row) => ({
      topic: topicOf(topic, settings.projectId, row),
      payload: Buffer.from(row.sent),
    }))
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
      showRequest: () => showMessages(this.#connectPacket(settings), messages),
      showAnswer: () => showAnswers(line !== undefined, refusal, end.fault === null ? messages.length : 0),
    })
    clearTimeout(this.#idle)
    try {
      line = await this.#connect(settings, signal)
      signedInAt = performance.now()
      const refusal = await line.mqtt.publish(messages, signal)
      this.#closeLater(line.mqtt.keepAliveMs)
      return attempt(endOf(refusal), refusal)
    } catch (error) {
      this.close()
      if (error instanceof RefusedByBroker) return attempt(endOf(error.refusal), error.refusal)
      if (error instanceof OutgoingError)
        return attempt({ status: null, fault: error.code }, undefined, error)
      throw error
    }
  }

  close(): void {
    clearTimeout(this.#idle)
    this.#line?.mqtt.end()
    this.#line = undefined
  }

  async #connect(settings: LaneSettings, signal: AbortSignal | undefined): Promise<Line> {
    const { url, mqtt, mqttSealed } = settings
    const key = JSON.stringify([url, mqtt, mqttSealed?.toString('base64')])
    if (this.#line?.settings === key && this.#line.mqtt.isOpen) return this.#line
    this.close()
    const begunAt = performance.now()
    const opened = await this.#open(settings, signal)
    const openedAt = performance.now()
    const connection = await MqttConnection.open(opened, this.#connectPacket(settings), {
      signInMs: this.#patienceMs - (openedAt - begunAt),
      patienceMs: this.#patienceMs,
      signal,
    })
    this.#line = { settings: key, mqtt: connection, signInMs: performance.now() - openedAt }
    return this.#line
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

  #connectPacket({ destinationId, mqtt, mqttSealed }: LaneSettings): IConnectPacket {
    const { version = '5', clientId = '', username = '' } = mqtt ?? {}
    const { password } = openBroker(this.#secrets, destinationId, mqttSealed)
    return {
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: version === '5' ? 5 : 4,
      clean: true,
      clientId: (clientId || `busbar-${destinationId}`) + this.#idEnd,
      keepalive: keepAliveS,
      ...(username && { username, ...(password && { password: Buffer.from(password) }) }),
    }
  }

  #closeLater(keepAliveMs: number): void {
    this.#idle = setTimeout(() => this.close(), Math.min(idleMs, keepAliveMs)).unref()
  }
}

const endOf = (refusal: BrokerRefusal | undefined): TryEnd =>
  refusal
    ? { status: refusal.code, fault: refusal.fault, means: refusal.means }
    : { status: null, fault: null }

/** As text, because MQTT is binary; the password is left out. */
function showMessages(packet: IConnectPacket, messages: readonly MqttMessage[]): string {
  const { protocolVersion, clientId, username, password, keepalive } = packet
  const user = username ? ` user=${username} password=${password ? '***' : 'none'}` : ''
  const version = protocolVersion === 5 ? '5' : '3.1.1'
  const lines = [`CONNECT version=${version} client=${clientId}${user} clean=1 keepAlive=${keepalive}`]
  let length = 0
  for (const { topic, payload } of messages) {
    if (length > shownBytesMax) break
    const text = `PUBLISH qos=1 topic=${topic}\n${payload}`
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
