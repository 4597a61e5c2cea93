import { promisify } from 'node:util'
import {
  gunzip,
  gunzipSync,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  inflate as inflateZlib,
} from 'node:zlib'
import {
  compressedPayloadUuid,
  compression,
  decodeSparkplugPayload,
  LinkError,
  metricValue,
  protocolMetric,
  type SparkplugMetric,
  type SparkplugPayload,
  sparkplugLimits,
} from '@busbar/link'

/** The number that ties a death to its birth; undefined for other metrics. */
export function bdSeqOf(metric: SparkplugMetric): bigint | undefined {
  if (metric.name !== protocolMetric.bdSeq) return undefined
  const value = metricValue(metric, metric.datatype)
  return typeof value === 'bigint' ? value : typeof value === 'number' ? BigInt(Math.trunc(value)) : undefined
}

/** The payload inside a compressed one; fields that it leaves out, such as `seq`, are taken from the envelope. */
export function decompress(payload: SparkplugPayload): SparkplugPayload {
  if (payload.uuid !== compressedPayloadUuid) return payload
  const { body, format } = bodyIn(payload)
  const inner = decodeSparkplugPayload(formats[format].atOnce(body, inflateLimit))
  return mergeEnvelope(inner, payload)
}

/** The bytes of the payload inside a compressed one, unfolded beside the event loop. */
export async function inflateBody(payload: SparkplugPayload): Promise<Buffer> {
  const { body, format } = bodyIn(payload)
  return formats[format].beside(body, inflateLimit)
}

/** Completes a payload from the envelope around it; may be called before it is decoded. */
export function mergeEnvelope(
  inner: SparkplugPayload,
  { seq, timestamp }: SparkplugPayload,
): SparkplugPayload {
  if (seq !== undefined) inner.seq ??= seq
  if (timestamp !== undefined) inner.timestamp ??= timestamp
  return inner
}

const inflateLimit = { maxOutputLength: sparkplugLimits.payloadBytesMax }

const formats = {
  gzip: { atOnce: gunzipSync, beside: promisify<Uint8Array, object, Buffer>(gunzip) },
  zlib: { atOnce: inflateSync, beside: promisify<Uint8Array, object, Buffer>(inflateZlib) },
  raw: { atOnce: inflateRawSync, beside: promisify<Uint8Array, object, Buffer>(inflateRaw) },
}

function bodyIn(payload: SparkplugPayload): { body: Uint8Array; format: keyof typeof formats } {
  const { body } = payload
  const algorithm = compression(payload)
  if (algorithm === null || body === undefined) {
    throw new LinkError('unsupported', 'a compressed payload of an unknown algorithm or without body')
  }
  if (algorithm === 'GZIP') return { body, format: 'gzip' }
  // DEFLATE is meant as zlib's format; some nodes send it bare. Its header: method 8, window at most 32 kB.
  return { body, format: ((body[0] ?? 0) & 0x0f) === 8 ? 'zlib' : 'raw' }
}
