import { SparkplugDatatype } from './datatype.ts'

/**
 * A value as it stood on the wire, before its data type says what it means. `int` is the unsigned `int_value`
 * (0 to 2^32-1), `long` the unsigned `long_value` (0 to 2^64-1). `other` stands for what this product does not
 * store: data sets, templates, nested property sets, extensions.
 */
export type SparkplugRaw =
  | { kind: 'null' }
  | { kind: 'int'; value: number }
  | { kind: 'long'; value: bigint }
  | { kind: 'float' | 'double'; value: number }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'string'; value: string }
  | { kind: 'bytes'; value: Uint8Array }
  | { kind: 'other' }

/** A value in the form that the rest of the product uses. */
export type SparkplugValue = boolean | number | bigint | string | null

/** One entry of a metric's property set. Read it with `propertyValue`. */
export interface SparkplugProperty {
  type?: number
  raw: SparkplugRaw
}

/** An unsigned integer of 64 bits: a number up to 2^53 - 1, a bigint above, so that equal aliases are one map key. */
export type SparkplugAlias = number | bigint

/** One metric. A birth names it; data may carry only the alias the birth announced. */
export interface SparkplugMetric {
  name?: string
  alias?: SparkplugAlias
  /** Epoch milliseconds, not checked for sense. */
  timestamp?: number
  datatype?: number
  isHistorical?: boolean
  isTransient?: boolean
  /** Has no prototype when decoded: any key a stranger sends is only a key. */
  properties?: Record<string, SparkplugProperty>
  raw: SparkplugRaw
}

export interface SparkplugPayload {
  /** Epoch milliseconds, not checked for sense. */
  timestamp?: number
  metrics: SparkplugMetric[]
  seq?: number
  uuid?: string
  body?: Uint8Array
}

/** The limits of a decoder; a payload above one is refused with reason `limit`. */
export interface SparkplugLimits {
  payloadBytesMax: number
  metricsMax: number
  propertiesPerMetricMax: number
  stringBytesMax: number
}

export const sparkplugLimits: SparkplugLimits = {
  payloadBytesMax: 4 * 1024 * 1024,
  metricsMax: 20_000,
  propertiesPerMetricMax: 64,
  stringBytesMax: 256 * 1024,
}

/** The `uuid` of a payload whose `body` is another payload, compressed (Sparkplug 3.0, section 6.4.18). */
export const compressedPayloadUuid = 'SPBV1.0_COMPRESSED'

/**
 * The compression of `payload.body`, or null if this payload is an ordinary one. The `algorithm` metric is
 * optional and DEFLATE is the default, as Eclipse Tahu has it; an unknown algorithm reads as null too and
 * leaves a payload without usable metrics.
 */
export function compression(payload: SparkplugPayload): 'GZIP' | 'DEFLATE' | null {
  if (payload.uuid !== compressedPayloadUuid) return null
  const algorithm = payload.metrics.find((metric) => metric.name === 'algorithm')
  if (algorithm === undefined) return 'DEFLATE'
  if (algorithm.raw.kind !== 'string') return null
  const name = algorithm.raw.value.toUpperCase()
  return name === 'GZIP' || name === 'DEFLATE' ? name : null
}

/** The envelope around a payload the caller compressed. */
export function compressedPayload(body: Uint8Array, algorithm: 'GZIP' | 'DEFLATE'): SparkplugPayload {
  const metric: SparkplugMetric = {
    name: 'algorithm',
    datatype: SparkplugDatatype.string,
    raw: { kind: 'string', value: algorithm },
  }
  return { uuid: compressedPayloadUuid, body, metrics: [metric] }
}
