import { LinkError } from '../link-error.ts'
import type {
  SparkplugAlias,
  SparkplugMetric,
  SparkplugPayload,
  SparkplugProperty,
  SparkplugRaw,
} from './payload.ts'
import { ProtobufWriter } from './protobuf-writer.ts'

/**
 * Encodes a Sparkplug B payload (sparkplug_b.proto, proto2). Throws `LinkError` `unsupported` for a raw value of
 * kind `other` and for numbers that do not fit their field.
 */
export function encodeSparkplugPayload(payload: SparkplugPayload): Uint8Array {
  const writer = new ProtobufWriter()
  if (payload.timestamp !== undefined) writer.writeUint64(1, payload.timestamp)
  for (const metric of payload.metrics) writer.writeMessage(2, () => writeMetric(writer, metric))
  if (payload.seq !== undefined) writer.writeUint64(3, payload.seq)
  if (payload.uuid !== undefined) writer.writeString(4, payload.uuid)
  if (payload.body !== undefined) writer.writeBytes(5, payload.body)
  return writer.finish()
}

function writeMetric(writer: ProtobufWriter, metric: SparkplugMetric): void {
  if (metric.name !== undefined) writer.writeString(1, metric.name)
  if (metric.alias !== undefined) writeAlias(writer, metric.alias)
  if (metric.timestamp !== undefined) writer.writeUint64(3, metric.timestamp)
  if (metric.datatype !== undefined) writer.writeUint32(4, metric.datatype)
  if (metric.isHistorical !== undefined) writer.writeBoolean(5, metric.isHistorical)
  if (metric.isTransient !== undefined) writer.writeBoolean(6, metric.isTransient)
  const { properties } = metric
  if (properties !== undefined) writer.writeMessage(9, () => writeProperties(writer, properties))
  writeRaw(writer, metric.raw, metricValueFields)
}

function writeAlias(writer: ProtobufWriter, alias: SparkplugAlias): void {
  if (alias < 0) throw new LinkError('unsupported', `alias ${alias} is below 0`)
  if (typeof alias === 'number') writer.writeUint64(2, alias)
  else writer.writeBigUint64(2, alias)
}

function writeProperties(writer: ProtobufWriter, properties: Record<string, SparkplugProperty>): void {
  for (const key of Object.keys(properties)) writer.writeString(1, key)
  for (const property of Object.values(properties)) {
    writer.writeMessage(2, () => {
      if (property.type !== undefined) writer.writeUint32(1, property.type)
      writeRaw(writer, property.raw, propertyValueFields)
    })
  }
}

/** Field numbers of the value union; a property cannot contain bytes. */
interface ValueFields {
  isNull: number
  int: number
  long: number
  float: number
  double: number
  boolean: number
  string: number
  bytes: number | null
}

const metricValueFields: ValueFields = {
  isNull: 7,
  int: 10,
  long: 11,
  float: 12,
  double: 13,
  boolean: 14,
  string: 15,
  bytes: 16,
}

const propertyValueFields: ValueFields = {
  isNull: 2,
  int: 3,
  long: 4,
  float: 5,
  double: 6,
  boolean: 7,
  string: 8,
  bytes: null,
}

function writeRaw(writer: ProtobufWriter, raw: SparkplugRaw, fields: ValueFields): void {
  switch (raw.kind) {
    case 'null':
      writer.writeBoolean(fields.isNull, true)
      break
    case 'int':
      writer.writeUint32(fields.int, raw.value)
      break
    case 'long':
      writer.writeBigUint64(fields.long, raw.value)
      break
    case 'float':
      writer.writeFloat(fields.float, raw.value)
      break
    case 'double':
      writer.writeDouble(fields.double, raw.value)
      break
    case 'boolean':
      writer.writeBoolean(fields.boolean, raw.value)
      break
    case 'string':
      writer.writeString(fields.string, raw.value)
      break
    case 'bytes':
      if (fields.bytes === null) throw new LinkError('unsupported', 'a property cannot hold bytes')
      writer.writeBytes(fields.bytes, raw.value)
      break
    case 'other':
      throw new LinkError('unsupported', 'data sets, templates and property sets are not encoded')
  }
}
