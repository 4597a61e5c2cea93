import { LinkError } from '../link-error.ts'
import type {
  SparkplugLimits,
  SparkplugMetric,
  SparkplugPayload,
  SparkplugProperty,
  SparkplugRaw,
} from './payload.ts'
import { sparkplugLimits } from './payload.ts'
import { ProtobufReader, WireType } from './protobuf-reader.ts'

const nothing: SparkplugRaw = { kind: 'null' }
const other: SparkplugRaw = { kind: 'other' }

const { varint, fixed64, bytes: delimited, fixed32 } = WireType

/** A tag in the wire's form. A known field with another wire type counts as an unknown field. */
const tagOf = (field: number, wireType: number): number => (field << 3) | wireType

const payloadTag = {
  timestamp: tagOf(1, varint),
  metrics: tagOf(2, delimited),
  seq: tagOf(3, varint),
  uuid: tagOf(4, delimited),
  body: tagOf(5, delimited),
} as const

/**
 * Decodes a Sparkplug B payload (sparkplug_b.proto, proto2). Unknown fields are skipped; data sets, templates
 * and nested property sets become `other`. Throws `LinkError` for anything malformed or over a limit.
 */
export function decodeSparkplugPayload(
  bytes: Uint8Array,
  limits: SparkplugLimits = sparkplugLimits,
): SparkplugPayload {
  const decoder = new SparkplugDecoder(bytes, limits)
  decoder.decode(Number.POSITIVE_INFINITY)
  return decoder.payload
}

/** Decodes a payload as `decodeSparkplugPayload` does, a number of metrics at a time. */
export class SparkplugDecoder {
  /** The part decoded up to this point. */
  readonly payload: SparkplugPayload = { metrics: [] }
  readonly #limits: SparkplugLimits
  readonly #reader: ProtobufReader
  readonly #end: number
  #metrics = 0

  constructor(bytes: Uint8Array, limits: SparkplugLimits = sparkplugLimits) {
    if (bytes.byteLength > limits.payloadBytesMax) {
      throw new LinkError('limit', `payload of ${bytes.byteLength} bytes, at most ${limits.payloadBytesMax}`)
    }
    this.#limits = limits
    this.#reader = new ProtobufReader(bytes)
    this.#end = bytes.byteLength
  }

  /** Returns the metrics decoded since the last call. */
  take(): SparkplugMetric[] {
    return this.payload.metrics.splice(0)
  }

