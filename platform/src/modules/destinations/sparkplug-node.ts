import { topicWord } from '@busbar/contract'
import {
  decodeSparkplugPayload,
  encodeSparkplugPayload,
  formatSparkplugTopic,
  metricValue,
  Quality,
  rawValue,
  SparkplugDatatype,
  type SparkplugMetric,
} from '@busbar/link'
import type { SparkplugNames } from './broker-names.ts'
import type { MqttMessage } from './mqtt-connection.ts'
import type { SentRow } from './transport.ts'

type Value = boolean | number | string | null

/** A row of a machine; rows about the project have no values. */
interface ToldRow {
  readonly machineCode?: string
  readonly time: number
  readonly late?: boolean
  readonly values?: Readonly<Record<string, Value>>
  readonly quality?: Readonly<Record<string, keyof typeof Quality>>
}

/** A metric of a machine, with its last value that was not late. */
interface Known {
  datatype: number
  value: Value
  time: number | undefined
  quality: number | undefined
}

type NodeMessage = 'NBIRTH' | 'NDEATH' | 'NCMD'
type DeviceMessage = 'DBIRTH' | 'DDATA' | 'DDEATH'

interface Device {
  linkId: number | null
  readonly metrics: Map<string, Known>
  /** Its birth has all its metrics, with their types. */
  isBorn: boolean
}

/** A host that asks more often gets one answer; a node of many metrics needs longer for each. */
const rebirthMs = 1_000
const metricsOfMs = 10
/** A command that could be one for us is short. */
const commandBytesMax = 4_096
/** A node that knows more begins anew, and forgets what is told no longer. */
const metricsMax = 100_000
const rebirthName = 'Node Control/Rebirth'

/**
 * The messages of a Sparkplug edge node: the project is the node, its machines are the devices. It knows them longer than
 * a connection lasts, so that a host has all of them again after a break.
 */
export class SparkplugNode {
  readonly #group: string
  readonly #edgeNode: string
  readonly #isHistory: boolean
  readonly #devices = new Map<string, Device>()
  /** Codes of machines that left the project, and were born in this connection. */
  #left: string[] = []
  #metrics = 0
  #bdSeq = 0
  #seq = 0
  #isBirthDue = true
  #bornAt = Number.NEGATIVE_INFINITY

  /** `isHistory`: all its rows are of the past. */
  constructor({ group, edgeNode }: SparkplugNames, { isHistory = false } = {}) {
    this.#group = group
    this.#edgeNode = edgeNode
    this.#isHistory = isHistory
  }

  /** Begins a connection, in which nothing is born yet. */
  begin(bdSeq: number): void {
    this.#bdSeq = bdSeq
    this.#left = []
    this.#isBirthDue = true
    this.#bornAt = Number.NEGATIVE_INFINITY
  }

