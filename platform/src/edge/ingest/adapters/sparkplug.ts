import {
  compressedPayloadUuid,
  decodeSparkplugEnvelope,
  decodeSparkplugPayload,
  formatSparkplugTopic,
  metricValue,
  protocolMetric,
  type SparkplugAlias,
  SparkplugDatatype,
  type SparkplugMetric,
  type SparkplugPayload,
  type SparkplugTopic,
} from '@busbar/link'
import type { ReadBack } from '../../../kernel/bus/bus.ts'
import type { AlarmRecord, UplinkRecord } from '../../../modules/telemetry/index.ts'
import type { TagWrite, Unwritable } from '../tag-write.ts'
import { readBackOf } from './read-back.ts'
import { instantOf } from './read-time.ts'
import { commandMetric, type KnownMetric, knownMetricOf } from './sparkplug-metric.ts'
import { bdSeqOf, decompress } from './sparkplug-payload.ts'
import { Beside, BirthReading, recordOf, type Scope } from './sparkplug-record.ts'
import { emptyUplink, refusedUplink, type Turn, type Uplink } from './uplink.ts'

const rebirthPauseMs = 10_000
const sequenceLength = 256
const devicesMax = 1_000
/** Alarms whose standing is remembered, so that late news of them is understood. */
const standingAlarmsMax = 5_000

/** A Sparkplug message of a node or of a device behind it. */
export type NodeTopic = Exclude<SparkplugTopic, { type: 'STATE' }>

/** A decoded message; a birth without its metrics, which were read already; or the reason why it cannot be decoded. */
export type DecodedMessage =
  | { readonly payload: SparkplugPayload; readonly birth?: BirthReading }
  | { readonly error: Error }

/**
 * A Sparkplug edge node as one connection shows it: births, aliases, the sequence, deaths. Pure: bytes and time in,
 * records out (rules/wire.md: sparkplug).
 */
export class SparkplugNode {
  /** While true, a message before its turn is not taken; its uplink reports this, because the caller can wait. */
  isPatient = false
  /** By device; the node itself under the empty name. */
  readonly #scopes = new Map<string, Scope>()
  /** Devices with a death since the node's birth. */
  readonly #deadDevices = new Set<string>()
  /** The state of each alarm by the birth and live messages. */
  readonly #alarms = new Map<string, AlarmRecord>()
  #group = ''
  #sequence: number | undefined
  #bdSeq: bigint | undefined
  #isBorn = false
  #rebirthAskedAt = Number.NEGATIVE_INFINITY

  /** True between a birth and its death. */
  get isBorn(): boolean {
    return this.#isBorn
  }

  /** The number that the next message must have; undefined before a birth and after a death. */
  get nextSequence(): number | undefined {
    return this.#isBorn && this.#sequence !== undefined ? (this.#sequence + 1) % sequenceLength : undefined
  }

  /** A message's place in the sequence; undefined if it has none or is unreadable. */
  turnOf(bytes: Uint8Array): Turn | undefined {
    try {
      const envelope = decodeSparkplugEnvelope(bytes)
      if (envelope.uuid !== compressedPayloadUuid) return turnIn(envelope)
      return turnIn(decompress(decodeSparkplugPayload(bytes)))
    } catch {
      return undefined
    }
  }

