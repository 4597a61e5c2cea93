import { Backoff } from '../backoff.ts'
import type { Log } from '../log.ts'
import { dialBytes, mayDialBytes } from './dial-bytes.ts'
import { dialWebSocket } from './dial-web-socket.ts'
import {
  connectMsMax,
  type DialEvents,
  type DialOptions,
  type Line,
  type LineEnd,
  type TunnelTransport,
} from './line.ts'
import { TunnelTransports } from './tunnel-transports.ts'

const reconnectFirstMs = 1_000
const reconnectMostMs = 30_000
/** Repeating a wrong secret is useless, and two agents with one code must not displace each other endlessly. */
const refusedReconnectMs = 60_000
/** A line that carries something is not replaced by a faster one. */
const inUseMs = 60_000

export interface TunnelOptions extends DialOptions {
  log: Log
  /** 0 to 1, for the jitter. */
  random: () => number
}

/** The agent's end of the tunnel. */
export interface AgentTunnel {
  /** Ends it with all of its streams. */
  stop(): void
}

const dials: Record<TunnelTransport, (options: DialOptions, events: DialEvents) => Line> = {
  bytes: dialBytes,
  webSocket: dialWebSocket,
}

/** Dials the platform and stays connected until `stop`. */
export function startTunnel(options: TunnelOptions): AgentTunnel {
  const tunnel = new DialledTunnel(options)
  tunnel.dial()
  return tunnel
}

class DialledTunnel implements AgentTunnel {
  readonly #options: TunnelOptions
  readonly #transports: TunnelTransports
  readonly #backoff = new Backoff(reconnectFirstMs, reconnectMostMs)
  /** The line in use, or the one that is to be. */
  #line: Line | undefined
  /** Plain bytes being tried beside a WebSocket in use. */
  #trial: Line | undefined
  #cancelDial = (): void => undefined
  #cancelTrial = (): void => undefined
  #isStopping = false

  constructor(options: TunnelOptions) {
    this.#options = options
    this.#transports = new TunnelTransports(mayDialBytes(options.url), options.clock)
  }

  dial(): void {
    const transport = this.#transports.next
    const line = dials[transport](this.#options, {
      onOpen: () => this.#opened(transport),
      onClose: (end) => {
        if (line === this.#line) this.#closed(transport, end)
      },
    })
    this.#line = line
  }

  stop(): void {
    this.#isStopping = true
    this.#cancelDial()
    this.#cancelTrial()
    this.#trial?.close()
    this.#line?.close()
  }

  #opened(transport: TunnelTransport): void {
    this.#backoff.reset()
    this.#options.log('info', 'tunnel.opened', { way: transport })
    if (transport === 'bytes') this.#transports.opened()
    else this.#planTrial(this.#transports.bytesInMs)
  }

  #closed(transport: TunnelTransport, { reason, kind }: LineEnd): void {
    if (this.#isStopping) return
    const { log, clock, random } = this.#options
    this.#cancelTrial()
    this.#trial?.close()
    this.#trial = undefined
    if (transport === 'bytes' && kind === 'lost') this.#transports.lost()
    if (kind === 'blocked' || kind === 'busy') {
      this.#transports.blocked()
      log('info', 'tunnel.upgradeFailed', { reason })
      // The platform is reachable: a WebSocket need not wait.
      if (kind === 'blocked') {
        this.dial()
        return
      }
    }
    const isRefused = kind === 'refused'
    const pauseMs = isRefused ? refusedReconnectMs : this.#backoff.nextMs()
    // Half of the pause is random, so that machines do not all return together after an outage of the cloud.
    const delayMs = Math.round(pauseMs * (0.5 + random() / 2))
    log('warn', isRefused ? 'tunnel.refused' : 'tunnel.closed', { reason, retryInMs: delayMs })
    this.#cancelDial = clock.after(delayMs, () => this.dial())
  }

  #planTrial(inMs: number): void {
    if (inMs === Number.POSITIVE_INFINITY) return
    this.#cancelTrial = this.#options.clock.after(inMs, () => this.#tryBytes())
  }

  /** Tries plain bytes beside an idle WebSocket. The platform replaces the older line by the newer one. */
  #tryBytes(): void {
    if (this.#line === undefined || this.#line.streamCount > 0) {
      this.#planTrial(inUseMs)
      return
    }
    const trial = dialBytes(this.#options, {
      onOpen: () => {
        const before = this.#line
        this.#line = trial
        this.#trial = undefined
        // The platform closes it, as another tunnel came. Closing it here would leave the machine without a
        // tunnel for a moment.
        if (before) this.#options.clock.after(connectMsMax, () => before.close())
        this.#opened('bytes')
      },
      onClose: (end) => {
        if (trial === this.#line) return this.#closed('bytes', end)
        if (trial !== this.#trial || this.#isStopping) return
        this.#trial = undefined
        this.#transports.blocked()
        this.#planTrial(this.#transports.bytesInMs)
      },
    })
    this.#trial = trial
  }
}
