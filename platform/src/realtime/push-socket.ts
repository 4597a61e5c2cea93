import type { Writable } from 'node:stream'
import { fromBinary } from '@bufbuild/protobuf'
import { limits, timing } from '@busbar/contract'
import { ClientSchema } from '@busbar/contract/push'
import type { RawData, WebSocket } from 'ws'
import type { SignedIn } from '../kernel/http/bind.ts'
import type { Channel, ChannelFrame, Receiver } from './channel.ts'
import { encodeHeartbeat } from './frames.ts'
import type { SharedFrame } from './shared-frame.ts'
import type { TurnWriter, WriteTurns } from './write-turns.ts'

/** A page that scrolls a long list ends and begins a watch for every row it draws. */
const messagesPerSecondMax = 500
/** Bytes that may wait in a socket before it counts as slow and is shown only the newest. */
const slowBytes = 256 * 1024
/** As much is written at once. */
const writeBytes = 64 * 1024
/** A peer that lets this much wait does not read at all. */
const waitingBytesMax = 4 * 1024 * 1024
const drainPollMs = 50
/** A slow socket that has not drained by then is given up. */
const drainMsMax = 4_000
/** Frames held back while a resume is answered. */
const heldFramesMax = 2_000
const closeMsMax = 2_000

/**
 * Close codes of this socket; 4000 to 4999 are an application's own (RFC 6455, 7.4.2) (rules/calls.md: push socket).
 */
export const closeCodes = {
  done: 1000,
  unauthorized: 4401,
  silent: 4408,
  malformed: 4400,
  tooMany: 4429,
  goingAway: 1001,
  tryAgain: 1013,
} as const

/** The tags of one machine that a page watches. */
export interface Watch {
  readonly channel: Channel
  /** Counts the requested pictures: only the last one may be shown. */
  picture: number
  /** While true nothing passes: the right, or the first picture, is being loaded. */
  isPriming: boolean
  /** The channel's frames up to this number are in the picture that was shown last. */
  pictured: number
  /** Something came while priming. */
  hasMissed: boolean
  /** Fires when the visit time that the right rests on ends. */
  endTimer: NodeJS.Timeout | undefined
}

/** An event of a user with its id, as it is sent. */
export interface EventFrame {
  readonly id: number
  readonly frame: Uint8Array
}

/** Counters of push sockets since the start. */
export interface PushCounters {
  frames: number
  bytes: number
  /** Frames not sent to a socket that was slow: it is shown the newest once it has drained. */
  heldBack: number
  /** Sockets ended because their page did not read. */
  givenUp: number
}

/** The requests of a page. */
export interface PushRequests {
  readonly turns: WriteTurns
  readonly counters: PushCounters
  /** Counts a message of the socket's person; returns the milliseconds to wait before the next one is read. */
  takeMessage(socket: PushSocket): number
  /** False from a stall of this process until rights were read and the waiting messages are sent. Cheap. */
  mayPass(): boolean
  /** Sends once it may pass; where rights cannot be read the socket is closed so that its page resumes. */
  hold(socket: PushSocket, send: () => void): void
  watch(socket: PushSocket, machineId: number, tagIds: readonly number[]): void
  unwatch(socket: PushSocket, machineId: number): void
  resume(socket: PushSocket, afterId: number): void
  /** The bar of one of the user's visits appeared on this page, or disappeared. */
  attend(socket: PushSocket, visitId: number): void
  unattend(socket: PushSocket, visitId: number): void
  /** A slow socket has drained: show this as it is now. */
  refresh(socket: PushSocket, watch: Watch): void
  closed(socket: PushSocket): void
}

/** One page's push socket. */
export class PushSocket implements Receiver, TurnWriter {
  readonly user: SignedIn
  /** The watches of this page, by machine. */
  readonly watches = new Map<number, Watch>()
  readonly #ws: WebSocket
  readonly #wire: Writable
  readonly #requests: PushRequests
  readonly #behind = new Set<Watch>()
  /** Frames of channels that wait for this socket's turn. */
  #due: { readonly channel: Channel; readonly frame: ChannelFrame }[] = []
  readonly #silence: NodeJS.Timeout
  #held: Uint8Array[] | undefined
  /** Events of the user that this page got live, from this id on, and the requested ones, up to that one. */
  readonly #got = { liveFrom: Number.POSITIVE_INFINITY, askedTo: 0 }
  #drain: NodeJS.Timeout | undefined
  #closing: NodeJS.Timeout | undefined
  #paused: NodeJS.Timeout | undefined
  #second = 0
  #messages = 0

