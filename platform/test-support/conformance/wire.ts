/* Packets made byte by byte, right ones and wrong ones, independent of any codec. */

export type Version = 4 | 5

/** A byte, bytes, or text that goes as it is. */
export type Part = number | string | Uint8Array

export function bytes(...parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))),
  )
}

export function uint16(value: number): Buffer {
  return bytes(value >> 8, value & 0xff)
}

export function uint32(value: number): Buffer {
  return bytes(uint16(value >>> 16), uint16(value & 0xffff))
}

/** Length first: text, or binary data. */
export function sized(value: string | Uint8Array): Buffer {
  const own = Buffer.from(value)
  return bytes(uint16(own.length), own)
}

export function varint(value: number): Buffer {
  const rest = value >= 128 ? varint(Math.floor(value / 128)) : ''
  return bytes((value % 128) + (rest === '' ? 0 : 128), rest)
}

/** A packet with its length. */
export function packet(first: number, ...parts: readonly Part[]): Buffer {
  const body = bytes(...parts)
  return bytes(first, varint(body.length), body)
}

/** Properties with their length, of MQTT 5 only. */
export function properties(version: Version, ...parts: readonly Part[]): Buffer {
  const body = bytes(...parts)
  return version === 5 ? bytes(varint(body.length), body) : Buffer.alloc(0)
}

export interface ConnectFields {
  readonly first?: number
  readonly protocol?: string
  readonly level?: number
  /** Instead of the flags the other fields need. */
  readonly flags?: number
  readonly isClean?: boolean
  readonly keepAliveS?: number
  readonly properties?: readonly Part[]
  readonly clientId?: string | Uint8Array
  readonly will?: {
    readonly topic: string | Uint8Array
    readonly payload: string
    readonly qos?: number
    readonly isRetained?: boolean
    readonly properties?: readonly Part[]
  }
  readonly userName?: string | Uint8Array | undefined
  readonly password?: string | undefined
  /** Behind the last field. */
  readonly tail?: Part
}

export function connect(version: Version, fields: ConnectFields): Buffer {
  const { will, userName, password } = fields
  const flags =
    (fields.isClean === false ? 0 : 0x02) |
    (will ? 0x04 | ((will.qos ?? 0) << 3) | (will.isRetained ? 0x20 : 0) : 0) |
    (password === undefined ? 0 : 0x40) |
    (userName === undefined ? 0 : 0x80)
  return packet(
    fields.first ?? 0x10,
    sized(fields.protocol ?? 'MQTT'),
    fields.level ?? version,
    fields.flags ?? flags,
    uint16(fields.keepAliveS ?? 0),
    properties(version, ...(fields.properties ?? [])),
    sized(fields.clientId ?? ''),
    ...(will
      ? [properties(version, ...(will.properties ?? [])), sized(will.topic), sized(will.payload)]
      : []),
    ...(userName === undefined ? [] : [sized(userName)]),
    ...(password === undefined ? [] : [sized(password)]),
    fields.tail ?? '',
  )
}

export interface PublishFields {
  readonly topic?: string | Uint8Array
  readonly payload?: Part
  readonly qos?: number
  readonly packetId?: number
  readonly isDup?: boolean
  readonly isRetained?: boolean
  readonly properties?: readonly Part[]
}

export const telemetryTopic = 'v1/devices/me/telemetry'

/** A PUBLISH of one value to the plain JSON topic, unless the fields differ. */
export function publish(version: Version, fields: PublishFields = {}): Buffer {
  const { qos = 1, isDup = false, isRetained = false } = fields
  return packet(
    0x30 | (isDup ? 8 : 0) | (qos << 1) | (isRetained ? 1 : 0),
    sized(fields.topic ?? telemetryTopic),
    qos === 0 ? '' : uint16(fields.packetId ?? 1),
    properties(version, ...(fields.properties ?? [])),
    fields.payload ?? '{"n":1}',
  )
}

/** A filter with its options. */
export type Wanted = readonly [filter: string | Uint8Array, options: number]

export function subscribe(version: Version, packetId: number, ...wanted: readonly Wanted[]): Buffer {
  const filters = wanted.flatMap(([filter, options]) => [sized(filter), options])
  return packet(0x82, uint16(packetId), properties(version), ...filters)
}

export function unsubscribe(
  version: Version,
  packetId: number,
  ...filters: readonly (string | Uint8Array)[]
): Buffer {
  return packet(0xa2, uint16(packetId), properties(version), ...filters.map(sized))
}

/** PUBACK (4), PUBREC (5), PUBREL (6) or PUBCOMP (7). */
export function acknowledge(type: number, packetId: number): Buffer {
  return packet((type << 4) | (type === 6 ? 2 : 0), uint16(packetId))
}

export const pingRequest = bytes(0xc0, 0)
export const pingResponse = 'd0 00'
export const disconnect = bytes(0xe0, 0)

/** Bytes as the tests write them down. */
export function hex(value: Uint8Array): string {
  return Buffer.from(value).toString('hex').match(/../g)?.join(' ') ?? ''
}

/** The last packet of MQTT 5 before it closes; 3.1.1 sends none. */
export function goodbye(version: Version, code: number, told?: string): string[] {
  return version === 5 ? [hex(packet(0xe0, code, ...reasonString(told)))] : []
}

/** The properties of a packet of MQTT 5 with their length: a Reason String, or none. */
export function reasonString(told?: string): number[] {
  if (told === undefined) return [0]
  const words = Buffer.from(told)
  return [3 + words.length, 0x1f, 0, words.length, ...words]
}
