import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { lineClose, type PortCounts, portLimits, portOverReasons, ResumableStream } from '@busbar/link'
import { ApiFailure } from './api.ts'
import { Line, type LineEnd, type LineTiming } from './line.ts'
import type { Clock, CloseReason, EndReason, Mode } from './model.ts'
import { endReasons } from './model.ts'
import type { PortVisit } from './port-visit.ts'

/** The pauses before the tries of a further line: at once, then growing. */
const pausesMs = [0, 250, 500, 1_000, 2_000, 4_000]

export interface StreamEvents {
  onOpened(mode: Mode): void
  onLineLost(): void
  onLineBack(pausedMs: number): void
  onWarning(reason: 'idle' | 'timeUp', at: number): void
  onRoundTrip(ms: number): void
  /** Nothing more passes at this port, in any stream. */
  onTargetEnded(reason: EndReason, detail: string): void
  /** Once, and the last one. */
  onClosed(reason: CloseReason, detail: string): void
}

export interface StreamDeps {
  readonly visit: PortVisit
  readonly clock: Clock
  readonly timing?: LineTiming
  /** Time for which a stream goes without a line. */
  readonly keepMs?: number
}

/** How a line ended, for the stream. */
interface Used extends LineEnd {
  readonly wasOpen: boolean
}

/** One connection of a tool, carried to the port over one line after another. */
export class PortStream {
  readonly #port: string
  readonly #socket: Socket
  readonly #deps: StreamDeps
  readonly #events: StreamEvents
  readonly #stream: ResumableStream
  readonly #id = randomBytes(16).toString('base64url')
  #line: Line | undefined
  #hasOpened = false
  #isDone = false
  #isClosed = false
  #lostAt: number
  #counts: PortCounts | undefined
  #wake: () => void = () => undefined

  /** `socket` allows half-open connections. */
  constructor(port: string, socket: Socket, deps: StreamDeps, events: StreamEvents) {
    this.#port = port
    this.#socket = socket
    this.#deps = deps
    this.#events = events
    this.#lostAt = deps.clock.monotonic()
    this.#stream = new ResumableStream(
      socket,
      {
        onDone: () => {
          this.#isDone = true
          // In this order on the line, everything before it has been taken at the other end.
          this.close('done')
        },
        onBroken: (error) => this.close('toolBroke', error.message),
      },
      () => deps.clock.monotonic(),
    )
    void this.#run()
  }

  /** From the tool, and to it. */
  get bytes(): { readonly in: number; readonly out: number } {
    return { in: this.#socket.bytesWritten, out: this.#socket.bytesRead }
  }

  /** Its requests as the agent counts them, a second ago at most; undefined before it tells some. */
  get counts(): PortCounts | undefined {
    return this.#counts
  }

  /** Ends the stream at both ends; the agent does not keep it where it can be told. */
  close(reason: CloseReason, detail = ''): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#line?.closeStream()
    // The rest of its bytes is on its way to the tool. Otherwise an end would look complete to it.
    if (!this.#isDone) {
      this.#socket.resetAndDestroy()
      this.#stream.close()
    }
    this.#wake()
    this.#events.onClosed(reason, detail)
  }

  async #run(): Promise<void> {
    let tries = 0
    let needsFresh = false
    let hadFresh = false
    while (!this.#isClosed) {
      const ticket = await this.#takeTicket(needsFresh)
      if (this.#isClosed) return
      needsFresh = false
      const used = ticket === undefined ? undefined : await this.#useLine(ticket)
      if (this.#isClosed) return
      if (used?.wasOpen) {
        tries = 0
        hadFresh = false
      }
      if (used?.code === lineClose.ticket) {
        if (hadFresh) return this.close('ticket')
        hadFresh = true
        needsFresh = true
      } else if (used && this.#endsWith(used)) return
      const pauseMs = needsFresh ? 0 : (pausesMs[Math.min(tries++, pausesMs.length - 1)] ?? 0)
      const keepMs = this.#deps.keepMs ?? portLimits.keepMs
      if (this.#deps.clock.monotonic() + pauseMs - this.#lostAt > keepMs) return this.close('lineLost')
      await this.#pause(pauseMs)
    }
  }

  /** Undefined where the platform cannot be asked now. */
  async #takeTicket(isFresh: boolean): Promise<string | undefined> {
    const { visit } = this.#deps
    try {
      return await (isFresh ? visit.renewTicket() : visit.takeTicket())
    } catch (error) {
      if (error instanceof ApiFailure && error.isPassing) return undefined
      if (!this.#isClosed) {
        const detail = error instanceof Error ? error.message : String(error)
        this.#events.onTargetEnded('other', detail)
        this.close('refused', detail)
      }
      return undefined
    }
  }

  #useLine(ticket: string): Promise<Used> {
    const { visit, clock, timing } = this.#deps
    return new Promise((resolve) => {
      let wasOpen = false
      const url = visit.urlOf({
        port: this.#port,
        stream: this.#id,
        from: this.#stream.received,
        isResumed: this.#hasOpened,
      })
      const line: Line = new Line(
        url,
        ticket,
        {
          onOpen: (from, mode) => {
            wasOpen = true
            const isFirst = !this.#hasOpened
            this.#hasOpened = true
            if (isFirst) this.#events.onOpened(mode)
            else this.#events.onLineBack(clock.monotonic() - this.#lostAt)
            if (!this.#stream.attach(line, from)) this.close('gone')
          },
          onData: (bytes) => this.#stream.receive(bytes),
          onGot: (position) => this.#stream.receiveGot(position),
          onEnd: () => this.#stream.receiveEnd(),
          onDrained: () => this.#stream.drained(),
          onTicket: (text) => visit.note(text),
          onCounts: (counts) => {
            this.#counts = counts
          },
          onWarning: (reason, at) => this.#events.onWarning(reason, at),
          onRoundTrip: (ms) => this.#events.onRoundTrip(ms),
          onClosed: (end) => {
            this.#line = undefined
            this.#stream.detach()
            if (wasOpen) {
              this.#lostAt = clock.monotonic()
              if (!this.#isClosed && isPassing(end)) this.#events.onLineLost()
            }
            resolve({ ...end, wasOpen })
          },
        },
        clock,
        timing,
      )
      this.#line = line
    })
  }

  /** Whether the stream ends with this line. */
  #endsWith({ code, reason }: Used): boolean {
    const over = portOverReasons.find((one) => code === lineClose.notAllowed && one === reason)
    if (over) this.close(over)
    else if (code === lineClose.notAllowed || code === lineClose.unknownPort) {
      const why =
        code === lineClose.unknownPort ? 'noPort' : (endReasons.find((one) => one === reason) ?? 'other')
      this.#events.onTargetEnded(why, why === 'other' ? reason : '')
      this.close('refused', reason)
    } else if (code === lineClose.gone) this.close('gone')
    else if (code === lineClose.unreachable) this.close('unreachable', reason)
    else if (code === lineClose.tooMany) this.close('tooMany', reason)
    else if (code === lineClose.wrong) this.close('wrongMessage', reason)
    else if (code === lineClose.over) this.#closeAfterRest()
    return this.#isClosed
  }

  /** The stream is over at the other end: the tool gets the bytes that came before. */
  #closeAfterRest(): void {
    this.#isDone = true
    this.#socket.destroySoon()
    this.close('gone')
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.after(ms, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }
}

/** The stream goes on over another line. */
const isPassing = ({ code }: LineEnd): boolean =>
  code !== lineClose.over && (code === lineClose.away || code === lineClose.ticket || code < 4000)
