import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  ClientSessionRequestOptions,
  OutgoingHttpHeaders,
} from 'node:http2'
import type { AgentInfo } from '@busbar/link'

/** One machine's tunnel: an HTTP/2 session to its agent, the platform being the client (machine-protocol.md). */
export interface Tunnel {
  readonly machineId: number
  readonly code: string
  /** Epoch milliseconds. */
  readonly openedAt: number
  /** Streams open now. */
  readonly streamCount: number
  /**
   * Opens a stream. Headers are HTTP/2's own (`:method`, `:path`, `:authority` = target, `:protocol` for a WebSocket).
   * Undefined when the tunnel is full (128 streams) or gone; what fails later is an error of the stream. A GET, HEAD
   * or DELETE has no body unless `endStream` is false. To break one off use `resetStream` of link:
   * `close(code)` and `destroy()` without an error do not tell the agent.
   */
  request(headers: OutgoingHttpHeaders, options?: ClientSessionRequestOptions): ClientHttp2Stream | undefined
  /** What the agent offers, asked for once when the tunnel opened; rejects when it does not answer in time. */
  info(): Promise<AgentInfo>
  /** Round trip in milliseconds; rejects when there is no answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<number>
  readonly session: ClientHttp2Session
}

/** Every tunnel that ends in this process: one a machine, a newer one replaces an older. */
export interface Tunnels {
  find(machineId: number): Tunnel | undefined
  /** Ends a machine's tunnel, as after a reset of its secret. */
  cut(machineId: number, reason: string): void
  /** Told when a machine's tunnel opened, was replaced (both at once) or went; answers how to stop being told. */
  onChange(listener: (machineId: number, tunnel: Tunnel | undefined) => void): () => void
}
