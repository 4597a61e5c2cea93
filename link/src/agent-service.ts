/** The state of an agent, its log and its searches: what both ends say under the authority `agent`, always in JSON. */

/** Paths under the authority `agent`; the first two also where the agent's file allows no configuration. */
export const agentServicePath = {
  /** GET: answers `AgentHealth`. */
  health: '/health',
  /** GET: answers `AgentLog`. */
  log: '/log',
  /** POST `AgentProbe`: answers `AgentProbed`; 404 for an unknown connection, 409 during another one of it. */
  probe: '/health/probe',
  /** POST `AgentScan`: answers 202 `AgentScanState`, 409 during another one, 422 `AgentScanRefusal`. GET: answers the last one. */
  scan: '/config/scan',
} as const

export const agentServiceLimits = {
  /** The lines of a log, as JSON in UTF-8. */
  logBytesMax: 1024 * 1024,
  logMs: 3_600_000,
  /** From the first packet to the answer of one read. */
  probeMs: 2_500,
  requestBytesMax: 16 * 1024,
  answerBytesMax: 512 * 1024,
  connectionsMax: 200,
  /** The last failures of the line to the platform, and the last one of each connection. */
  failuresMax: 10,
  failureCharactersMax: 300,
  scanHostsMax: 1_024,
  /** Of each kind, where the agent's file allows whole ranges. */
  scanPortsMax: 8,
  scanAtOnceMax: 64,
  scanPerSecondMax: 200,
  scanFoundMax: 256,
} as const

/** A failure with its time, epoch ms of the agent; in English. */
export interface AgentFailure {
  readonly at: number
  readonly reason: string
}

export const serviceConnectionStates = ['online', 'offline', 'unknown'] as const

export interface AgentHealth {
  readonly version: string
  /** Of Node, such as `v26.12.1`. */
  readonly node: string
  /** Such as `linux x64 6.1.0`. */
  readonly system: string
  /** Epoch ms of the agent when it answered. */
  readonly at: number
  readonly uptimeMs: number
  /** Of the last minute, in processors; null where the system does not tell. */
  readonly load: number | null
  readonly processors: number
  /** Used by the agent, and free on its computer. */
  readonly memory: { readonly usedBytes: number; readonly freeBytes: number }
  /** Of the folder of the outbox; null where it is kept in memory, or where the system does not tell. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null
  readonly outbox: {
    readonly waiting: number
    /** Epoch ms of the oldest waiting sample. */
    readonly oldestAt: number | null
    readonly dropped: number
    /** Whether the disk takes values at present; null where it is not used. */
    readonly isDiskWell: boolean | null
  }
  /** How far this computer's clock is ahead of the platform's; null while unknown. */
  readonly clockAheadMs: number | null
  readonly line: {
    readonly isOnline: boolean
    readonly family: 'IPv4' | 'IPv6' | null
    /** The proxy of this computer's settings, without user and password. */
    readonly proxy: string | null
    readonly tls: {
      readonly issuer: string
      /** SHA-256, as pairs of hexadecimal digits. */
      readonly fingerprint: string
      /** Epoch ms. */
      readonly expireAt: number
    } | null
    readonly roundTripMs: number | null
    /** Newest first. */
    readonly failures: readonly AgentFailure[]
  }
  readonly connections: readonly {
    readonly name: string
    readonly driver: string
    /** Set up from the platform. */
    readonly remote: boolean
    readonly tags: number
    readonly state: (typeof serviceConnectionStates)[number]
    readonly failure: AgentFailure | null
    /** Since the newest good value; null before the first. */
    readonly valueAgeMs: number | null
  }[]
}

export interface AgentProbe {
  /** The name of a connection in effect. */
  readonly connection: string
}

/** Results of a try, from the network upwards. */
export const probeCodes = [
  'ok',
  /** The controller's address has no such name, or no way leads to it. */
  'unreachable',
  'refused',
  'timeout',
  'notThisProtocol',
  'certificate',
  'wrongUser',
  'wrongUnit',
  'wrongSlot',
  /** The controller speaks the protocol, and refuses the read for another reason. */
  'readRefused',
  /** The connection has no network: simulated, or a serial line. */
  'notProbed',
] as const
export type ProbeCode = (typeof probeCodes)[number]

export interface AgentProbed {
  readonly code: ProbeCode
  /** In English; empty for `ok`. */
  readonly reason: string
  /** Null for the steps that were not reached. */
  readonly connectMs: number | null
  readonly helloMs: number | null
  readonly readMs: number | null
}

/** A line as the agent wrote it: its time, level, event and fields. */
export interface AgentLogLine {
  readonly at: string
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly [field: string]: string | number | boolean
}

export interface AgentLog {
  readonly lines: readonly AgentLogLine[]
  /** Whether the last hour had more lines. */
  readonly isCut: boolean
}

export const scanKinds = ['modbus-tcp', 's7', 'opcua'] as const
export type ScanKind = (typeof scanKinds)[number]

export interface AgentScan {
  /** Inside the networks of the agent's file: an IPv4 address with the bits of its prefix. */
  readonly network: string
  /** All where missing. */
  readonly kinds?: readonly ScanKind[]
}

export const scanRefusals = ['notANetwork', 'networkNotAllowed', 'tooManyHosts', 'scanUnavailable'] as const

export interface AgentScanRefusal {
  readonly refusal: (typeof scanRefusals)[number]
  /** In English, with what is allowed. */
  readonly message: string
}

export interface AgentScanState {
  /** `none` before the first one since the start. */
  readonly state: 'none' | 'running' | 'done'
  readonly network: string | null
  /** Addresses and ports tried, of all. */
  readonly done: number
  readonly total: number
  readonly found: readonly {
    readonly address: string
    readonly port: number
    readonly kind: ScanKind
    /** As the controller tells it; missing where it tells none. */
    readonly name?: string
  }[]
}
