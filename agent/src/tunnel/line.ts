import type { Clock } from '../clock.ts'
import type { Route } from './router.ts'

/** The transport of HTTP/2's bytes. */
export type TunnelTransport = 'bytes' | 'webSocket'

/** The parameters of a dial. */
export interface DialOptions {
  /** ws or wss, with the path. */
  url: string
  code: string
  secret: string
  route: Route
  clock: Clock
}

/** The end of a line: why, in a word for the log, and what follows from it. */
export interface LineEnd {
  readonly reason: string
  /**
   * - `lost`: another try is worth while;
   * - `refused`: an early retry would fail again;
   * - `blocked`: something on the way, or the platform, does not know this kind of line;
   * - `busy`: the same, with an answer that names a time to wait.
   */
  readonly kind: 'lost' | 'refused' | 'blocked' | 'busy'
}

export interface DialEvents {
  /** The platform speaks HTTP/2. */
  onOpen(): void
  /** Once, last. */
  onClose(end: LineEnd): void
}

/** One connection to the platform, from the dialling to its end. */
export interface Line {
  /** Streams open now. */
  readonly streamCount: number
  close(): void
}

/** Limit for each of connection, TLS, login and the platform's first bytes. */
export const connectMsMax = 10_000

/** Another agent with the same code took its place. */
export const replaced: LineEnd = { reason: 'replaced', kind: 'refused' }

/** Whether only this computer or the platform itself can read what the line carries. */
export function isHidden(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'wss:' || hostname === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
