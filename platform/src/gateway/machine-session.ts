import {
  encodeSparkplugPayload,
  formatSparkplugTopic,
  parseSparkplugTopic,
  plainTopic,
  protocolMetric,
  SparkplugDatatype,
} from '@busbar/link'
import type { Bus } from '../bus/bus.ts'
import { presentValue, RecordsRefused, type Telemetry } from '../modules/telemetry/index.ts'
import { readPlainMessage } from './adapters/plain-json.ts'
import { SparkplugNode } from './adapters/sparkplug.ts'
import { refusedUplink, type Uplink } from './adapters/uplink.ts'
import type { Session, Will } from './connection.ts'
import type { MachineLogin } from './login.ts'
import type { Online, Presence } from './presence.ts'
import type { RawLog } from './raw-log.ts'
import type { PreparedWrite, TagWrite, Unwritable } from './tag-write.ts'

export interface SessionDeps {
  readonly telemetry: Telemetry
  readonly presence: Presence
  readonly rawLog: RawLog
  readonly counters: IngestCounters
  readonly bus: Bus
  now(): number
}

export interface IngestCounters {
  messages: number
  bytes: number
}

/** How a session reaches its client. */
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
}

const plainPrefix = 'v1/devices/me/'

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
  #online: Online | undefined

  constructor(deps: SessionDeps, peer: SessionPeer) {
    this.#deps = deps
    this.#peer = peer
    const awaitsBirth = peer.machine.adapter === 'sparkplug' || isNodeDeath(peer.will)
    if (!awaitsBirth) this.#comeOnline('mqtt')
  }

  publish(topic: string, payload: Buffer): Promise<void> | undefined {
    const { counters, telemetry } = this.#deps
    const now = this.#deps.now()
    counters.messages++
    counters.bytes += payload.length
    if (this.#online) this.#online.lastSeenAt = now
    const uplink = this.#readUplink(topic, payload, now)
    const { machineId } = this.#peer.machine
    if (uplink.verdict !== undefined) this.#keepRaw(topic, payload, uplink.verdict, now)
    if (uplink.online === true) this.#comeOnline('sparkplug')
    if (uplink.wantsRebirth) this.#askForRebirth(topic)
    if (uplink.staleGroup !== undefined) telemetry.markStale(machineId, uplink.staleGroup)
    const stored = uplink.records.length > 0 ? this.#append(topic, payload, uplink, now) : undefined
    if (uplink.online === false) this.#goOffline()
    if (!uplink.readBacks && !uplink.rpcAnswer) return stored
    if (stored) return stored.then(() => this.#tellAnswers(uplink))
    this.#tellAnswers(uplink)
    return undefined
  }

  /** A write in the machine's own protocol, ready to be sent; nothing has been sent yet. */
  prepareWrite(write: TagWrite): PreparedWrite | Unwritable {
    if (!this.#online) return 'offline'
    return this.#node ? this.#prepareCommand(this.#node, write) : this.#prepareRpc(write)
  }

  ended(will: Will | undefined): void {
    if (will && !isNodeDeath(will)) this.publish(will.topic, will.payload)?.catch(() => {})
    this.#goOffline()
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
    // Plain JSON knows no groups: such a tag is of another protocol the machine once spoke.
    if (group !== '' || !this.#peer.listens(topicOf(0))) return 'unsupported'
    const params = { [tag]: presentValue(value) }
    const payload = Buffer.from(JSON.stringify({ method: 'write', params }))
    return { send: (request) => this.#peer.send(topicOf(request), payload) }
  }

  #tellAnswers({ readBacks, rpcAnswer }: Uplink): void {
    const { machineId } = this.#peer.machine
    if (readBacks) this.#deps.bus.publish('readBacks', { machineId, readBacks })
    if (rpcAnswer) this.#deps.bus.publish('rpcAnswers', { machineId, ...rpcAnswer })
  }

  #readUplink(topic: string, payload: Buffer, now: number): Uplink {
    if (topic.startsWith(plainPrefix)) return readPlainMessage(topic, payload, now)
    const parsed = parseSparkplugTopic(topic)
    if (!parsed || parsed.type === 'STATE') return refusedUplink('no adapter knows this topic')
    this.#node ??= new SparkplugNode()
    return this.#node.accept(parsed, payload, now)
  }

  #append(topic: string, payload: Buffer, uplink: Uplink, now: number): Promise<void> {
    const { machineId } = this.#peer.machine
    return this.#deps.telemetry.append(machineId, uplink.records).then(
      (refused) => {
        if (refused.length > 0) {
          const names = refused.slice(0, 3).join(', ')
          this.#keepRaw(topic, payload, `${refused.length} tags refused: ${names}`, now)
        }
      },
      (error) => {
        // What can never be stored is acknowledged, or the machine would send it for ever.
        if (!(error instanceof RecordsRefused)) throw error
        this.#keepRaw(topic, payload, `cannot be stored: ${error.message}`, now)
      },
    )
  }

  #keepRaw(topic: string, payload: Buffer, verdict: string, at: number): void {
    const adapter = topic.startsWith(plainPrefix) ? 'json' : this.#node ? 'sparkplug' : null
    this.#deps.rawLog.add({ machineId: this.#peer.machine.machineId, at, topic, payload, adapter, verdict })
  }

  #askForRebirth(topic: string): void {
    const parsed = parseSparkplugTopic(topic)
    if (!parsed || parsed.type === 'STATE') return
    const payload = encodeSparkplugPayload({
      timestamp: this.#deps.now(),
      metrics: [
        {
          name: protocolMetric.rebirth,
          datatype: SparkplugDatatype.boolean,
          raw: { kind: 'boolean', value: true },
        },
      ],
    })
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
