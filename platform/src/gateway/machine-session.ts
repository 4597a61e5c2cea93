import {
  encodeSparkplugPayload,
  formatSparkplugTopic,
  parseSparkplugTopic,
  protocolMetric,
  SparkplugDatatype,
} from '@busbar/link'
import { RecordsRefused, type Telemetry } from '../modules/telemetry/index.ts'
import { readPlainMessage } from './adapters/plain-json.ts'
import { SparkplugNode } from './adapters/sparkplug.ts'
import { refusedUplink, type Uplink } from './adapters/uplink.ts'
import type { Session, Will } from './connection.ts'
import type { MachineLogin } from './login.ts'
import type { Online, Presence } from './presence.ts'
import type { RawLog } from './raw-log.ts'

export interface SessionDeps {
  readonly telemetry: Telemetry
  readonly presence: Presence
  readonly rawLog: RawLog
  readonly counters: IngestCounters
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
  send(topic: string, payload: Buffer): void
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
    return stored
  }

  ended(will: Will | undefined): void {
    if (will && !isNodeDeath(will)) this.publish(will.topic, will.payload)?.catch(() => {})
    this.#goOffline()
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
