import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  ClientSessionRequestOptions,
  OutgoingHttpHeaders,
} from 'node:http2'
import type { AgentInfo, AgentPort } from '@busbar/link'

/** One machine's tunnel: an HTTP/2 session to its agent, the platform being the client (rules/wire.md: tunnel). */
export interface Tunnel {
  readonly machineId: number
  readonly code: string
  /** Epoch milliseconds. */
  readonly openedAt: number
  /** Streams open now. */
  readonly streamCount: number
  /**
   * Opens a stream. Headers are HTTP/2's own (`:method`, `:path`, `:authority` = target, `:protocol` for a WebSocket).
   * Undefined when the tunnel is full (128 streams) or gone; later failures are errors of the stream. Unless
   * `endStream` is false, a GET, HEAD or DELETE is sent without a body. To abort one use `resetStream` of link:
   * `close(code)` and `destroy()` without an error do not reach the agent.
   */
  request(headers: OutgoingHttpHeaders, options?: ClientSessionRequestOptions): ClientHttp2Stream | undefined
  /** The agent's offer, requested once when the tunnel opened; rejects when it does not answer in time. */
  info(): Promise<AgentInfo>
  /** Its ports as they are now, with their last round trips; rejects without an answer within `timeoutMs`. */
  portsNow(timeoutMs: number): Promise<readonly AgentPort[]>
  /** Round trip in ms; rejects without an answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<number>
  readonly session: ClientHttp2Session
}

/** Every tunnel that ends in this process: one a machine, a newer one replaces an older. */
export interface Tunnels {
  find(machineId: number): Tunnel | undefined
  /** Ends a machine's tunnel, as after a reset of its secret. */
  cut(machineId: number, reason: string): void
  /**
   * Called when a machine's tunnel opened, was replaced (both at once) or went; answers a function that unsubscribes.
   */
  onChange(listener: (machineId: number, tunnel: Tunnel | undefined) => void): () => void
}
