import type { SparkplugMetric } from '@busbar/link'
import {
  attributePrefix,
  decodeSparkplugPayload,
  encodeSparkplugPayload,
  formatMetricName,
  formatSparkplugTopic,
  LinkError,
  lostMetric,
  lostPropertyKey,
  metricValue,
  propertyKey,
  protocolMetric,
  Quality,
  rawValue,
  SparkplugDatatype,
  sparkplugGroup,
} from '@busbar/link'
import type { Alarm, WriteRefusal } from '../machine.ts'
import type { LostSpan } from '../outbox/lost-spans.ts'
import type { StoredTag } from '../outbox/sample-codec.ts'
import type { OutboxSample } from '../outbox/tag-book.ts'
import { storedTag } from '../outbox/tag-book.ts'
import type { Sample, Tag, TagValue } from '../tag.ts'
import { publishedDatatype } from '../tag.ts'
import {
  alarmMetric,
  birthMetric,
  ownProperty,
  property,
  qualityProperty,
  writtenProperties,
} from './metrics.ts'

/** The most writes of one command; further ones are ignored. */
const writesPerCommandMax = 64

export interface EdgeNodeOptions {
  /** The machine code; it is the edge node's id. */
  code: string
  tags: readonly Tag[]
  /** By name; the birth tells them. */
  attributes: Readonly<Record<string, string>>
  /** The first number of births, 0 to 255. */
  firstBdSeq: number
}

/** A message ready for MQTT. */
export interface Message {
  topic: string
  payload: Uint8Array
}

/** The contents of an NCMD. */
export interface NodeCommand {
  rebirth: boolean
  writes: CommandWrite[]
  /** Metrics that are ignored. */
  ignoredCount: number
}

/** A metric of an NCMD: a value for a tag. */
export interface CommandWrite {
  /** The metric's name; empty if it came only with an alias. */
  name: string
  /** The tag's number among all of the agent; undefined if there is none. */
  tag: number | undefined
  /** Null if the command brought none. */
  value: TagValue | null
}

const refusalTexts: Record<WriteRefusal, string> = {
  unknownTag: 'there is no such tag',
  readOnly: 'the tag is read-only',
  type: 'the value is of another kind than the tag',
  range: 'the value is out of range',
  offline: 'the controller is away',
  busy: 'too many writes wait for the controller',
}

/**
 * The Sparkplug B side of the agent: turns samples into payloads and keeps the two counters of the protocol. Pure:
 * no socket, no clock. Tags are metrics with alias = number + 1, their alarms follow in the order of the tags.
 */
export class EdgeNode {
  readonly commandTopic: string
  #tags: readonly Tag[] = []
  #isRemoved: (tag: number) => boolean = () => false
  #tagNumbers = new Map<string, number>()
  /** Aliases of alarms, by the number of their tag. */
  #alarmAliases = new Map<number, number>()
  readonly #attributes: Map<string, string>
  /** The attributes that the last birth announced. */
  #announced: ReadonlySet<string> = new Set()
  readonly #topics: { birth: string; data: string; death: string }
  #bdSeq: number
  #seq = 0

