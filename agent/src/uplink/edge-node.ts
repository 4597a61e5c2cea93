import type { AttributeName, QualityNumber, SparkplugMetric, SparkplugProperty } from '@busbar/link'
import {
  attributePrefix,
  decodeSparkplugPayload,
  encodeSparkplugPayload,
  formatMetricName,
  formatSparkplugTopic,
  LinkError,
  metricValue,
  propertyKey,
  protocolMetric,
  Quality,
  rawValue,
  SparkplugDatatype,
  sparkplugGroup,
} from '@busbar/link'
import type { Sample, Tag } from '../tag.ts'
import { publishedDatatype } from '../tag.ts'

export interface EdgeNodeOptions {
  /** The machine code; it is the edge node's id. */
  code: string
  tags: readonly Tag[]
  attributes: Partial<Record<AttributeName, string>>
  /** Where the counting of births begins, 0 to 255. */
  firstBdSeq: number
}

/** A message ready for MQTT. */
export interface Message {
  topic: string
  payload: Uint8Array
}

/** What an NCMD asks for. */
export interface NodeCommand {
  rebirth: boolean
  /** Metrics this version does not act on. */
  ignoredCount: number
}

/**
 * The Sparkplug B side of the agent: turns samples into payloads and keeps the two counters of the protocol. Pure:
 * no socket, no clock. Tags are metrics with alias = number + 1.
 */
export class EdgeNode {
  readonly commandTopic: string
  readonly #tags: readonly Tag[]
  readonly #attributes: [string, string][]
  readonly #topics: { birth: string; data: string; death: string }
  #bdSeq: number
  #seq = 0

  constructor(options: EdgeNodeOptions) {
    const node = { group: sparkplugGroup, edgeNode: options.code }
    this.#tags = options.tags
    this.#attributes = Object.entries(options.attributes)
    this.#topics = {
      birth: formatSparkplugTopic({ type: 'NBIRTH', ...node }),
      data: formatSparkplugTopic({ type: 'NDATA', ...node }),
      death: formatSparkplugTopic({ type: 'NDEATH', ...node }),
    }
    this.commandTopic = formatSparkplugTopic({ type: 'NCMD', ...node })
    // The first session adds one.
    this.#bdSeq = (options.firstBdSeq + 255) % 256
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

  /** Everything this node has, with the newest samples; tags without one are bad. Starts seq at 0. */
  birth(at: number, current: readonly Sample[]): Message {
    this.#seq = 0
    const samples = new Map(current.map((sample) => [sample.tag, sample]))
    const metrics: SparkplugMetric[] = [
      this.#bdSeqMetric(at),
      {
        name: protocolMetric.rebirth,
        timestamp: at,
        datatype: SparkplugDatatype.boolean,
        raw: { kind: 'boolean', value: false },
      },
      ...this.#attributes.map(([name, value]) => ({
        name: `${attributePrefix}${name}`,
        timestamp: at,
        datatype: SparkplugDatatype.string,
        raw: { kind: 'string' as const, value },
      })),
      ...this.#tags.map((tag, index) => birthMetric(tag, index, at, samples.get(index))),
    ]
    return {
      topic: this.#topics.birth,
      payload: encodeSparkplugPayload({ timestamp: at, metrics, seq: this.#seq }),
    }
  }

  /** Samples by alias. A quality is sent only when it is not good, which is what its absence means. */
  data(at: number, samples: readonly Sample[], isHistorical: boolean): Message {
    this.#seq = (this.#seq + 1) % 256
    const metrics = samples.map((sample): SparkplugMetric => {
      const tag = this.#tags[sample.tag] as Tag
      const metric: SparkplugMetric = {
        alias: sample.tag + 1,
        timestamp: sample.at,
        raw: rawValue(sample.value, publishedDatatype(tag)),
      }
      if (isHistorical) metric.isHistorical = true
      if (sample.quality !== Quality.good) {
        metric.properties = { [propertyKey.quality]: qualityProperty(sample.quality) }
      }
      return metric
    })
    return {
      topic: this.#topics.data,
      payload: encodeSparkplugPayload({ timestamp: at, metrics, seq: this.#seq }),
    }
  }

  /** Reads an NCMD; null for one that cannot be read. */
  parseCommand(payload: Uint8Array): NodeCommand | null {
    try {
      const { metrics } = decodeSparkplugPayload(payload)
      const isRebirth = (metric: SparkplugMetric): boolean =>
        metric.name === protocolMetric.rebirth && metricValue(metric, SparkplugDatatype.boolean) === true
      const asked = metrics.filter(isRebirth).length
      return { rebirth: asked > 0, ignoredCount: metrics.length - asked }
    } catch (error) {
      if (error instanceof LinkError) return null
      throw error
    }
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

function birthMetric(tag: Tag, index: number, at: number, sample: Sample | undefined): SparkplugMetric {
  const datatype = publishedDatatype(tag)
  return {
    name: formatMetricName(tag),
    alias: index + 1,
    timestamp: sample?.at ?? at,
    datatype,
    raw: rawValue(sample?.value ?? null, datatype),
    properties: birthProperties(tag, sample?.quality ?? Quality.bad),
  }
}

function birthProperties(tag: Tag, quality: QualityNumber): Record<string, SparkplugProperty> {
  const properties: Record<string, SparkplugProperty> = { [propertyKey.quality]: qualityProperty(quality) }
  const add = (key: string, type: number, value: string | number | boolean | undefined): void => {
    if (value !== undefined) properties[key] = { type, raw: rawValue(value, type) }
  }
  add(propertyKey.engUnit, SparkplugDatatype.string, tag.unit)
  add(propertyKey.displayName, SparkplugDatatype.string, tag.displayName.any)
  add(propertyKey.displayNameCn, SparkplugDatatype.string, tag.displayName.cn)
  add(propertyKey.displayNameEn, SparkplugDatatype.string, tag.displayName.en)
  add(propertyKey.readOnly, SparkplugDatatype.boolean, tag.readOnly)
  add(propertyKey.min, SparkplugDatatype.double, tag.min)
  add(propertyKey.max, SparkplugDatatype.double, tag.max)
  add(propertyKey.scale, SparkplugDatatype.int32, tag.scale)
  if (tag.keyTag) add(propertyKey.keyTag, SparkplugDatatype.boolean, true)
  return properties
}

function qualityProperty(quality: QualityNumber): SparkplugProperty {
  return { type: SparkplugDatatype.int32, raw: { kind: 'int', value: quality } }
}
