/** The kinds of a machine's TCP ports, by the tool that opens them. */
export const portKinds = ['modbus', 's7', 'opcua', 'codesys', 'ssh', 'vnc', 'rdp', 'http', 'other'] as const
export type PortKind = (typeof portKinds)[number]

/** Kinds whose requests the agent understands: it can let those that only read through, and counts them. */
export const understoodPortKinds = ['modbus', 's7'] as const satisfies readonly PortKind[]
export type UnderstoodPortKind = (typeof understoodPortKinds)[number]
export const isUnderstood = (kind: PortKind): kind is UnderstoodPortKind =>
  (understoodPortKinds as readonly PortKind[]).includes(kind)

/** A port as the agent tells it; its address stays on site. */
export interface AgentPort {
  /** The text that people type: a name of the agent's file, or there `host:port` without a name. */
  readonly name: string
  readonly kind: PortKind
  readonly note: string
  /** The people who may look without touching it: nobody, those with a right to use the port, or visitors too. */
  readonly look: 'nobody' | 'users' | 'visitors'
  /** Connections to it at a time. */
  readonly connections: number
  /** Time that its last connection took to open; null before one, and after one that failed. */
  readonly roundTripMs: number | null
}

/** Headers of a CONNECT to a port. */
export const portHeader = {
  /** The stream, which goes on over another line: 22 letters of base64url that its program drew at random. */
  stream: 'busbar-stream',
  /** Position of the sender's next byte to get: in the request that of the program, in the answer that of the agent. */
  from: 'busbar-from',
  /** `1` where the program goes on with a stream that was open. */
  resume: 'busbar-resume',
  /** `user` or `visitor`: by what right a person looks at the port. */
  reach: 'busbar-reach',
} as const

/** Why the agent ended a stream, where that is not for the controller's or the program's sake. */
export const portOverReasons = [
  /** In a visit that may only look: encrypted, so that reading and writing cannot be told apart. */
  'encrypted',
  /** In a visit that may only look: where a request begins cannot be told any more. */
  'unclear',
] as const
export type PortOverReason = (typeof portOverReasons)[number]

export const isStreamId = (text: string): boolean => /^[\w-]{22}$/.test(text)

/** Paths under the authority `agent`. */
export const portsPath = '/ports'

export const portLimits = {
  /** Of one visit. */
  streamsMax: 8,
  /** A stream without a line is kept so long at both ends. */
  keepMs: 30_000,
  /** Bytes that one end has sent and the reader of the other has not taken: at first, and at most. */
  windowBytesMin: 256 * 1024,
  windowBytesMax: 2 * 1024 * 1024,
  frameBytesMax: 64 * 1024,
  /** Each end of a WebSocket pings so often, and takes it for broken after so long without a sign of life. */
  pingMs: 10_000,
  silentMs: 25_000,
  /** Connections to a port at a time, where the agent's file says nothing: small controllers have few. */
  connections: 4,
  /** Places that one stream tells as written; writes elsewhere are only counted. */
  writtenPlacesMax: 1_000,
} as const

/** How many requests of a stream the agent understood, since it opened. */
export interface PortCounts {
  readonly reads: number
  readonly writes: number
  /** Not let through, in a visit that may only look. */
  readonly refused: number
}

/** The writes of a tool to one place of a controller, over one stream since it opened. */
export interface PortWrite {
  /** Of Modbus; null in protocols without one. */
  readonly unit: number | null
  /** As the agent's file spells addresses: `holding:12`, `DB1.DBW4`. */
  readonly place: string
  /** Before the first write, where the stream had read it: a number, or bytes as hexadecimal digits; null where it had not. */
  readonly from: string | null
  /** By the last write. */
  readonly to: string
  /** How long ago the first and the last was, in milliseconds: clocks of agents may be wrong. */
  readonly firstAgoMs: number
  readonly lastAgoMs: number
  /** The variable of the agent's file that this place belongs to. */
  readonly tag: { readonly group: string; readonly name: string } | null
}

/** Why the platform closes a WebSocket that carries a stream: its code, with a word as its reason (rules/visits.md: ports). */
export const lineClose = {
  /** The stream is over. */
  over: 1000,
  wrong: 4400,
  ticket: 4401,
  notAllowed: 4403,
  unknownPort: 4404,
  tooMany: 4409,
  gone: 4410,
  unreachable: 4502,
  /** Try again: the machine is away, or the platform cannot decide. */
  away: 4503,
} as const
