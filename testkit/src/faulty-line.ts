import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { PostgresConnection } from '@busbar/platform/kernel/database/connection.ts'

/** The state of a line. */
export type LineState =
  | 'fine'
  /** Every connection was reset, and new ones are refused. */
  | 'cut'
  /** Messages of the platform are lost without an error. */
  | 'noAnswers'
  /** Messages of the client are lost without an error. */
  | 'noRequests'
  /** Neither arrives, and nobody is told. */
  | 'silent'

/** The most bytes queued on a socket before its sender has to wait. */
const queueBytesMax = 1024 * 1024

interface Pair {
  readonly near: Socket
  readonly far: Socket
  readonly up: Direction
  readonly down: Direction
}

/** Where the next connection is cut: after so many bytes to the far end (`up`) or from it (`down`). */
export interface LineCut {
  readonly way: 'up' | 'down'
  readonly afterBytes: number
}

/** One direction of a connection: bytes, and the end, in order, after a delay, or only after it is mended. */
class Direction {
  readonly #from: Socket
  readonly #to: Socket
  readonly #delayMs: () => number
  readonly #queue: { readonly bytes: Buffer | undefined; readonly arrivesAt: number }[] = []
  #isBlocked: boolean
  #timer: NodeJS.Timeout | undefined
  /** Bytes until both ends are closed. */
  #leftBytes: number

  constructor(
    from: Socket,
    to: Socket,
    isBlocked: boolean,
    delayMs: () => number,
    leftBytes = Number.POSITIVE_INFINITY,
  ) {
    this.#leftBytes = leftBytes
    this.#from = from
    this.#to = to
    this.#isBlocked = isBlocked
    this.#delayMs = delayMs
    from.on('data', (bytes: Buffer) => this.#push(bytes))
    // An end travels like data: over a dead line it does not arrive.
    from.on('close', () => this.#push(undefined))
    from.on('error', () => {})
  }

  set isBlocked(isBlocked: boolean) {
    this.#isBlocked = isBlocked
    this.#flush()
  }

  #push(bytes: Buffer | undefined): void {
    this.#queue.push({ bytes, arrivesAt: performance.now() + this.#delayMs() })
    if (this.#queue.reduce((sum, part) => sum + (part.bytes?.length ?? 0), 0) > queueBytesMax)
      this.#from.pause()
    this.#flush()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    while (!this.#isBlocked) {
      const next = this.#queue[0]
      if (!next) {
        this.#from.resume()
        return
      }
      const waitMs = next.arrivesAt - performance.now()
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#flush(), waitMs)
        return
      }
      this.#queue.shift()
      if (next.bytes === undefined) this.#to.destroy()
      else if (!this.#to.destroyed) this.#write(next.bytes)
    }
  }

  #write(bytes: Buffer): void {
    const isLast = bytes.length >= this.#leftBytes
    this.#to.write(isLast ? bytes.subarray(0, this.#leftBytes) : bytes)
    this.#leftBytes -= bytes.length
    if (!isLast) return
    this.#to.destroySoon()
    this.#from.destroy()
  }
}

/** Where a line leads to. */
type LineEnd = { readonly port: number } | { readonly path: string }

/** The end of a line to a PostgreSQL, whose host may be the folder of a Unix socket. */
export const databaseEnd = ({ host, port }: PostgresConnection): LineEnd =>
  host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { port }

/** A listener on loopback that joins each connection to another one, and that a test can break in the ways lines break. */
export class FaultyLine {
  readonly #server: Server
  readonly #to: NetConnectOpts
  readonly #pairs = new Set<Pair>()
  readonly #cuts: LineCut[] = []
  #state: LineState = 'fine'
  #delayMs = 0

  private constructor(to: LineEnd) {
    this.#to = 'path' in to ? to : { ...to, host: '127.0.0.1', noDelay: true }
    this.#server = createServer({ noDelay: true }, (near) => this.#accept(near))
  }

  static async open(to: LineEnd): Promise<FaultyLine> {
    const line = new FaultyLine(to)
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve))
    return line
  }

  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the line is closed')
    return address.port
  }

  /** One way, for data sent from now on. */
  set delayMs(delayMs: number) {
    this.#delayMs = delayMs
  }

  get state(): LineState {
    return this.#state
  }

  set state(state: LineState) {
    this.#state = state
    if (state === 'cut') this.reset()
    for (const { up, down } of this.#pairs) {
      up.isBlocked = this.#isBlocked('noRequests')
      down.isBlocked = this.#isBlocked('noAnswers')
    }
  }

  /** Closes each of the next connections after some of its bytes, in this order. */
  cutNext(cuts: readonly LineCut[]): void {
    this.#cuts.push(...cuts)
  }

  /** Connections to come that will be cut. */
  get cutsToCome(): number {
    return this.#cuts.length
  }

  /** Resets the open connections, in both directions. */
  reset(): void {
    for (const { near, far } of [...this.#pairs]) {
      near.resetAndDestroy()
      // The end of a Unix socket has no reset.
      if ('path' in this.#to) far.destroy()
      else far.resetAndDestroy()
    }
  }

  async close(): Promise<void> {
    this.reset()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #isBlocked(way: LineState): boolean {
    return this.#state === way || this.#state === 'silent'
  }

  #accept(near: Socket): void {
    if (this.#state === 'cut') {
      near.on('error', () => {})
      near.resetAndDestroy()
      return
    }
    const far = connect(this.#to)
    const delayMs = () => this.#delayMs
    const cut = this.#cuts.shift()
    const leftOf = (way: LineCut['way']) => (cut?.way === way ? cut.afterBytes : undefined)
    const pair = {
      near,
      far,
      up: new Direction(near, far, this.#isBlocked('noRequests'), delayMs, leftOf('up')),
      down: new Direction(far, near, this.#isBlocked('noAnswers'), delayMs, leftOf('down')),
    }
    this.#pairs.add(pair)
    const forget = () => {
      if (near.destroyed && far.destroyed) this.#pairs.delete(pair)
    }
    near.on('close', forget)
    far.on('close', forget)
  }
}
