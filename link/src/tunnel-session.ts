import type { Http2Session, Http2Stream, Settings } from 'node:http2'
import { tunnelLimits } from './tunnel.ts'
import { WindowPolicy } from './window-policy.ts'

/** The first SETTINGS of both ends. */
export const tunnelSettings = {
  enablePush: false,
  initialWindowSize: tunnelLimits.windowBytesMin,
  maxConcurrentStreams: tunnelLimits.streamsMax,
  maxHeaderListSize: tunnelLimits.headerBytesMax,
} as const satisfies Settings

/** Limits of Node's HTTP/2 on the peer, on both ends: floods end the session. */
export const tunnelSessionOptions = {
  maxSettings: 16,
  maxOutstandingPings: 4,
  maxHeaderListPairs: tunnelLimits.headersMax,
  maxSessionMemory: 64,
  maxSendHeaderBlockLength: tunnelLimits.headerBytesMax,
} as const

/**
 * Breaks a stream off, so that the other end learns that it is not whole (RST_STREAM). Only this works with
 * Node's HTTP/2: `close(code)` of a server ends its answer in order, and after `pipeline` sends nothing at
 * all; `destroy()` without an error looks like a whole answer.
 */
export function resetStream(stream: Http2Stream, reason: string): void {
  stream.destroy(new Error(reason))
}

/** Interval at which received bytes are counted if the transport does not report them. */
const countMs = 250
/** Interval at which the round trip is measured while bytes come in bulk. */
const measureMs = 1_000

/** Adjusts a session's windows by the policy; gets every stream and the number of received bytes. */
export class TunnelWindows {
  readonly #session: Http2Session
  readonly #now: () => number
  readonly #bytesRead: (() => number) | undefined
  readonly #policy: WindowPolicy
  readonly #streams = new Set<Http2Stream>()
  #windowBytes: number = tunnelLimits.windowBytesMin
  #countedBytes = 0
  #count: NodeJS.Timeout | undefined
  #roundTripMs: number | undefined
  #measuredAt = Number.NEGATIVE_INFINITY

  /**
   * `now` in milliseconds, never backwards. `bytesRead` returns the number of bytes received so far; without
   * it `received` has to be called.
   */
  constructor(session: Http2Session, now: () => number, bytesRead?: () => number) {
    this.#session = session
    this.#now = now
    this.#bytesRead = bytesRead
    this.#policy = new WindowPolicy(now())
    // Node returns the session's own window immediately, read or not, so a stuck stream does not take it from
    // the others.
    session.setLocalWindowSize(tunnelLimits.sessionWindowBytes)
  }

  get streamCount(): number {
    return this.#streams.size
  }

  add(stream: Http2Stream): void {
    this.#streams.add(stream)
    stream.once('close', () => this.#streams.delete(stream))
    if (this.#policy.opened(this.#streams.size)) this.#decide()
    if (this.#bytesRead && !this.#count) this.#countLater(this.#bytesRead)
  }

  received(bytes: number): void {
    if (!this.#policy.received(bytes, this.#now())) return
    this.#measure()
    this.#decide()
  }

  /** Counts while streams are open: an idle tunnel runs no timer. */
  #countLater(bytesRead: () => number): void {
    this.#countedBytes = bytesRead()
    this.#count = setTimeout(() => {
      this.#count = undefined
      if (this.#session.destroyed) return
      this.received(bytesRead() - this.#countedBytes)
      if (this.#streams.size > 0) this.#countLater(bytesRead)
    }, countMs)
    this.#count.unref()
  }

  #measure(): void {
    const now = this.#now()
    if (this.#session.destroyed || now - this.#measuredAt < measureMs) return
    this.#measuredAt = now
    this.#session.ping((error, durationMs) => {
      if (!error) this.#roundTripMs = durationMs
    })
  }

  #decide(): void {
    // Only one change is pending at a time: a peer that never acknowledges gets no further ones.
    if (this.#session.destroyed || this.#session.pendingSettingsAck) return
    const windowBytes = this.#policy.decide(this.#leftBytes(), this.#now(), this.#roundTripMs)
    if (windowBytes === this.#windowBytes) return
    this.#windowBytes = windowBytes
    this.#session.settings({ initialWindowSize: windowBytes })
  }

  #leftBytes(): number[] {
    const left: number[] = []
    for (const stream of this.#streams) {
      const { localWindowSize, remoteClose } = stream.state
      if (localWindowSize !== undefined && remoteClose !== 1) left.push(localWindowSize)
    }
    return left
  }
}
