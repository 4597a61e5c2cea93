import { fromBinary } from '@bufbuild/protobuf'
import { accounts as contract } from '@busbar/contract'
import { ClientSchema } from '@busbar/contract/push'
import type { RawData, WebSocket } from 'ws'
import type { Bus } from '../kernel/bus/bus.ts'
import type { Logger } from '../kernel/logger.ts'
import { encodeHeartbeat, encodeQrLogin } from './frames.ts'
import { closeCodes } from './push-socket.ts'

/** One page shows a code; a reload opens a second socket before the first is gone. */
const socketsPerCodeMax = 4
const messagesMax = 100
const closeMsMax = 2_000

interface Deps {
  readonly bus: Bus
  readonly logger: Logger
  /** The name of a code's token on the bus. */
  keyOf(qrToken: string): string
  /** Undefined for a code that is unknown or has run out. */
  findState(qrToken: string, now: number): Promise<{ state: contract.QrState; endsAt: number } | undefined>
  now(): number
}

/** The sockets of pages that wait for a QR code: each gets only scene 11 of its own code. */
export class QrSockets {
  readonly #deps: Deps
  readonly #waiting = new Map<string, Set<(state: contract.QrState) => void>>()
  readonly #open = new Set<WebSocket>()
  readonly #unsubscribe: () => void

  constructor(deps: Deps) {
    this.#deps = deps
    this.#unsubscribe = deps.bus.subscribe('qrLogin', ({ key, state }) => {
      for (const tell of [...(this.#waiting.get(key) ?? [])]) tell(state)
    })
  }

  get size(): number {
    return this.#open.size
  }

  /** Takes a WebSocket over; a code that is unknown or has run out closes it with 4401. */
  async accept(ws: WebSocket, qrToken: string): Promise<void> {
    ws.on('error', () => ws.terminate())
    const key = this.#deps.keyOf(qrToken)
    const waiting = this.#waiting.get(key) ?? new Set()
    if (waiting.size >= socketsPerCodeMax) return close(ws, closeCodes.tooMany, 'too many sockets')
    let told: contract.QrState | undefined
    const tell = (state: contract.QrState) => {
      if (told === state || ws.readyState !== ws.OPEN) return
      told = state
      ws.send(encodeQrLogin(qrToken, contract.qrStates[state], this.#deps.now()))
      // The session after a confirmation has a separate socket.
      if (state !== 'waiting' && state !== 'scanned') close(ws, closeCodes.done, state)
    }
    this.#waiting.set(key, waiting.add(tell))
    this.#open.add(ws)
    let expiry: NodeJS.Timeout | undefined
    ws.on('close', () => {
      clearTimeout(expiry)
      this.#open.delete(ws)
      waiting.delete(tell)
      if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key)
    })
    this.#answerHeartbeats(ws)
    try {
      const now = this.#deps.now()
      const found = await this.#deps.findState(qrToken, now)
      if (!found) return close(ws, closeCodes.unauthorized, 'unauthorized')
      // A state that came by the bus meanwhile is newer than the row.
      if (told === undefined) tell(found.state)
      if (ws.readyState === ws.OPEN) expiry = setTimeout(() => tell('expired'), found.endsAt - now)
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'qrCode.readFailed')
      close(ws, closeCodes.tryAgain, 'try again')
    }
  }

  stop(): void {
    this.#unsubscribe()
    for (const ws of this.#open) close(ws, closeCodes.goingAway, 'the server is stopping')
  }

  #answerHeartbeats(ws: WebSocket): void {
    let messages = 0
    ws.on('message', (data, isBinary) => {
      if (++messages > messagesMax) close(ws, closeCodes.tooMany, 'too many messages')
      else if (!isBinary || !isHeartbeat(data)) close(ws, closeCodes.malformed, 'malformed')
      else if (ws.readyState === ws.OPEN) ws.send(encodeHeartbeat(this.#deps.now()))
    })
  }
}

function close(ws: WebSocket, code: number, reason: string): void {
  ws.close(code, reason)
  // A peer that does not answer the close must not keep the socket.
  const timer = setTimeout(() => ws.terminate(), closeMsMax)
  ws.once('close', () => clearTimeout(timer))
}

function isHeartbeat(data: RawData): boolean {
  try {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data as Buffer)
    return fromBinary(ClientSchema, bytes).kind.case === 'heartbeat'
  } catch {
    return false
  }
}