  /** Decodes at most this many metrics; true when the payload is decoded. */
  decode(metricsMax: number): boolean {
    const { payload } = this
    const reader = this.#reader
    const limits = this.#limits
    const end = this.#end
    const metricsEnd = this.#metrics + metricsMax
    while (reader.position < end) {
      if (this.#metrics >= metricsEnd) return false
      const tag = reader.readTag(end)
      switch (tag) {
        case payloadTag.timestamp:
          payload.timestamp = reader.readUint64AsNumber(end)
          break
        case payloadTag.metrics:
          if (this.#metrics >= limits.metricsMax) {
            throw new LinkError('limit', `more than ${limits.metricsMax} metrics in one payload`)
          }
          payload.metrics.push(decodeMetric(reader, reader.readLength(end), limits))
          this.#metrics++
          break
        case payloadTag.seq:
          payload.seq = reader.readUint64AsNumber(end)
          break
        case payloadTag.uuid:
          payload.uuid = reader.readString(end, limits.stringBytesMax)
          break
        case payloadTag.body:
          payload.body = reader.readBytes(end)
          break
        default:
          reader.skip(tag, end)
      }
    }
    return true
  }
}

/** Decodes the fields of a payload beside its metrics, and skips these. Throws `LinkError` for a malformed payload. */
export function decodeSparkplugEnvelope(
  bytes: Uint8Array,
  limits: SparkplugLimits = sparkplugLimits,
): Omit<SparkplugPayload, 'metrics' | 'body'> {
  const reader = new ProtobufReader(bytes)
  const end = bytes.byteLength
  const envelope: Omit<SparkplugPayload, 'metrics' | 'body'> = {}
  while (reader.position < end) {
    const tag = reader.readTag(end)
    if (tag === payloadTag.timestamp) envelope.timestamp = reader.readUint64AsNumber(end)
    else if (tag === payloadTag.seq) envelope.seq = reader.readUint64AsNumber(end)
    else if (tag === payloadTag.uuid) envelope.uuid = reader.readString(end, limits.stringBytesMax)
    else reader.skip(tag, end)
  }
  return envelope
}

const metricTag = {
  name: tagOf(1, delimited),
  alias: tagOf(2, varint),
  timestamp: tagOf(3, varint),
  datatype: tagOf(4, varint),
  isHistorical: tagOf(5, varint),
  isTransient: tagOf(6, varint),
  isNull: tagOf(7, varint),
  properties: tagOf(9, delimited),
  intValue: tagOf(10, varint),
  longValue: tagOf(11, varint),
  floatValue: tagOf(12, fixed32),
  doubleValue: tagOf(13, fixed64),
  booleanValue: tagOf(14, varint),
  stringValue: tagOf(15, delimited),
  bytesValue: tagOf(16, delimited),
  dataSetValue: tagOf(17, delimited),
  templateValue: tagOf(18, delimited),
  extensionValue: tagOf(19, delimited),
} as const

function decodeMetric(reader: ProtobufReader, end: number, limits: SparkplugLimits): SparkplugMetric {
  const metric: SparkplugMetric = { raw: nothing }
  let isNull = false
  while (reader.position < end) {
    const tag = reader.readTag(end)
    switch (tag) {
      case metricTag.name:
        metric.name = reader.readString(end, limits.stringBytesMax)
        break
      case metricTag.alias:
        metric.alias = reader.readUint64Exact(end)
        break
      case metricTag.timestamp:
        metric.timestamp = reader.readUint64AsNumber(end)
        break
      case metricTag.datatype:
        metric.datatype = reader.readUint32(end)
        break
      case metricTag.isHistorical:
        metric.isHistorical = reader.readBoolean(end)
        break
      case metricTag.isTransient:
        metric.isTransient = reader.readBoolean(end)
        break
      case metricTag.isNull:
        isNull = reader.readBoolean(end)
        break
      case metricTag.properties:
        metric.properties = decodeProperties(reader, reader.readLength(end), limits)
        break
      case metricTag.intValue:
        metric.raw = { kind: 'int', value: reader.readUint32(end) }
        break
      case metricTag.longValue:
        metric.raw = { kind: 'long', value: reader.readUint64(end) }
        break
      case metricTag.floatValue:
        metric.raw = { kind: 'float', value: reader.readFloat(end) }
        break
      case metricTag.doubleValue:
        metric.raw = { kind: 'double', value: reader.readDouble(end) }
        break
      case metricTag.booleanValue:
        metric.raw = { kind: 'boolean', value: reader.readBoolean(end) }
        break
      case metricTag.stringValue:
        metric.raw = { kind: 'string', value: reader.readString(end, limits.stringBytesMax) }
        break
      case metricTag.bytesValue:
        metric.raw = { kind: 'bytes', value: reader.readBytes(end) }
        break
      case metricTag.dataSetValue:
      case metricTag.templateValue:
      case metricTag.extensionValue:
        reader.skip(tag, end)
        metric.raw = other
        break
      default:
        reader.skip(tag, end)
    }
  }
  if (isNull) metric.raw = nothing
  return metric
}

const propertySetTag = { keys: tagOf(1, delimited), values: tagOf(2, delimited) } as const

function decodeProperties(
  reader: ProtobufReader,
  end: number,
  limits: SparkplugLimits,
): Record<string, SparkplugProperty> {
  const keys: string[] = []
  const values: SparkplugProperty[] = []
  while (reader.position < end) {
    const tag = reader.readTag(end)
    if (tag === propertySetTag.keys) keys.push(reader.readString(end, limits.stringBytesMax))
    else if (tag === propertySetTag.values)
      values.push(decodeProperty(reader, reader.readLength(end), limits))
    else reader.skip(tag, end)
    if (keys.length > limits.propertiesPerMetricMax || values.length > limits.propertiesPerMetricMax) {
      throw new LinkError('limit', `more than ${limits.propertiesPerMetricMax} properties of one metric`)
    }
  }
  if (keys.length !== values.length) {
    throw new LinkError('malformed', `${keys.length} property keys, ${values.length} property values`)
  }
  const properties: Record<string, SparkplugProperty> = Object.create(null)
  for (let index = 0; index < keys.length; index++) {
    properties[keys[index] as string] = values[index] as SparkplugProperty
  }
  return properties
}

const propertyTag = {
  type: tagOf(1, varint),
  isNull: tagOf(2, varint),
  intValue: tagOf(3, varint),
  longValue: tagOf(4, varint),
  floatValue: tagOf(5, fixed32),
  doubleValue: tagOf(6, fixed64),
  booleanValue: tagOf(7, varint),
  stringValue: tagOf(8, delimited),
  propertySetValue: tagOf(9, delimited),
  propertySetsValue: tagOf(10, delimited),
  extensionValue: tagOf(11, delimited),
} as const

function decodeProperty(reader: ProtobufReader, end: number, limits: SparkplugLimits): SparkplugProperty {
  const property: SparkplugProperty = { raw: nothing }
  let isNull = false
  while (reader.position < end) {
    const tag = reader.readTag(end)
    switch (tag) {
      case propertyTag.type:
        property.type = reader.readUint32(end)
        break
      case propertyTag.isNull:
        isNull = reader.readBoolean(end)
        break
      case propertyTag.intValue:
        property.raw = { kind: 'int', value: reader.readUint32(end) }
        break
      case propertyTag.longValue:
        property.raw = { kind: 'long', value: reader.readUint64(end) }
        break
      case propertyTag.floatValue:
        property.raw = { kind: 'float', value: reader.readFloat(end) }
        break
      case propertyTag.doubleValue:
        property.raw = { kind: 'double', value: reader.readDouble(end) }
        break
      case propertyTag.booleanValue:
        property.raw = { kind: 'boolean', value: reader.readBoolean(end) }
        break
      case propertyTag.stringValue:
        property.raw = { kind: 'string', value: reader.readString(end, limits.stringBytesMax) }
        break
      case propertyTag.propertySetValue:
      case propertyTag.propertySetsValue:
      case propertyTag.extensionValue:
        reader.skip(tag, end)
        property.raw = other
        break
      default:
        reader.skip(tag, end)
    }
  }
  if (isNull) property.raw = nothing
  return property
}
