import { startDeadline, within } from '../deadline.ts'
import { AddressPolicy } from './address-policy.ts'
import type { AllowedPlace, CallingSpace } from './allowed-networks.ts'
import {
  CheckedSockets,
  type OpenedSocket,
  type OutgoingTls,
  type Place,
  type SocketOptions,
  usualDeadlineMs,
} from './checked-sockets.ts'
import { Exchange, type OutgoingAnswer } from './exchange.ts'
import { IdleLines, Line } from './line.ts'
import { OutgoingError, outgoingFaults } from './outgoing-error.ts'
import { createResolve, type Resolve } from './resolve.ts'
import { parseTypedAddress, type TypedAddress } from './typed-address.ts'

const answerBytesMax = 65_536
const idleMax = 256

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly to: TypedAddress
  /** Names in small letters. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: Buffer | string | undefined
  readonly space: CallingSpace
  /** From the look-up of the name to the last byte of the answer; 15 s. */
  readonly deadlineMs?: number | undefined
  /** The rest of a longer answer is cut; 64 kB. */
  readonly answerBytesMax?: number | undefined
  /** How many redirects of a GET are followed, each to an address that is checked; 0. */
  readonly redirectsMax?: number | undefined
  readonly tls?: OutgoingTls | undefined
  /** On a connection of its own, as a test wants that shows how long it takes. */
  readonly isAlone?: boolean | undefined
  /** Takes the request back until the other side has all of it; the call then rejects with the signal’s reason. */
  readonly signal?: AbortSignal | undefined
}

const outcomes = ['2xx', '3xx', '4xx', '5xx', ...outgoingFaults] as const
export type OutgoingOutcome = (typeof outcomes)[number]

/** Calls to the addresses that people type (rules/operations.md: outgoing calls). */
export class OutgoingCalls {
  /** How many requests ended how. */
  readonly outcomes = new Map<OutgoingOutcome, number>(outcomes.map((outcome) => [outcome, 0]))
  readonly #sockets: CheckedSockets
  readonly #idle = new IdleLines(idleMax)
  readonly #busy = new Set<Line>()

  constructor(options: {
    readonly allowed: readonly AllowedPlace[]
    /** For tests: other name servers. */
    readonly resolve?: Resolve | undefined
  }) {
    const policy = new AddressPolicy(options.allowed)
    const resolve = options.resolve ?? createResolve((wish) => policy.isAllowedName(wish))
    this.#sockets = new CheckedSockets({ policy, resolve })
  }

  /**
   * Checks an address before it is saved: now, because it may lead elsewhere later, each connection is checked again.
   * @throws OutgoingError `addressRefused`, `nameUnknown`, or `timeout`
   */
  async check(place: Place, space: CallingSpace): Promise<void> {
    await within(usualDeadlineMs, this.#sockets.check(place, space), () => new OutgoingError('timeout'))
  }

  /**
   * A connection to a place that somebody typed, with TLS where its protocol has it.
   * @throws OutgoingError
   */
  openSocket(place: Place, options: SocketOptions): Promise<OpenedSocket> {
    return this.#sockets.open(place, options)
  }

  /**
   * An answer of whatever status, but for redirects beyond `redirectsMax`. It is cut where it is too long or too slow.
   * @throws OutgoingError where there is no answer
   */
  async request(request: OutgoingRequest): Promise<OutgoingAnswer> {
    try {
      const answer = await this.#follow(request)
      this.#count(`${Math.floor(answer.status / 100)}xx` as OutgoingOutcome)
      return answer
    } catch (error) {
      if (error instanceof OutgoingError) this.#count(error.code)
      throw error
    }
  }

  /** Ends every connection. */
  close(): void {
    for (const line of this.#busy) line.end()
    this.#idle.close()
  }

  #count(outcome: OutgoingOutcome): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }

  async #follow(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const { deadlineMs = usualDeadlineMs, redirectsMax = 0 } = request
    const begunAt = performance.now()
    let hop = request
    for (let left = redirectsMax; ; left--) {
      const answer = await this.#send(hop, deadlineMs - (performance.now() - begunAt))
      const { location } = answer.headers
      if (answer.status < 300 || answer.status > 399 || location === undefined) return answer
      if (left <= 0 || request.method !== 'GET')
        throw new OutgoingError('redirect', {
          detail: `${answer.status} ${location}`,
          connection: answer.connection,
        })
      const to = parseTypedAddress(URL.parse(location, hop.to.href)?.href ?? '', {
        protocols: ['http', 'https'],
      })
      // Headers and certificates prove who calls: they are for the place that was typed, as is whom it trusts.
      const { headers, tls } = to.origin === request.to.origin ? request : {}
      hop = { ...hop, to, headers, tls }
    }
  }

  async #send(request: OutgoingRequest, deadlineMs: number): Promise<OutgoingAnswer> {
    const { method, to, headers = {}, body = null, signal } = request
    // It takes a tenth of a second and 25 MB at first, and most processes call nobody.
    const library = await import('undici')
    signal?.throwIfAborted()
    const key = keyOf(request)
    const kept = request.isAlone ? undefined : this.#idle.take(key)
    const line = kept ?? this.#createLine(library, request)
    const exchange = new Exchange(line, request.answerBytesMax ?? answerBytesMax)
    const callOff = startDeadline(deadlineMs, () => exchange.cut('timeout'))
    const withdraw = () => exchange.withdraw(signal?.reason)
    signal?.addEventListener('abort', withdraw)
    this.#busy.add(line)
    try {
      line.send({ method, path: to.path, headers, body }, exchange, deadlineMs)
      return await exchange.answer
    } finally {
      callOff()
      signal?.removeEventListener('abort', withdraw)
      this.#busy.delete(line)
      if (request.isAlone) line.end()
      else if (line.isOpen) this.#idle.keep(key, line)
    }
  }

  #createLine(library: typeof import('undici'), { to, space, tls }: OutgoingRequest): Line {
    const speaks = ['http/1.1']
    return new Line(library, to.origin, (deadlineMs) =>
      this.#sockets.open(to, { space, tls, deadlineMs, speaks }),
    )
  }
}

/** Requests with the same key may follow each other on one connection. */
function keyOf({ space, to, tls }: OutgoingRequest): string {
  return [JSON.stringify(space), to.origin, tls?.pin, tls?.ca, tls?.certificate].join('\n')
}

/** The head of a request as it is sent, for people to read. */
export function formatRequestHead({ method, to, headers = {}, body = '' }: OutgoingRequest): string {
  const length = Buffer.byteLength(body)
  const lines = [
    `${method} ${to.path} HTTP/1.1`,
    `host: ${new URL(to.origin).host}`,
    'connection: keep-alive',
  ]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (length > 0 || method === 'POST' || method === 'PUT') lines.push(`content-length: ${length}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