  /** The broker publishes it when the connection breaks, and we before the connection ends. */
  get death(): MqttMessage {
    const payload = { timestamp: Date.now(), metrics: [this.#bdSeqMetric()] }
    return { topic: this.#topicOf('NDEATH'), payload: Buffer.from(encodeSparkplugPayload(payload)) }
  }

  get commandTopic(): string {
    return this.#topicOf('NCMD')
  }

  get isFull(): boolean {
    return this.#metrics > metricsMax
  }

  /** Whether there are births or deaths to tell. */
  get isDue(): boolean {
    return this.#left.length > 0 || this.#isBirthTime
  }

  get #isBirthTime(): boolean {
    const dueAt = this.#bornAt + rebirthMs + this.#metrics / metricsOfMs
    return this.#isBirthDue && performance.now() >= dueAt
  }

  /** Forgets the machines of these links. */
  forget(linkIds: ReadonlySet<number>): void {
    for (const [code, { linkId, metrics, isBorn }] of this.#devices) {
      if (linkId === null || !linkIds.has(linkId)) continue
      this.#devices.delete(code)
      this.#metrics -= metrics.size
      if (isBorn && Number.isFinite(this.#bornAt)) this.#left.push(code)
    }
  }

  /** Takes a message of somebody at their broker: a host may want the births again. */
  take({ topic, payload }: MqttMessage): void {
    if (topic === this.commandTopic && payload.length <= commandBytesMax)
      this.#isBirthDue ||= isRebirth(payload)
  }

  /** The messages of rows, after the births and deaths that are due. */
  tell(rows: readonly Pick<SentRow, 'text' | 'linkId'>[]): MqttMessage[] {
    const told = rows.map(({ text, linkId }) => ({ ...(JSON.parse(`{${text}`) as ToldRow), linkId }))
    for (const row of told) this.#learn(row)
    const deaths = this.#left.map((code) => this.#message('DDEATH', [], code))
    this.#left = []
    const births = this.#isBirthTime ? this.#births() : []
    return [...deaths, ...births, ...told.flatMap((row) => this.#dataOf(row))]
  }

  /** Learns metrics and their types before rows are told, so that a machine has one birth for all of them. */
  #learn({ machineCode, values, linkId }: ToldRow & Pick<SentRow, 'linkId'>): void {
    if (machineCode === undefined || !values) return
    const known = this.#devices.get(machineCode)
    const device = known ?? { linkId, metrics: new Map<string, Known>(), isBorn: false }
    device.linkId = linkId
    this.#devices.set(machineCode, device)
    for (const [name, value] of Object.entries(values)) {
      // An empty value has no type: its metric is born with the first other one.
      if (value === null) continue
      const datatype = datatypeOf(value)
      const metric = device.metrics.get(name)
      if (metric?.datatype === datatype || metric?.datatype === SparkplugDatatype.string) continue
      if (metric) metric.datatype = SparkplugDatatype.string
      else {
        device.metrics.set(name, { datatype, value: null, time: undefined, quality: undefined })
        this.#metrics++
      }
      device.isBorn = false
    }
  }

  #births(): MqttMessage[] {
    this.#isBirthDue = false
    this.#bornAt = performance.now()
    this.#seq = 0
    const rebirth = metricOf(rebirthName, SparkplugDatatype.boolean, false)
    const birth = this.#message('NBIRTH', [this.#bdSeqMetric(), rebirth])
    const born = [...this.#devices].filter(([, device]) => device.isBorn)
    return [birth, ...born.map(([code, device]) => this.#birthOf(code, device))]
  }

  #birthOf(code: string, device: Device): MqttMessage {
    device.isBorn = true
    const metrics = Array.from(device.metrics, ([name, { datatype, value, time, quality }]) =>
      metricOf(name, datatype, value, { time, quality }),
    )
    return this.#message('DBIRTH', metrics, code)
  }

  #dataOf({ machineCode, time, late = false, values, quality = {} }: ToldRow): MqttMessage[] {
    const device = this.#devices.get(machineCode ?? '')
    if (machineCode === undefined || !values || !device) return []
    const isPast = late || this.#isHistory
    const metrics: SparkplugMetric[] = []
    for (const [name, value] of Object.entries(values)) {
      const known = device.metrics.get(name)
      if (!known) continue
      const of = { time, quality: Object.hasOwn(quality, name) ? Quality[quality[name] ?? 'bad'] : undefined }
      if (!isPast) Object.assign(known, { value, ...of })
      metrics.push({ ...metricOf(name, known.datatype, value, of), ...(isPast && { isHistorical: true }) })
    }
    const births = device.isBorn ? [] : [this.#birthOf(machineCode, device)]
    return [...births, this.#message('DDATA', metrics, machineCode)]
  }

  #message(type: NodeMessage | DeviceMessage, metrics: SparkplugMetric[], code?: string): MqttMessage {
    const payload = encodeSparkplugPayload({ timestamp: Date.now(), metrics, seq: this.#seq })
    this.#seq = (this.#seq + 1) % 256
    return { topic: this.#topicOf(type, code), payload: Buffer.from(payload) }
  }

  #topicOf(type: NodeMessage | DeviceMessage, code = ''): string {
    const node = { group: this.#group, edgeNode: this.#edgeNode }
    return type === 'DBIRTH' || type === 'DDATA' || type === 'DDEATH'
      ? formatSparkplugTopic({ type, ...node, device: topicWord(code) })
      : formatSparkplugTopic({ type, ...node })
  }

  #bdSeqMetric(): SparkplugMetric {
    return metricOf('bdSeq', SparkplugDatatype.int64, this.#bdSeq)
  }
}

/** A payload for people to read. */
export const showPayload = (payload: Buffer): string =>
  JSON.stringify(decodeSparkplugPayload(payload), (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )

function isRebirth(payload: Buffer): boolean {
  try {
    const metric = decodeSparkplugPayload(payload).metrics.find(({ name }) => name === rebirthName)
    return metric !== undefined && metricValue(metric, SparkplugDatatype.boolean) === true
  } catch {
    // Anybody at their broker may write anything there.
    return false
  }
}

function datatypeOf(value: boolean | number | string): number {
  if (typeof value === 'boolean') return SparkplugDatatype.boolean
  return typeof value === 'number' ? SparkplugDatatype.double : SparkplugDatatype.string
}

function metricOf(
  name: string,
  datatype: number,
  value: Value,
  {
    time = Date.now(),
    quality,
  }: { readonly time?: number | undefined; readonly quality?: number | undefined } = {},
): SparkplugMetric {
  const told = value !== null && datatype === SparkplugDatatype.string ? String(value) : value
  return {
    ...{ name, timestamp: time, datatype, raw: rawValue(told, datatype) },
    ...(quality !== undefined && {
      properties: {
        Quality: { type: SparkplugDatatype.int32, raw: rawValue(quality, SparkplugDatatype.int32) },
      },
    }),
  }
}
