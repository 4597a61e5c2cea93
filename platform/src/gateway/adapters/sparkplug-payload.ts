import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import {
  compressedPayloadUuid,
  compression,
  decodeSparkplugPayload,
  LinkError,
  metricValue,
  protocolMetric,
  type SparkplugPayload,
  sparkplugLimits,
} from '@busbar/link'

/** The number that ties a death to its birth; undefined where the node leaves it out. */
export function bdSeqOf(payload: SparkplugPayload): bigint | undefined {
  const metric = payload.metrics.find(({ name }) => name === protocolMetric.bdSeq)
  const value = metric ? metricValue(metric, metric.datatype) : null
  return typeof value === 'bigint' ? value : typeof value === 'number' ? BigInt(Math.trunc(value)) : undefined
}

/** The payload inside a compressed one; what it leaves out, as `seq`, the envelope has. */
export function decompress(payload: SparkplugPayload): SparkplugPayload {
  if (payload.uuid !== compressedPayloadUuid) return payload
  const algorithm = compression(payload)
  if (algorithm === null || payload.body === undefined) {
    throw new LinkError('unsupported', 'a compressed payload of an unknown algorithm or without body')
  }
  const limit = { maxOutputLength: sparkplugLimits.payloadBytesMax }
  const inner = decodeSparkplugPayload(
    algorithm === 'GZIP' ? gunzipSync(payload.body, limit) : inflate(payload.body, limit),
  )
  const seq = inner.seq ?? payload.seq
  const timestamp = inner.timestamp ?? payload.timestamp
  return {
    ...inner,
    ...(seq === undefined ? {} : { seq }),
    ...(timestamp === undefined ? {} : { timestamp }),
  }
}

/** DEFLATE is meant as zlib's format; some nodes send it bare. */
function inflate(body: Uint8Array, limit: { maxOutputLength: number }): Buffer {
  // The first byte of zlib's header: method 8, window at most 32 kB.
  return ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, limit) : inflateRawSync(body, limit)
}