  /** The message that writes a tag; the node's own under NCMD, a device's under DCMD. */
  prepareWrite(code: string, write: TagWrite): { topic: string; metric: SparkplugMetric } | Unwritable {
    for (const [device, scope] of this.#scopes) {
      for (const [name, known] of scope.byName) {
        if (known.kind !== 'tag' || known.name !== write.tag || known.group !== write.group) continue
        const metric = commandMetric(addressOf(scope, name, known), known, write.value)
        if (typeof metric === 'string') return metric
        const node = { group: this.#group, edgeNode: code }
        return {
          topic: formatSparkplugTopic(
            device === '' ? { type: 'NCMD', ...node } : { type: 'DCMD', ...node, device },
          ),
          metric,
        }
      }
    }
    for (const device of this.#deadDevices) {
      if (write.group === device || write.group.startsWith(`${device}/`)) return 'offline'
    }
    return 'unsupported'
  }

  /** The metric that asks the node for its birth. */
  rebirthMetric(): SparkplugMetric {
    const name = protocolMetric.rebirth
    const scope = this.#scopes.get('')
    const known = scope?.byName.get(name)
    const raw = { kind: 'boolean', value: true } as const
    const by = scope && known ? addressOf(scope, name, known) : { name }
    return 'alias' in by ? { ...by, raw } : { ...by, datatype: SparkplugDatatype.boolean, raw }
  }

  /** Takes a message in; `decoded` where it was read before. */
  accept(topic: NodeTopic, bytes: Uint8Array, now: number, decoded = decode(bytes)): Uplink {
    if ('error' in decoded) return refusedUplink('protocolError', decoded.error.message)
    const { payload, birth } = decoded
    const turn = this.isPatient && isSequenced(topic) ? turnIn(payload) : undefined
    if (turn && turn.seq !== this.nextSequence) return { records: [], outOfTurn: turn }
    switch (topic.type) {
      case 'NBIRTH':
        this.#group = topic.group
        this.#deadDevices.clear()
        return this.#beginNode(payload, birth ?? readBirth('', payload, now))
      case 'DBIRTH':
        this.#deadDevices.delete(topic.device)
        return this.#inOrder(
          payload,
          now,
          this.#birth(topic.device, payload, birth ?? readBirth(topic.device, payload, now)),
        )
      case 'NDATA':
        return this.#inOrder(payload, now, this.#data('', payload, now))
      case 'DDATA':
        return this.#inOrder(payload, now, this.#data(topic.device, payload, now))
      case 'DDEATH':
        this.#scopes.delete(topic.device)
        if (this.#deadDevices.size < devicesMax) this.#deadDevices.add(topic.device)
        return this.#inOrder(payload, now, {
          records: [],
          staleGroup: topic.device,
          goneAt: sentAtOf(payload),
        })
      case 'NDEATH':
        return this.#endNode(payload)
      default:
        return refusedUplink('unknownTopic', 'a machine does not command itself')
    }
  }

  #beginNode(payload: SparkplugPayload, birth: BirthReading): Uplink {
    this.#scopes.clear()
    this.#alarms.clear()
    this.#isBorn = true
    // Any first number is accepted, though the specification wants 0 (eclipse-sparkplug/sparkplug#178).
    this.#sequence = payload.seq
    this.#bdSeq = birth.bdSeq
    return { ...this.#birth('', payload, birth), online: true }
  }

  /**
   * A death counts only when it belongs to the birth before it: a will left from an earlier connection must not end this
   * one. Nodes that leave bdSeq out are taken at their word.
   */
  #endNode(payload: SparkplugPayload): Uplink {
    if (!this.#isBorn) return emptyUplink
    const bdSeq = payload.metrics.map(bdSeqOf).find((number) => number !== undefined)
    if (bdSeq !== undefined && this.#bdSeq !== undefined && bdSeq !== this.#bdSeq) {
      return refusedUplink('staleDeath', `a death of bdSeq ${bdSeq}, but the birth had ${this.#bdSeq}`)
    }
    this.#isBorn = false
    this.#sequence = undefined
    return { records: [], online: false }
  }

  /** Checks the sequence after the message was taken: after a gap only the missing messages are lost. */
  #inOrder(payload: SparkplugPayload, now: number, uplink: Uplink): Uplink {
    const isGap = payload.seq === undefined || payload.seq !== this.nextSequence
    this.#sequence = payload.seq
    if (!isGap && !uplink.wantsRebirth) return uplink
    if (now - this.#rebirthAskedAt < rebirthPauseMs) return { ...uplink, wantsRebirth: false }
    this.#rebirthAskedAt = now
    return { ...uplink, wantsRebirth: true }
  }

  #birth(device: string, payload: SparkplugPayload, birth: BirthReading): Uplink {
    const { beside, unstored } = birth
    this.#scopes.set(device, birth.scope)
    const records = birth.records.map((record) =>
      record.kind === 'alarm' ? this.#withStanding(record) : record,
    )
    const uplink = uplinkOf(records, beside, sentAtOf(payload))
    return unstored === 0
      ? uplink
      : { ...uplink, verdict: 'unstoredMetrics', detail: `${unstored} metrics of a kind that is not stored` }
  }

  #data(device: string, payload: SparkplugPayload, now: number): Uplink {
    const scope = this.#scopes.get(device)
    const records: UplinkRecord[] = []
    const readBacks: ReadBack[] = []
    const beside = new Beside()
    const sentAt = sentAtOf(payload)
    let unknown = 0
    let isLive = false
    for (const metric of payload.metrics) {
      const known = findMetric(scope, metric, device)
      if (metric.properties !== undefined) {
        // A node may refuse a write to an unknown metric by the name in the command.
        const named =
          known ?? (metric.name === undefined ? undefined : knownMetricOf(metric.name, device, metric))
        const value = metricValue(metric, metric.datatype ?? named?.datatype)
        const readBack = readBackOf(named, metric, value, now)
        if (readBack) readBacks.push(readBack)
        if (readBack && metric.isTransient) continue
      }
      if (!known) {
        unknown++
        continue
      }
      const record = recordOf(known, metric, sentAt, false, beside)
      if (record) records.push(record.kind === 'alarm' ? this.#withStanding(record) : record)
      isLive ||= metric.isHistorical !== true
    }
    // A backlog may be stamped with the time at which it was gathered.
    const clockAt = isLive ? sentAt : undefined
    const read = uplinkOf(records, beside, clockAt)
    const uplink = readBacks.length > 0 ? { ...read, readBacks } : read
    if (unknown === 0) return uplink
    const detail = `${unknown} metrics that no birth announced`
    return { ...uplink, wantsRebirth: true, verdict: 'unknownMetrics', detail }
  }

  /** Late events of an alarm get its present state: they are of the past, whatever they claim. */
  #withStanding(alarm: AlarmRecord): AlarmRecord {
    const standing = this.#alarms.get(alarm.key)
    if (!alarm.late) {
      if (standing || this.#alarms.size < standingAlarmsMax) this.#alarms.set(alarm.key, alarm)
      return alarm
    }
    return standing ? { ...alarm, standing: { state: standing.state, time: standing.time } } : alarm
  }
}

