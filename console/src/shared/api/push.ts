import { timing } from '@busbar/contract'
import { AttendList } from './attend-list.ts'
import { Emitter } from './emitter.ts'
import { Poller, type PollerOptions } from './poller.ts'
import type { PushMessages } from './push-messages.ts'
import { createStore, type Store } from './store.ts'
import { type ValuesListener, WatchList } from './watch-list.ts'

export interface PushState {
  /** `polling`: too many windows are open, so this one polls its values. */
  readonly connection: 'connecting' | 'live' | 'polling' | 'lost'
  /** Time to the platform and back in milliseconds; null until measured. */
  readonly latencyMs: number | null
  /** When the platform was last heard, in epoch milliseconds; null while it is, and where it never was. */
  readonly heardAt: number | null
}

/** The messages of the platform, and one of the connection itself. */
export interface PushEvents extends PushMessages {
  /**
   * Messages may have been missed, so the page asks for its data again: after a lost connection, and each minute while
   * only values are polled.
   */
  readonly missed: null
}

/** Reads and writes frames. */
export type PushWire = typeof import('./push-wire.ts')

/** The part of a socket that the client needs; a browser's WebSocket has it. */
export interface PushSocket {
  binaryType: string
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event?: { readonly code: number; readonly reason?: string }) => void) | null
  send(data: Uint8Array<ArrayBuffer>): void
  close(): void
}

export interface PushOptions {
  openSocket(ticket: string): PushSocket
  /** A one-use ticket: a session token in an address would be kept in logs. Throws if none is available. */
  createTicket(): Promise<string>
  loadWire(): Promise<PushWire>
  listLatest: PollerOptions['listLatest']
  findResult: PollerOptions['findResult']
  random?: () => number
}

/**
 * Added to the 5 s at most, so that ten thousand browsers do not come back in one second (rules/console.md: waiting).
 */
const reconnectJitterMs = 2_000
/** Time without an answer to a heartbeat after which values are marked as old, though the socket is open. */
const answerWaitMs = 5_000
/** The platform closes sockets without a session with this code, for example after a sign-out in another tab. */
const unauthorizedCode = 4401
/** The platform closes a socket with one of these when its session or its person has too many. */
const tooMany = { code: 4429, reason: 'too many sockets' } as const
/** A socket is tried again after this long, because another window may have been closed. */
const pollingTryMs = 60_000
const connecting: PushState = { connection: 'connecting', latencyMs: null, heardAt: null }
const polling: PushState = { connection: 'polling', latencyMs: null, heardAt: null }

/**
 * The one push connection of a browser tab: heartbeat, reconnect, resume, counted subscriptions (`/echo.io`).
 * Order on opening: Resume first, then what is watched, so that the platform sends the missed events before
 * the current state. If the platform has no socket left for this tab, the client polls (poller.ts) and tries
 * again.
 */
export class PushClient {
  readonly state: Store<PushState> = createStore(connecting)
  readonly #options: PushOptions
  readonly #watched: WatchList
  readonly #attended: AttendList
  readonly #poller: Poller
  /** Writes whose result is awaited, with their machine. */
  readonly #writes = new Map<number, number>()
  readonly #events = new Emitter<PushEvents>()
  #socket: PushSocket | undefined
  /** Set from the first connection on. */
  #wire: PushWire | undefined
  #open = false
  #started = false
  #attempt = 0
  #lastId = 0n
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #reconnect: ReturnType<typeof setTimeout> | undefined
  #answerWait: ReturnType<typeof setTimeout> | undefined
  #heartbeatSentAt: number | undefined
  #heardAt = 0
  #answersHeartbeats = false

