import {
  attributePrefix,
  decodeSparkplugPayload,
  encodeSparkplugPayload,
  formatSparkplugTopic,
  metricValue,
  type NodeMessageType,
  parseSparkplugTopic,
  propertyKey,
  protocolMetric,
  rawValue,
  SparkplugDatatype,
  type SparkplugMetric,
  type SparkplugProperty,
  sparkplugGroup,
} from '@busbar/link'
import type { Dialect, NodeCommand, WriteTold } from './dialect.ts'
import type { Sample } from './history.ts'
import { machineAttributes } from './machine-attributes.ts'
import type { WriteVerdict } from './machine-model.ts'
import { type MachineNode, type NodeOptions, startMachineNode } from './machine-node.ts'
import type { Message } from './mqtt-line.ts'
import type { MachineProfile, TagValue } from './profiles/profile.ts'
import {
  alarmMetric,
  birthMetric,
  datatypes,
  lostMetricOf,
  metricName,
  named,
  property,
} from './sparkplug-metrics.ts'

/** Starts a machine that speaks Sparkplug B: group `busbar`, edge node = its code, everything at QoS 1. */
export function startEdgeNode(options: NodeOptions): Promise<MachineNode> {
  return startMachineNode(options, createSparkplugDialect)
}

/** Sparkplug B 3.0 for one edge node without devices. Data goes by alias: tag n has alias n + 1. */
function createSparkplugDialect(code: string, profile: MachineProfile): Dialect {
  let seq = 0
  // -1: the first connection's will is 0.
  let bdSeq = -1

  function topic(type: NodeMessageType): string {
    return formatSparkplugTopic({ type, group: sparkplugGroup, edgeNode: code })
  }

  /** A message of the session; `seq` counts them modulo 256 from the birth (section 6.4.4). */
  function message(type: 'NBIRTH' | 'NDATA', timestamp: number, metrics: SparkplugMetric[]): Message {
    seq = type === 'NBIRTH' ? 0 : (seq + 1) % 256
    return { topic: topic(type), payload: encodeSparkplugPayload({ timestamp, seq, metrics }) }
  }

  function bdSeqMetric(): SparkplugMetric {
    return named(protocolMetric.bdSeq, SparkplugDatatype.int64, bdSeq)
  }

  function death(at?: number): Message {
    const timestamp = at === undefined ? {} : { timestamp: at }
    return {
      topic: topic('NDEATH'),
      payload: encodeSparkplugPayload({ ...timestamp, metrics: [bdSeqMetric()] }),
    }
  }

  function dataMetric(tag: number, value: TagValue, at: number): SparkplugMetric {
    const datatype = datatypes[profile.tags[tag]?.type ?? 'string']
    return { alias: tag + 1, timestamp: at, raw: rawValue(value, datatype) }
  }

  function historyMetrics(samples: readonly Sample[]): SparkplugMetric[] {
    return samples.flatMap((sample) =>
      sample.values.map((value, tag) => ({ ...dataMetric(tag, value, sample.at), isHistorical: true })),
    )
  }

  return {
    subscriptions: [topic('NCMD')],
    will() {
      bdSeq = (bdSeq + 1) % 256
      return death()
    },
    birth(values, alarms, told, at) {
      const tags = profile.tags.map((tag, index) => birthMetric(tag, index, values[index] ?? null, at))
      const attributes = attributeMetrics([...Object.entries(machineAttributes(code, profile)), ...told])
      const rebirth = named(protocolMetric.rebirth, SparkplugDatatype.boolean, false)
      return [
        message('NBIRTH', at, [bdSeqMetric(), rebirth, ...attributes, ...tags, ...alarms.map(alarmMetric)]),
      ]
    },
    describe: (told, at) => message('NDATA', at, attributeMetrics(told)),
    death,
    data: (due, at) =>
      message(
        'NDATA',
        at,
        due.map(({ tag, value }) => dataMetric(tag, value, at)),
      ),
    readBack({ tag, value }, write, at) {
      const metric = dataMetric(tag, value, at)
      const datatype = datatypes[profile.tags[tag]?.type ?? 'string']
      return message('NDATA', at, [{ ...metric, properties: readBackProperties(write, datatype) }])
    },
    marksPastAlarms: true,
    alarm: (change, at) => message('NDATA', at, [alarmMetric(change)]),
    history: (samples, at) => message('NDATA', at, historyMetrics(samples)),
    lost: ([fromAt, toAt], at) => message('NDATA', at, [lostMetricOf(fromAt, toAt, profile)]),
    historyBytes: (samples) => encodeSparkplugPayload({ metrics: historyMetrics(samples) }).byteLength,
    parse: (received, payload) => parseCommand(code, profile, received, payload),
  }
}

const refusalTexts: Record<Exclude<WriteVerdict, 'written'>, string> = {
  unknownTag: 'there is no such tag',
  readOnly: 'the tag is read-only',
  wrongType: 'the value is of another kind than the tag',
  outOfRange: 'the value is out of range',
}

function attributeMetrics(attributes: Iterable<readonly [name: string, value: string]>): SparkplugMetric[] {
  return [...attributes].map(([name, value]) =>
    named(attributePrefix + name, SparkplugDatatype.string, value),
  )
}

function readBackProperties(
  { wished, from, verdict, visit }: WriteTold,
  datatype: number,
): Record<string, SparkplugProperty> {
  return {
    [propertyKey.readBack]: property(SparkplugDatatype.boolean, true),
    ...(visit === null
      ? {}
      : {
          [propertyKey.visit]: property(SparkplugDatatype.string, visit),
          [propertyKey.writtenFrom]: property(datatype, from),
        }),
    // Only checked values have a place under the tag's type.
    ...(verdict === 'written' || verdict === 'outOfRange'
      ? { [propertyKey.writtenTo]: property(datatype, wished) }
      : {}),
    ...(verdict === 'written'
      ? {}
      : { [propertyKey.writeError]: property(SparkplugDatatype.string, refusalTexts[verdict]) }),
  }
}

function parseCommand(
  code: string,
  profile: MachineProfile,
  topic: string,
  bytes: Uint8Array,
): NodeCommand[] {
  const parsed = parseSparkplugTopic(topic)
  if (parsed?.type !== 'NCMD' || parsed.edgeNode !== code) return []
  let metrics: SparkplugMetric[]
  try {
    metrics = decodeSparkplugPayload(bytes).metrics
  } catch {
    // Bytes that are not a payload contain no commands.
    return []
  }
  const commands: NodeCommand[] = []
  for (const metric of metrics) {
    const tag = profile.tags.find((candidate, index) =>
      metric.name === undefined
        ? metric.alias === index + 1
        : metric.name === metricName(candidate) || metric.name === candidate.name,
    )
    if (tag !== undefined) {
      const value = metricValue(metric, metric.datatype ?? datatypes[tag.type])
      if (value === null) continue
      const plain = typeof value === 'bigint' ? Number(value) : value
      commands.push({ kind: 'write', name: tag.name, value: plain, answer: () => undefined })
    } else if (metric.name === protocolMetric.rebirth) {
      if (metricValue(metric, SparkplugDatatype.boolean) === true) commands.push({ kind: 'rebirth' })
    }
  }
  return commands
}
