import { createServer, type Server, type Socket } from 'node:net'
import { type PortCounts, type PortKind, portLimits } from '@busbar/link'
import { isFromHere, isLoopback, isPrivate, listAddresses } from './interfaces.ts'
import type { ConnectEvent, EndReason } from './model.ts'
import { findHolder, type PortHolder } from './port-holder.ts'
import { PortStream, type StreamDeps } from './port-stream.ts'

/** The local ports that are proposed where the usual one of a kind cannot be used. */
const usualPorts: Readonly<Record<PortKind, number>> = {
  modbus: 10_502,
  s7: 10_102,
  opcua: 4_840,
  codesys: 11_740,
  ssh: 10_022,
  vnc: 5_900,
  rdp: 13_389,
  http: 10_080,
  other: 0,
}
/** The ports that controllers themselves have by kind, where tools expect them. */
const ownPorts: Readonly<Record<PortKind, number | undefined>> = {
  modbus: 502,
  s7: 102,
  opcua: 4_840,
  codesys: 11_740,
  ssh: 22,
  vnc: 5_900,
  rdp: 3_389,
  http: 80,
  other: undefined,
}
const ownPortMin = 1_024
const proposedFrom = 10_000

/** A local port that cannot be used. `proposal` is one that can, or 0 where none was found; `holder` has a taken one. */
export class LocalPortError extends Error {
  readonly fault: 'taken' | 'denied' | 'unusable'
  readonly port: number
  readonly proposal: number
  readonly holder: PortHolder | undefined

  constructor(fault: 'taken' | 'denied' | 'unusable', port: number, proposal: number, holder?: PortHolder) {
    super(`${port}: ${fault}`)
    this.fault = fault
    this.port = port
    this.proposal = proposal
    this.holder = holder
  }
}

/** The port of a target as its tools expect it: that of its name `host:port`, else of its kind. */
export function ownPortOf({
  name,
  kind,
}: {
  readonly name: string
  readonly kind: PortKind
}): number | undefined {
  const named = Number(/:(\d{1,5})$/.exec(name)?.[1])
  return named >= 1 && named <= 65_535 ? named : ownPorts[kind]
}

/** Before anybody is asked for rights: may this user listen on the port? @throws LocalPortError */
export async function requirePermitted(port: number): Promise<void> {
  const server = createServer()
  try {
    await listen(server, '127.0.0.1', port)
  } catch (error) {
    if (faultOf(error) === 'denied') throw await explain(error, '127.0.0.1', port)
  } finally {
    server.close()
  }
}

export interface TargetOptions {
  readonly name: string
  readonly kind: PortKind
  readonly address: string
  /** The person's choice; without one the kind's usual, else any. */
  readonly localPort: number | undefined
  readonly deps: StreamDeps
  /** Streams of all targets of the visit. */
  readonly countStreams: () => number
  readonly tell: (event: ConnectEvent) => void
}

/** A port of the machine behind a listener on this computer. */
export class Target {
  readonly #options: TargetOptions
  readonly #server: Server
  readonly #streams = new Set<PortStream>()
  #opened = 0
  #past = { in: 0, out: 0 }
  #pastCounts: PortCounts | undefined
  #roundTripMs: number | undefined
  #end: { readonly reason: EndReason; readonly detail: string } | undefined