  /** `wire` is the connection below `ws`, to which frames go that are framed already. */
  constructor(ws: WebSocket, wire: Writable, user: SignedIn, requests: PushRequests) {
    this.#ws = ws
    this.#wire = wire
    this.user = user
    this.#requests = requests
    this.#silence = setTimeout(() => this.close(closeCodes.silent, 'silent'), timing.pushSilenceMs)
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      for (const timer of [this.#silence, this.#drain, this.#closing, this.#paused]) clearTimeout(timer)
      requests.closed(this)
    })
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN
  }

  get #isSlow(): boolean {
    return this.#ws.bufferedAmount > slowBytes
  }

  /** Sends a frame of this user's own; after the events of a resume that is under way. */
  send(frame: Uint8Array): void {
    if (!this.#held) this.#write(frame)
    else if (this.#held.length < heldFramesMax) this.#held.push(frame)
    else this.close(closeCodes.tryAgain, 'too much at once')
  }

  /** Sends an event of this user as it comes, unless the page got it by a resume. */
  sendEvent(id: number, frame: Uint8Array): void {
    if (id <= this.#got.askedTo) return
    this.#got.liveFrom = Math.min(this.#got.liveFrom, id)
    this.send(frame)
  }

  /** The same, ahead of held back frames: for the last words before a close. */
  sendAtOnce(frame: Uint8Array): void {
    this.#write(frame)
  }

  deliver(channel: Channel, frame: ChannelFrame): void {
    if (this.#due.push({ channel, frame }) === 1) this.#requests.turns.add(this)
  }

  /** Writes the due frames, at once. The right is checked now: a frame may have been made before it was lost. */
  writeDue(): void {
    const due = this.#due
    this.#due = []
    if (due.length > 1) this.#wire.cork()
    for (const { channel, frame } of due) {
      this.#relay(channel, frame)
      if (this.#wire.writableLength < writeBytes || due.length === 1) continue
      // Frames that only wait to be written together must not make the socket look slow.
      this.#wire.uncork()
      this.#wire.cork()
    }
    if (due.length > 1) this.#wire.uncork()
  }

  #relay(channel: Channel, frame: ChannelFrame): void {
    const watch = this.watches.get(channel.machineId)
    // A page that watched anew meanwhile has newer values.
    if (watch?.channel !== channel || frame.number <= watch.pictured) return
    if (!this.#requests.mayPass()) {
      this.#requests.hold(this, () => this.#relay(channel, frame))
    } else if (watch.isPriming) {
      watch.hasMissed = true
    } else if (this.#isSlow) {
      this.#requests.counters.heldBack++
      this.#behind.add(watch)
      this.#waitForDrain(performance.now() + drainMsMax)
    } else {
      this.#writeShared(frame)
    }
  }

  deliverUpdate(channel: Channel, frame: Uint8Array): boolean {
    const watch = this.watches.get(channel.machineId)
    if (watch?.channel !== channel) return true
    // A slow page would ask and draw anew while it is behind with its values: later is soon enough.
    if (watch.isPriming || this.#isSlow || !this.#requests.mayPass()) return false
    this.#write(frame)
    return true
  }

  /** Shows a picture of the watch, which includes all frames that a slow socket missed. */
  show(watch: Watch, frame: SharedFrame | undefined): void {
    this.#behind.delete(watch)
    if (frame) this.#writeShared(frame)
  }

  /**
   * Sends the pages that `pages` yields before any later events; waits for a slow reader between pages. False when one
   * is under way already.
   */
  async sendFirst(pages: AsyncIterable<readonly EventFrame[]>): Promise<boolean> {
    if (this.#held) return false
    this.#held = []
    try {
      for await (const page of pages) {
        for (const { id, frame } of page) this.#resend(id, frame)
        if (!(await this.#drained())) break
      }
    } finally {
      const held = this.#held
      this.#held = undefined
      for (const frame of held) this.#write(frame)
    }
    return true
  }

  #resend(id: number, frame: Uint8Array): void {
    // Ids of a user follow each other: from the first one that came by itself on, all others do.
    if (id >= this.#got.liveFrom) return
    this.#got.askedTo = Math.max(this.#got.askedTo, id)
    this.#write(frame)
  }

  close(code: number, reason: string): void {
    if (this.#closing) return
    this.#ws.close(code, reason)
    // A peer that does not answer the close must not keep the socket.
    this.#closing = setTimeout(() => this.#ws.terminate(), closeMsMax)
  }

  #write(frame: Uint8Array): void {
    if (this.#count(frame)) this.#ws.send(frame)
  }

  /**
   * Writes bytes that other sockets get as well. They bypass the WebSocket's own framing, which would make and write a
   * header for each socket; without extensions it has no frames of its own waiting.
   */
  #writeShared({ payload, wire }: SharedFrame): void {
    if (!this.#count(payload)) return
    if (this.#ws.extensions === '') this.#wire.write(wire)
    else this.#ws.send(payload)
  }

  /** False where nothing may be written any more. */
  #count(frame: Uint8Array): boolean {
    if (!this.isOpen) return false
    if (this.#ws.bufferedAmount > waitingBytesMax) {
      this.#giveUp()
      return false
    }
    const { counters } = this.#requests
    counters.frames++
    counters.bytes += frame.length
    return true
  }

  #giveUp(): void {
    this.#requests.counters.givenUp++
    this.#ws.terminate()
  }

  /** False when the socket closed, or was given up, before it had drained. */
  async #drained(): Promise<boolean> {
    const until = performance.now() + drainMsMax
    while (this.isOpen && this.#isSlow) {
      if (performance.now() > until) this.#giveUp()
      else await new Promise((resolve) => setTimeout(resolve, drainPollMs))
    }
    return this.isOpen
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#silence.refresh()
    const second = Math.floor(performance.now() / 1000)
    this.#messages = second === this.#second ? this.#messages + 1 : 1
    this.#second = second
    if (this.#messages > messagesPerSecondMax) {
      this.close(closeCodes.tooMany, 'too many messages')
      return
    }
    const waitMs = this.#requests.takeMessage(this)
    if (waitMs > 0) this.#pause(waitMs)
    const kind = isBinary ? decode(data) : undefined
    // Before anything is asked of the database.
    if (kind && isSound(kind)) this.#answer(kind)
    else this.close(closeCodes.malformed, 'malformed')
  }

  /** Stops reading for a while; the messages of a person who sends faster wait in the network. */
  #pause(ms: number): void {
    if (this.#paused) return
    this.#ws.pause()
    this.#paused = setTimeout(() => {
      this.#paused = undefined
      this.#silence.refresh()
      this.#ws.resume()
    }, ms)
  }

  #answer(kind: Asked): void {
    switch (kind.case) {
      case 'heartbeat':
        this.#write(encodeHeartbeat(Date.now()))
        break
      case 'resume':
        this.#requests.resume(this, Number(kind.value.id))
        break
      case 'watch': {
        const tagIds = kind.value.tagIds.map(Number)
        this.#requests.watch(this, Number(kind.value.machineId), tagIds)
        break
      }
      case 'unwatch':
        this.#requests.unwatch(this, Number(kind.value.machineId))
        break
      case 'attend':
        this.#requests.attend(this, Number(kind.value.sessionId))
        break
      case 'unattend':
        this.#requests.unattend(this, Number(kind.value.sessionId))
    }
  }

  #waitForDrain(until: number): void {
    this.#drain ??= setTimeout(() => {
      this.#drain = undefined
      if (!this.#isSlow) {
        for (const watch of this.#behind) this.#requests.refresh(this, watch)
        this.#behind.clear()
      } else if (performance.now() > until) {
        this.#giveUp()
      } else {
        this.#waitForDrain(until)
      }
    }, drainPollMs)
  }
}

type Asked = NonNullable<ReturnType<typeof decode>>

/** Whether every number of a message can be one. */
function isSound(kind: Asked): boolean {
  switch (kind.case) {
    case 'resume':
      return kind.value.id === '0' || isId(kind.value.id)
    case 'watch':
      return (
        isId(kind.value.machineId) &&
        kind.value.tagIds.length <= limits.tagsPerMachine &&
        kind.value.tagIds.every(isId)
      )
    case 'unwatch':
      return isId(kind.value.machineId)
    case 'attend':
    case 'unattend':
      return isId(kind.value.sessionId)
    default:
      return true
  }
}

const isId = (text: string): boolean => Number.isSafeInteger(Number(text)) && Number(text) >= 1

function decode(data: RawData) {
  try {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data as Buffer)
    const { kind } = fromBinary(ClientSchema, bytes)
    return kind.case ? kind : undefined
  } catch {
    return undefined
  }
}
