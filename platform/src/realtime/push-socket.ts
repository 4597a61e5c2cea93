import { fromBinary } from '@bufbuild/protobuf'
import { limits, timing } from '@busbar/contract'
import { ClientSchema } from '@busbar/contract/push'
import type { RawData, WebSocket } from 'ws'
import type { SignedIn } from '../http/bind.ts'
import type { Channel, Receiver } from './channel.ts'
import { encodeHeartbeat } from './frames.ts'

/** Bytes that may wait in a socket before it counts as slow and is shown only the newest. */
const waitingBytesMax = 256 * 1024
const drainPollMs = 50
const messagesPerSecondMax = 50

/** Close codes of this socket; 4000 to 4999 are an application's own (RFC 6455, 7.4.2). */
export const closeCodes = {
  unauthorized: 4401,
  silent: 4408,
  malformed: 4400,
  tooMany: 4429,
  goingAway: 1001,
  tryAgain: 1013,
} as const

/** What a page asks for. */
export interface PushRequests {
  watch(socket: PushSocket, machineId: number, tagIds: readonly number[]): void
  unwatch(socket: PushSocket, machineId: number): void
  resume(socket: PushSocket, afterId: number): void
  /** A slow socket has drained: show these channels as they are now. */
  refresh(socket: PushSocket, channels: readonly Channel[]): void
  closed(socket: PushSocket): void
}

/** One page's push socket. */
export class PushSocket implements Receiver {
  readonly user: SignedIn
  /** What this page watches, by machine. */
  readonly watches = new Map<number, Channel>()
  /** Channels whose first picture is on its way: frames before it would be overtaken by it. */
  readonly priming = new Set<Channel>()
  readonly #ws: WebSocket
  readonly #requests: PushRequests
  readonly #behind = new Set<Channel>()
  #silence: NodeJS.Timeout
  #drain: NodeJS.Timeout | undefined
  #second = 0
  #messages = 0

  constructor(ws: WebSocket, user: SignedIn, requests: PushRequests) {
    this.#ws = ws
    this.user = user
    this.#requests = requests
    this.#silence = this.#listen()
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('error', () => ws.terminate())
    ws.on('close', () => {
      clearTimeout(this.#silence)
      clearTimeout(this.#drain)
      requests.closed(this)
    })
  }

  send(frame: Uint8Array): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.send(frame)
  }

  deliver(channel: Channel, frame: Uint8Array): void {
    if (this.priming.has(channel) || this.#ws.bufferedAmount > waitingBytesMax) {
      this.#behind.add(channel)
      this.#waitForDrain()
      return
    }
    this.send(frame)
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason)
    // A peer that does not answer the close must not keep the socket.
    setTimeout(() => this.#ws.terminate(), 2_000).unref()
  }

  /** True while more waits than a slow reader may have. */
  get isSlow(): boolean {
    return this.#ws.bufferedAmount > waitingBytesMax
  }

  #listen(): NodeJS.Timeout {
    return setTimeout(() => this.close(closeCodes.silent, 'silent'), timing.pushSilenceMs)
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
    const kind = isBinary ? decode(data) : undefined
    if (kind) this.#answer(kind)
    else this.close(closeCodes.malformed, 'malformed')
  }

  #answer(kind: NonNullable<ReturnType<typeof decode>>): void {
    switch (kind.case) {
      case 'heartbeat':
        this.send(encodeHeartbeat(Date.now()))
        break
      case 'resume':
        this.#requests.resume(this, Number(kind.value.id))
        break
      case 'watch': {
        const tagIds = kind.value.tagIds.slice(0, limits.tagsPerMachine).map(Number)
        if (isId(kind.value.machineId)) this.#requests.watch(this, Number(kind.value.machineId), tagIds)
        break
      }
      case 'unwatch':
        this.#requests.unwatch(this, Number(kind.value.machineId))
    }
  }

  #waitForDrain(): void {
    this.#drain ??= setTimeout(() => {
      this.#drain = undefined
      const ready = this.isSlow ? [] : [...this.#behind].filter((channel) => !this.priming.has(channel))
      for (const channel of ready) this.#behind.delete(channel)
      if (ready.length) this.#requests.refresh(this, ready)
      if (this.#behind.size) this.#waitForDrain()
    }, drainPollMs)
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