  private constructor(options: TargetOptions) {
    this.#options = options
    // The tool and the controller end their directions apart; bytes wait here until the stream reads them.
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket))
  }

  /** Listens. @throws LocalPortError */
  static async open(options: TargetOptions): Promise<Target> {
    if (!isLoopback(options.address) && !isPrivate(options.address))
      throw new Error('listens on this computer only')
    const target = new Target(options)
    const { localPort, kind, address } = options
    const wanted = localPort ?? usualPorts[kind]
    try {
      await listen(target.#server, address, wanted)
    } catch (error) {
      if (localPort !== undefined) throw await explain(error, address, localPort)
      await listen(target.#server, address, 0)
    }
    return target
  }

  get name(): string {
    return this.#options.name
  }

  get kind(): PortKind {
    return this.#options.kind
  }

  /** `127.0.0.1:10502` */
  get localAddress(): string {
    const at = this.#server.address()
    if (at === null || typeof at === 'string') return ''
    return at.family === 'IPv6' ? `[${at.address}]:${at.port}` : `${at.address}:${at.port}`
  }

  get streams(): number {
    return this.#streams.size
  }

  get bytes(): { readonly in: number; readonly out: number } {
    let { in: bytesIn, out: bytesOut } = this.#past
    for (const { bytes } of this.#streams) {
      bytesIn += bytes.in
      bytesOut += bytes.out
    }
    return { in: bytesIn, out: bytesOut }
  }

  /** Requests of all streams as the agent counts them; undefined where it told none. */
  get counts(): PortCounts | undefined {
    return [...this.#streams].reduce((sum, { counts }) => addCounts(sum, counts), this.#pastCounts)
  }

  /** Of the line to the platform, in milliseconds. */
  get roundTripMs(): number | undefined {
    return this.#roundTripMs
  }

  /** Why nothing passes here any more; undefined while it is open. */
  get end(): { readonly reason: EndReason; readonly detail: string } | undefined {
    return this.#end
  }

  /** Ends the listener and every connection. */
  close(): void {
    this.#server.close()
    for (const stream of [...this.#streams]) stream.close('stopped')
  }

  endWith(reason: EndReason, detail: string): void {
    if (this.#end) return
    this.#end = { reason, detail }
    this.#server.close()
    for (const stream of [...this.#streams]) stream.close('refused', detail)
    this.#options.tell({ event: 'ended', target: this.name, reason, detail })
  }

  #accept(socket: Socket): void {
    const { name, deps, tell, countStreams } = this.#options
    // Until a stream has it, and after it.
    socket.on('error', () => undefined)
    const number = ++this.#opened
    if (!isFromHere(socket.remoteAddress, listAddresses) || countStreams() >= portLimits.streamsMax) {
      socket.resetAndDestroy()
      tell({
        event: 'closed',
        target: name,
        stream: number,
        reason: 'tooMany',
        detail: '',
        bytesIn: 0,
        bytesOut: 0,
        requests: null,
      })
      return
    }
    const stream: PortStream = new PortStream(name, socket, deps, {
      onOpened: () => tell({ event: 'opened', target: name, stream: number }),
      onLineLost: () => tell({ event: 'lineLost', target: name, stream: number }),
      onLineBack: (pausedMs) =>
        tell({ event: 'lineBack', target: name, stream: number, pausedMs: Math.round(pausedMs) }),
      onWarning: (reason, at) => tell({ event: 'warning', reason, at }),
      onRoundTrip: (ms) => {
        this.#roundTripMs = ms
      },
      onTargetEnded: (reason, detail) => this.endWith(reason, detail),
      onClosed: (reason, detail) => {
        const { bytes, counts } = stream
        this.#streams.delete(stream)
        this.#past = { in: this.#past.in + bytes.in, out: this.#past.out + bytes.out }
        this.#pastCounts = addCounts(this.#pastCounts, counts)
        tell({
          event: 'closed',
          target: name,
          stream: number,
          reason,
          detail,
          bytesIn: bytes.in,
          bytesOut: bytes.out,
          requests: counts ?? null,
        })
      },
    })
    this.#streams.add(stream)
  }
}

const addCounts = (sum: PortCounts | undefined, more: PortCounts | undefined): PortCounts | undefined =>
  sum && more
    ? {
        reads: sum.reads + more.reads,
        writes: sum.writes + more.writes,
        refused: sum.refused + more.refused,
      }
    : (sum ?? more)

function faultOf(error: unknown): LocalPortError['fault'] {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE') return 'taken'
  return code === 'EACCES' ? 'denied' : 'unusable'
}

async function explain(error: unknown, address: string, port: number): Promise<LocalPortError> {
  const fault = faultOf(error)
  const holder = fault === 'taken' ? await findHolder(process.platform, address, port) : undefined
  return new LocalPortError(fault, port, await proposePort(address, port), holder)
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      // A connection that could not be accepted: the next one may be.
      server.on('error', () => undefined)
      resolve()
    })
  })
}

/** A port near the wanted one that is free now; 0 without one. */
async function proposePort(address: string, wanted: number): Promise<number> {
  const near = wanted < ownPortMin ? [proposedFrom + wanted] : [wanted + 1, wanted + 10]
  for (const port of [...near, 0]) {
    if (port > 65_535) continue
    const server = createServer()
    try {
      await listen(server, address, port)
      const at = server.address()
      return at && typeof at !== 'string' ? at.port : 0
    } catch {
      // Taken too.
    } finally {
      server.close()
    }
  }
  return 0
}
