import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import {
  isUnderstood,
  type PortCounts,
  type PortFrame,
  type PortOverReason,
  portLimits,
  ResumableStream,
  splitPortWrites,
} from '@busbar/link'
import type { Clock } from '../../clock.ts'
import type { PortConfig } from '../../config/config.ts'
import {
  FilteredSocket,
  FilterOver,
  filters,
  observers,
  type PortObserver,
  type TagAt,
} from '../filters/index.ts'
import type { Visitor } from '../page-handler.ts'
import { PortLine } from './port-line.ts'

const countsMs = 1_000
/** Places that are written again and again are told at most so often. */
const writesMs = 250
/** A timer is limited to 2^31 ms. */
const timerMsMax = 2 ** 31 - 1

export interface PortStreamOptions {
  readonly port: PortConfig
  readonly mode: Visitor['mode']
  /** To the controller; allows half-open connections. */
  readonly socket: Socket
  readonly clock: Clock
  readonly tagAt: TagAt
  /** Both ends have closed the connection. */
  onDone(): void
  /** Once, last; `why` in a word for the log. */
  onEnd(why: string): void
}

/** A connection to a controller that outlives the lines that carry it. */
export class PortStream {
  readonly #options: PortStreamOptions
  readonly #stream: ResumableStream
  /** Of a visit that may change; a filter counts by itself, and lets no write through. */
  readonly #observer: PortObserver | null
  readonly #counts: PortCounts | null
  #told = ''
  #line: PortLine | undefined
  #isDone = false
  #hasEnded = false
  #cancelKeep = (): void => undefined
  #cancelUntil = (): void => undefined
  #cancelCounts: (() => void) | undefined
  #cancelWrites: (() => void) | undefined

  constructor(options: PortStreamOptions) {
    this.#options = options
    const { port, mode, socket, clock, tagAt } = options
    const kind = isUnderstood(port.kind) ? port.kind : null
    const filter = kind !== null && mode === 'ro' ? filters[kind]() : null
    const observer = kind !== null && mode === 'rw' ? observers[kind](() => clock.monotonic(), tagAt) : null
    this.#observer = observer
    this.#counts = filter?.counts ?? observer?.counts ?? null
    this.#stream = new ResumableStream(
      filter === null ? socket : new FilteredSocket(socket, filter),
      {
        onDone: () => this.#done(),
        onBroken: (error) => {
          if (error instanceof FilterOver) this.end(error.reason, error.reason)
          else this.end('broken')
        },
      },
      () => clock.monotonic(),
    )
    // After the stream's own listener, which passes the bytes on.
    if (observer !== null)
      socket.on('data', (bytes: Buffer) => {
        observer.answer(bytes)
        this.#writesChanged()
      })
    this.#keep()
  }

  /**
   * Goes on over a CONNECT, in place of the line before, from the position that the program asks for, and ends in
   * `leftMs`. False: it cannot go on from there.
   */
  attach(http2: ServerHttp2Stream, position: number, leftMs: number): boolean {
    const { clock } = this.#options
    const line = new PortLine(http2, this.#stream.received, clock)
    const before = this.#line
    this.#line = line
    if (!this.#stream.attach(line, position)) {
      this.#line = before
      return false
    }
    before?.cut()
    this.#cancelUntil()
    this.#cancelUntil = clock.after(Math.min(leftMs, timerMsMax), () => this.end('timeUp'))
    if (this.#isDone) this.#keep()
    else this.#cancelKeep()
    const isMine = (): boolean => this.#line === line
    line.open({
      onFrame: (frame) => {
        if (isMine()) this.#take(frame)
      },
      onMalformed: () => {
        if (isMine()) this.end('malformed')
      },
      onDrained: () => {
        if (isMine()) this.#stream.drained()
      },
      onClose: () => {
        if (isMine()) this.#lost()
      },
    })
    this.#told = ''
    this.#countsChanged()
    this.#observer?.written.renew()
    this.#tellWrites()
    return true
  }

  /** Ends it at once, with its connection; the program is told `reason`. */
  end(why: string, reason?: PortOverReason): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#cancelKeep()
    this.#cancelUntil()
    this.#cancelCounts?.()
    this.#cancelWrites?.()
    this.#observer?.end()
    this.#tellCounts()
    this.#tellWrites()
    this.#stream.close()
    this.#line?.finish(reason === undefined ? { kind: 'over' } : { kind: 'over', reason })
    this.#line = undefined
    this.#options.onEnd(why)
  }

  #take(frame: PortFrame): void {
    if (frame.kind === 'data') {
      this.#stream.receive(frame.bytes)
      this.#observer?.request(frame.bytes)
      this.#countsChanged()
      this.#writesChanged()
    } else if (frame.kind === 'got') {
      this.#stream.receiveGot(frame.position)
    } else if (frame.kind === 'end') {
      this.#stream.receiveEnd()
    } else if (frame.kind === 'over') {
      this.end('closed')
    }
  }

  #lost(): void {
    this.#line = undefined
    this.#stream.detach()
    this.#keep()
  }

  #done(): void {
    this.#isDone = true
    this.#keep()
    this.#options.onDone()
  }

  #keep(): void {
    this.#cancelKeep()
    this.#cancelKeep = this.#options.clock.after(portLimits.keepMs, () =>
      this.end(this.#isDone ? 'done' : 'lost'),
    )
  }

  /** A filter counts a little later than bytes come: it is looked at once more when they are told. */
  #countsChanged(): void {
    if (this.#counts === null || this.#cancelCounts !== undefined) return
    this.#cancelCounts = this.#options.clock.after(countsMs, () => {
      this.#cancelCounts = undefined
      this.#tellCounts()
    })
  }

  #tellCounts(): void {
    if (this.#counts === null || this.#line === undefined) return
    const text = JSON.stringify(this.#counts)
    if (text === this.#told) return
    this.#told = text
    this.#line.tell({ kind: 'counts', counts: { ...this.#counts } })
  }

  /** The first write after quiet is told at once, those that follow together. */
  #writesChanged(): void {
    // Another line is told everything.
    if (this.#line === undefined || this.#cancelWrites !== undefined) return
    if (this.#observer?.written.hasNews !== true) return
    this.#cancelWrites = this.#options.clock.after(writesMs, () => {
      this.#cancelWrites = undefined
      this.#writesChanged()
    })
    // A platform that does not read is told later.
    if (!this.#line.isFull) this.#tellWrites()
  }

  #tellWrites(): void {
    if (this.#observer === null || this.#line === undefined) return
    for (const writes of splitPortWrites(this.#observer.written.takeNews()))
      this.#line.tell({ kind: 'writes', writes })
  }
}