/** The records of a message, those beside them and its notes. */
function uplinkOf(
  records: UplinkRecord[],
  { attributes, notes }: Beside,
  clockAt: number | undefined,
): Uplink {
  if (Object.keys(attributes).length > 0) records.push({ kind: 'attributes', attributes })
  const { texts } = notes
  return texts.length > 0 ? { records, clockAt, notes: texts } : { records, clockAt }
}

/** When a payload was sent, by its node's clock. */
function sentAtOf({ timestamp }: SparkplugPayload): number | undefined {
  return timestamp === undefined ? undefined : instantOf(timestamp)
}

function readBirth(device: string, payload: SparkplugPayload, now: number): BirthReading {
  const birth = new BirthReading(device, payload.timestamp, now)
  for (const metric of payload.metrics) birth.add(metric)
  return birth
}

function decode(bytes: Uint8Array): DecodedMessage {
  try {
    return { payload: decompress(decodeSparkplugPayload(bytes)) }
  } catch (error) {
    return { error: error as Error }
  }
}

/** Whether a message is part of its node's sequence: a birth begins it, a death has no number. */
function isSequenced({ type }: NodeTopic): boolean {
  return type === 'NDATA' || type === 'DBIRTH' || type === 'DDATA' || type === 'DDEATH'
}

function turnIn({ seq, timestamp }: Pick<SparkplugPayload, 'seq' | 'timestamp'>): Turn | undefined {
  return seq === undefined ? undefined : { seq, sentAt: timestamp }
}

/**
 * The address of a metric in a command: the alias of its birth. A node that compares aliases treats a name without one
 * as alias 0, which is another metric's (Eclipse Tahu's examples: Next Server). An alias given twice is not used.
 */
function addressOf(
  scope: Scope,
  name: string,
  known: KnownMetric,
): { readonly alias: SparkplugAlias } | { readonly name: string } {
  const { alias } = known
  return alias !== undefined && scope.byAlias.get(alias) === known ? { alias } : { name }
}

/** The meaning of a metric of a data message; one with its name and type needs no birth. */
function findMetric(
  scope: Scope | undefined,
  metric: SparkplugMetric,
  device: string,
): KnownMetric | undefined {
  if (metric.name !== undefined) {
    const known = scope?.byName.get(metric.name)
    if (known) return known
    return metric.datatype === undefined ? undefined : knownMetricOf(metric.name, device, metric)
  }
  return metric.alias === undefined ? undefined : scope?.byAlias.get(metric.alias)
}