  constructor(options: EdgeNodeOptions) {
    const node = { group: sparkplugGroup, edgeNode: options.code }
    this.retag(options.tags, () => false)
    this.#attributes = new Map(Object.entries(options.attributes))
    this.#topics = {
      birth: formatSparkplugTopic({ type: 'NBIRTH', ...node }),
      data: formatSparkplugTopic({ type: 'NDATA', ...node }),
      death: formatSparkplugTopic({ type: 'NDEATH', ...node }),
    }
    this.commandTopic = formatSparkplugTopic({ type: 'NCMD', ...node })
    // The first session adds one.
    this.#bdSeq = (options.firstBdSeq + 255) % 256
  }

  /** Tags were added at the end, and others removed. A birth has to follow before the next data message. */
  retag(tags: readonly Tag[], isRemoved: (tag: number) => boolean): void {
    const present = tags.flatMap((tag, index) => (isRemoved(index) ? [] : [{ tag, index }]))
    this.#tags = tags
    this.#isRemoved = isRemoved
    this.#tagNumbers = new Map(present.map(({ tag, index }) => [formatMetricName(tag), index]))
    const alarmTags = present.filter(({ tag }) => tag.alarm)
    this.#alarmAliases = new Map(alarmTags.map(({ index }, place) => [index, tags.length + place + 1]))
  }

  /** Attributes have other values; births tell them from now on. The answer: whether one has to come first. */
  describe(attributes: ReadonlyMap<string, string>): { needsBirth: boolean } {
    for (const [name, value] of attributes) this.#attributes.set(name, value)
    return { needsBirth: [...attributes.keys()].some((name) => !this.#announced.has(name)) }
  }

  /** Begins an MQTT session; the answer is its will. Every CONNECT counts (tck-id-payloads-nbirth-bdseq-inc). */
  beginSession(at: number): Message {
    this.#bdSeq = (this.#bdSeq + 1) % 256
    return this.death(at)
  }

  /** The NDEATH of this session: bdSeq only, no seq (tck-id-payloads-ndeath-seq). */
  death(at: number): Message {
    return {
      topic: this.#topics.death,
      payload: encodeSparkplugPayload({ timestamp: at, metrics: [this.#bdSeqMetric(at)] }),
    }
  }

  /** All tags of this node, with the newest samples; tags without one are bad. Starts seq at 0. */
  birth(at: number, current: readonly Sample[], alarms: readonly Alarm[]): Message {
    this.#seq = 0
    this.#announced = new Set(this.#attributes.keys())
    const samples = new Map(current.map((sample) => [sample.tag, sample]))
    const metrics: SparkplugMetric[] = [
      this.#bdSeqMetric(at),
      {
        name: protocolMetric.rebirth,
        timestamp: at,
        datatype: SparkplugDatatype.boolean,
        raw: { kind: 'boolean', value: false },
      },
      ...[...this.#attributes].map(([name, value]) => attributeMetric(name, value, at)),
      ...this.#tags.flatMap((tag, index) =>
        this.#isRemoved(index) ? [] : [birthMetric(tag, index, at, samples.get(index))],
      ),
      ...alarms.flatMap((alarm) => {
        const alias = this.#alarmAliases.get(alarm.tag)
        return alias === undefined ? [] : [alarmMetric(alarm, alias, at)]
      }),
    ]
    return {
      topic: this.#topics.birth,
      payload: encodeSparkplugPayload({ timestamp: at, metrics, seq: this.#seq }),
    }
  }

  /** Attributes that the birth announced. */
  attributes(at: number, attributes: ReadonlyMap<string, string>): Message {
    this.#seq = (this.#seq + 1) % 256
    const metrics = [...attributes].map(([name, value]) => attributeMetric(name, value, at))
    return {
      topic: this.#topics.data,
      payload: encodeSparkplugPayload({ timestamp: at, metrics, seq: this.#seq }),
    }
  }

  /** Samples by alias, an alarm before the sample that changed it. */
  data(at: number, samples: readonly OutboxSample[], isHistorical: boolean): Message {
    this.#seq = (this.#seq + 1) % 256
    const metrics: SparkplugMetric[] = []
    for (const sample of samples) {
      const metric = this.#sampleMetric(sample)
      if (isHistorical) metric.isHistorical = true
      if (sample.alarmMoved) {
        const { raw, timestamp = at } = metric
        const alarm: SparkplugMetric = { ...this.#movedAlarm(sample), timestamp, raw }
        if (isHistorical) alarm.isHistorical = true
        metrics.push(alarm)
      }
      metrics.push(metric)
    }
    return {
      topic: this.#topics.data,
      payload: encodeSparkplugPayload({ timestamp: at, metrics, seq: this.#seq }),
    }
  }

  /** Reports samples that were dropped unsent. It does not count as a reading. */
  lost(at: number, { from, to, samples }: LostSpan): Message {
    this.#seq = (this.#seq + 1) % 256
    const metric: SparkplugMetric = {
      name: lostMetric,
      timestamp: at,
      datatype: SparkplugDatatype.boolean,
      isTransient: true,
      raw: { kind: 'boolean', value: true },
      properties: {
        [lostPropertyKey.from]: property(SparkplugDatatype.int64, BigInt(from)),
        [lostPropertyKey.to]: property(SparkplugDatatype.int64, BigInt(to)),
        [lostPropertyKey.samples]: property(SparkplugDatatype.int64, BigInt(samples)),
      },
    }
    return {
      topic: this.#topics.data,
      payload: encodeSparkplugPayload({ timestamp: at, metrics: [metric], seq: this.#seq }),
    }
  }

  /** Reports that a command's write was not attempted. It does not count as a reading and is not stored. */
  refusal(at: number, write: CommandWrite, why: WriteRefusal, kept: TagValue | null): Message {
    this.#seq = (this.#seq + 1) % 256
    const tag = write.tag === undefined ? undefined : this.#tags[write.tag]
    const metric: SparkplugMetric = {
      ...(write.tag === undefined ? { name: write.name } : { alias: write.tag + 1 }),
      timestamp: at,
      isTransient: true,
      raw: tag === undefined ? { kind: 'null' } : rawValue(kept, publishedDatatype(tag)),
      properties: {
        [propertyKey.readBack]: property(SparkplugDatatype.boolean, true),
        [propertyKey.writeError]: property(SparkplugDatatype.string, refusalTexts[why]),
        ...(write.value === null ? {} : { [propertyKey.writtenTo]: ownProperty(write.value) }),
      },
    }
    return {
      topic: this.#topics.data,
      payload: encodeSparkplugPayload({ timestamp: at, metrics: [metric], seq: this.#seq }),
    }
  }

  /** Reads an NCMD; null for one that cannot be read. */
  parseCommand(payload: Uint8Array): NodeCommand | null {
    try {
      const { metrics } = decodeSparkplugPayload(payload)
      const command: NodeCommand = { rebirth: false, writes: [], ignoredCount: 0 }
      for (const metric of metrics) {
        if (metric.name === protocolMetric.rebirth) {
          command.rebirth ||= metricValue(metric, SparkplugDatatype.boolean) === true
        } else if (command.writes.length < writesPerCommandMax && !isProtocolMetric(metric)) {
          command.writes.push(this.#commandWrite(metric))
        } else {
          command.ignoredCount++
        }
      }
      return command
    } catch (error) {
      if (error instanceof LinkError) return null
      throw error
    }
  }

  #commandWrite(metric: SparkplugMetric): CommandWrite {
    const { name, alias } = metric
    const named = name === undefined ? undefined : this.#tagNumbers.get(name)
    const number = named ?? (name === undefined && typeof alias === 'number' ? alias - 1 : -1)
    const tag = this.#isRemoved(number) ? undefined : this.#tags[number]
    return {
      name: metric.name ?? '',
      tag: tag === undefined ? undefined : number,
      value: metricValue(metric, metric.datatype ?? (tag && publishedDatatype(tag))),
    }
  }

  /** A quality is sent only if it is not good, because its absence means good. */
  #sampleMetric(sample: OutboxSample): SparkplugMetric {
    const gone = this.#goneOf(sample)
    const datatype = gone?.datatype ?? publishedDatatype(this.#tags[sample.tag] as Tag)
    const metric: SparkplugMetric = {
      // Tags that the birth did not announce are sent with name and type.
      ...(gone ? { name: gone.name, datatype } : { alias: sample.tag + 1 }),
      timestamp: sample.at,
      raw: rawValue(sample.value, datatype),
    }
    if (sample.quality !== Quality.good) {
      metric.properties = { [propertyKey.quality]: qualityProperty(sample.quality) }
    }
    if (sample.written) {
      metric.properties = { ...metric.properties, ...writtenProperties(sample.written, datatype) }
    }
    return metric
  }

  /** The tag of a sample that the birth did not announce. */
  #goneOf({ tag, gone }: OutboxSample): StoredTag | undefined {
    if (gone !== undefined || !this.#isRemoved(tag)) return gone
    return storedTag(this.#tags[tag] as Tag)
  }

  /** The alarm that a sample changed. */
  #movedAlarm(sample: OutboxSample): SparkplugMetric {
    const { tag } = sample
    const gone = this.#goneOf(sample)
    if (gone?.alarm === undefined) return { alias: this.#alarmAliases.get(tag) ?? 0, raw: { kind: 'null' } }
    return alarmMetric({ ...gone.alarm, tag, raised: false, since: null }, undefined, 0)
  }

  #bdSeqMetric(at: number): SparkplugMetric {
    return {
      name: protocolMetric.bdSeq,
      timestamp: at,
      datatype: SparkplugDatatype.int64,
      raw: { kind: 'long', value: BigInt(this.#bdSeq) },
    }
  }
}

function attributeMetric(name: string, value: string, timestamp: number): SparkplugMetric {
  return {
    name: `${attributePrefix}${name}`,
    timestamp,
    datatype: SparkplugDatatype.string,
    raw: { kind: 'string', value },
  }
}

function isProtocolMetric({ name }: SparkplugMetric): boolean {
  return name === protocolMetric.bdSeq || name?.startsWith(protocolMetric.nodeControlPrefix) === true
}
