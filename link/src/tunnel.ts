import type { AgentPort } from './ports.ts'

/** Path of the agent's tunnel, on the platform's web port. */
export const tunnelPath = '/tunnel'

/** The WebSocket's subprotocol: HTTP/2 on a byte stream, the platform being the client. */
export const tunnelProtocol = 'busbar-tunnel.1'

/** The `Upgrade` to bare bytes: HTTP/2 itself follows the answer, where every hop lets it through. */
export const tunnelUpgrade = 'busbar-tunnel'

/** Headers that only the platform may send; both ends remove them from all other requests. */
export const tunnelHeader = {
  /** The visit's id, decimal. */
  visit: 'busbar-visit',
  /** The visitor's name, percent-encoded UTF-8. */
  user: 'busbar-user',
  /** `ro` or `rw`, which the agent must enforce too. */
  mode: 'busbar-mode',
  /** Latest end of the visit, epoch milliseconds, at which the agent ends its streams. */
  until: 'busbar-until',
} as const
export const tunnelHeaderPrefix = 'busbar-'

/**
 * Set by the agent on the answer of a target that leads to another address of the same device, which no target has: that
 * address, `https://192.168.0.5:8443`.
 */
export const elsewhereHeader = 'busbar-elsewhere'

/**
 * Stands in the headers of an agent's answer for the address of another target. The platform puts the address in its place
 * under which a browser reaches that target; by itself it leads nowhere (RFC 2606, 2).
 */
export const targetAddressOf = (name: string): string => `http://${name}.target.invalid`
export const targetAddressPattern = /http:\/\/([a-z0-9-]{1,31})\.target\.invalid([^#\s"'<>]*)/g

/** Reserved targets: the agent's page, and the platform's own requests to the agent. */
export const tunnelTarget = { page: 'page', agent: 'agent' } as const

/** Paths under the authority `agent`; each answers JSON. */
export const agentPath = { info: '/info' } as const

/**
 * Whether a text can be a target's name: it is a part of a host name, and `--` separates it from the
 * machine's code.
 */
export function isTargetName(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?$/.test(name) && !name.includes('--')
}

/** Answer of `agentPath.info`. */
export interface AgentInfo {
  readonly version: string
  readonly targets: readonly {
    readonly name: string
    /** The agent refuses every change in a visit that may only watch. */
    readonly readOnly: boolean
  }[]
  /** Its TCP ports; left out by older agents, which open none. */
  readonly ports?: readonly AgentPort[]
  /** Parts of its configuration that the platform may change; left out by older agents, which support none. */
  readonly remote?: readonly 'drivers'[]
}

export const tunnelLimits = {
  /** A stream's window at first, and at most, while its reader keeps reading (bytes). */
  windowBytesMin: 256 * 1024,
  windowBytesMax: 4 * 1024 * 1024,
  streamsMax: 128,
  /** The most bytes of all streams of a session on their way between network and HTTP/2. */
  sessionWindowBytes: 4 * 1024 * 1024,
  /** Received but not passed to HTTP/2 yet: more than a session's window, see `TunnelStream`. */
  readAheadBytesMax: 5 * 1024 * 1024,
  /** One WebSocket message. */
  messageBytesMax: 1024 * 1024,
  /** A header block, names and values. */
  headerBytesMax: 64 * 1024,
  headersMax: 128,
  /** The WebSocket's ping finds a dead tunnel. */
  pingIntervalMs: 20_000,
} as const

/** Why the platform closes a tunnel: the WebSocket's code, or the error of HTTP/2's GOAWAY on bare bytes. */
export const tunnelClose = {
  /** Another agent signed in with the same code. */
  replaced: 4001,
  /** The secret was reset, or the platform requires the machine to sign in again. */
  cut: 4002,
} as const