  constructor(options: PushOptions) {
    this.#options = options
    this.#watched = new WatchList((machineId, tagIds) =>
      this.#send((wire) =>
        tagIds === null ? wire.unwatchFrame(machineId) : wire.watchFrame(machineId, tagIds),
      ),
    )
    this.#attended = new AttendList((sessionId, attended) =>
      this.#send((wire) => wire.attendFrame(sessionId, attended)),
    )
    this.#poller = new Poller({
      watched: () => this.#watched.wanted(),
      listLatest: options.listLatest,
      writes: () => this.#writes,
      findResult: options.findResult,
      onResult: (event) => this.#events.emit('writeResult', event),
      onValues: (event) => this.#events.emit('values', event),
      onRound: (succeeded) => this.#polled(succeeded),
    })
    this.on('heartbeat', () => this.#heartbeatAnswered())
    this.on('values', ({ machineId, values }) => this.#watched.deliver(machineId, values))
    // The first listener: the connection is closed before another one hears of the end.
    this.on('logout', () => this.stop())
  }

  /** Opens the connection and keeps it open until `stop`. */
  start(): void {
    if (this.#started) return
    this.#started = true
    void this.#connect()
  }

  /** Closes without reconnecting. Forgets the place to resume from, which belongs to one session. */
  stop(): void {
    this.#started = false
    this.#attempt++
    this.#lastId = 0n
    clearTimeout(this.#reconnect)
    this.#poller.stop()
    this.#drop()
    this.#heardAt = 0
    this.state.set(connecting)
  }

  /** Reconnects immediately when a connection is known to be lost (the network came back). */
  reconnectNow(): void {
    if (!this.#started || this.state.get().connection !== 'lost') return
    clearTimeout(this.#reconnect)
    this.#drop()
    void this.#connect()
  }

  /** Checks immediately whether the platform answers, without waiting for the next heartbeat. */
  check(): void {
    if (this.#open) this.#beat()
  }

  /**
   * Live values of a machine, of some tags or (undefined) of all, until the given function is called.
   * Counted: the platform gets one request however many callers watch the same.
   */
  watch(machineId: number, tagIds: readonly number[] | undefined, onValues: ValuesListener): () => void {
    return this.#watched.add(machineId, tagIds, onValues)
  }

  /** Says that a bar of this visit is on the screen, until the given function is called: it does not become idle. */
  attend(sessionId: number): () => void {
    return this.#attended.add(sessionId)
  }

  /**
   * Registers that the result of a write is awaited, until the given function is called; it is polled while
   * there is no push.
   */
  followWrite(machineId: number, commandId: number): () => void {
    this.#writes.set(commandId, machineId)
    return () => this.#writes.delete(commandId)
  }

  /**
   * Calls `listener` for each message of this name, until the given function is called. When `logout` comes, the
   * connection is closed already.
   */
  on<Name extends keyof PushEvents>(name: Name, listener: (event: PushEvents[Name]) => void): () => void {
    return this.#events.on(name, listener)
  }

  async #connect(): Promise<void> {
    const attempt = ++this.#attempt
    let ticket: string
    try {
      this.#wire ??= await this.#options.loadWire()
      if (attempt !== this.#attempt) return
      // The ticket is taken last, because it can be used only once.
      ticket = await this.#options.createTicket()
    } catch {
      if (attempt === this.#attempt) this.#lost()
      return
    }
    if (attempt !== this.#attempt) return
    const socket = this.#options.openSocket(ticket)
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => this.#opened()
    socket.onmessage = (event) => this.#receive(event.data)
    socket.onclose = (event) => {
      if (socket !== this.#socket) return
      if (event?.code === tooMany.code && event.reason === tooMany.reason) this.#poll()
      // If only the ticket was refused, the request for another one shows whether the session still exists.
      else if (event?.code !== unauthorizedCode || event.reason === 'unauthorized') this.#lost()
      else
        this.#events.emit('logout', {
          loginIp: '',
          reason: event.reason === 'ended' ? 'ranOut' : 'signedOut',
        })
    }
  }

  /** A closed connection receives nothing: on opening, everything is sent. */
  #send(write: (wire: PushWire) => Uint8Array<ArrayBuffer>): void {
    if (this.#open && this.#wire) this.#socket?.send(write(this.#wire))
  }

  #opened(): void {
    this.#open = true
    this.#heardAt = Date.now()
    this.#answersHeartbeats = false
    if (this.#lastId > 0n) this.#send((wire) => wire.resumeFrame(this.#lastId))
    for (const [machineId, tagIds] of this.#watched.all())
      this.#send((wire) => wire.watchFrame(machineId, tagIds))
    for (const sessionId of this.#attended.all()) this.#send((wire) => wire.attendFrame(sessionId, true))
    this.#beat()
    this.#heartbeat = setInterval(() => this.#beat(), timing.heartbeatMs)
    // The platform opens a socket before it counts them: after a refusal, only its first message confirms the socket.
    if (!this.#poller.isRunning) this.#goLive()
  }

  #goLive(): void {
    const missed = this.#poller.isRunning || this.state.get().connection === 'lost'
    this.#poller.stop()
    this.state.set({ connection: 'live', latencyMs: null, heardAt: null })
    if (missed) this.#events.emit('missed', null)
  }

  /** Polls the watched values until a socket is available. */
  #poll(): void {
    this.#drop()
    this.#connectIn(pollingTryMs)
    if (this.#poller.isRunning) this.#events.emit('missed', null)
    else this.state.set(polling)
    // This answer proves that the platform is back, so a failed round is repeated at once.
    if (this.state.get().connection === 'lost') this.#poller.stop()
    this.#poller.start()
  }

  #polled(succeeded: boolean): void {
    if (succeeded) {
      this.#heardAt = Date.now()
      this.state.set(polling)
    } else this.#showLost()
  }

  #beat(): void {
    // A network that swallows packets never closes the socket: who answered before and fell silent is gone.
    if (this.#answersHeartbeats && Date.now() - this.#heardAt > timing.pushSilenceMs) {
      this.#lost()
      return
    }
    this.#heartbeatSentAt = performance.now()
    this.#send((wire) => wire.heartbeatFrame)
    clearTimeout(this.#answerWait)
    if (this.#answersHeartbeats) this.#answerWait = setTimeout(() => this.#showLost(), answerWaitMs)
  }

  #receive(data: unknown): void {
    if (!(data instanceof ArrayBuffer) || !this.#wire) return
    this.#heardAt = Date.now()
    clearTimeout(this.#answerWait)
    if (this.#poller.isRunning) this.#goLive()
    // Only silent, not gone: nothing was missed.
    else if (this.state.get().connection === 'lost')
      this.state.set({ connection: 'live', latencyMs: null, heardAt: null })
    const { id, tell } = this.#wire.readPush(data)
    if (id > this.#lastId) this.#lastId = id
    tell?.(this.#events)
  }

  #heartbeatAnswered(): void {
    if (this.#heartbeatSentAt === undefined) return
    this.#answersHeartbeats = true
    const latencyMs = Math.max(1, Math.round(performance.now() - this.#heartbeatSentAt))
    this.#heartbeatSentAt = undefined
    this.state.set({ connection: 'live', latencyMs, heardAt: null })
  }

  #lost(): void {
    this.#drop()
    if (!this.#started) return
    // A failed try does not make the polled values older.
    if (!this.#poller.isRunning) this.#showLost()
    this.#connectIn(timing.reconnectMs)
  }

  #connectIn(waitMs: number): void {
    const random = this.#options.random ?? Math.random
    clearTimeout(this.#reconnect)
    this.#reconnect = setTimeout(() => void this.#connect(), waitMs + random() * reconnectJitterMs)
  }

  #showLost(): void {
    this.state.set({ connection: 'lost', latencyMs: null, heardAt: this.#heardAt || null })
  }

  #drop(): void {
    clearInterval(this.#heartbeat)
    clearTimeout(this.#answerWait)
    this.#open = false
    this.#heartbeatSentAt = undefined
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }
}
