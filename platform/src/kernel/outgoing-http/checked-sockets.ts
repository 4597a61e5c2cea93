import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import { within } from '../deadline.ts'
import type { AddressPolicy, Wish } from './address-policy.ts'
import type { CallingSpace } from './allowed-networks.ts'
import {
  type Connection,
  OutgoingError,
  type OutgoingFault,
  refuseAddress,
  type ShownCertificate,
} from './outgoing-error.ts'
import type { Resolve } from './resolve.ts'
import type { TypedAddress } from './typed-address.ts'

export const usualDeadlineMs = 15_000
/** For each address of a name but the last. */
const attemptMs = 1_000

/** In place of the authorities of this system, and what the other side may ask of us; PEM. */
export interface OutgoingTls {
  readonly ca?: string | undefined
  /** SHA-256 of the one certificate that is accepted, hexadecimal, whatever name and authority it has. */
  readonly pin?: string | undefined
  readonly certificate?: string | undefined
  readonly privateKey?: string | undefined
}

export interface SocketOptions {
  readonly space: CallingSpace
  /** For name, connection and TLS together. */
  readonly deadlineMs?: number | undefined
  readonly tls?: OutgoingTls | undefined
  /** Protocols within TLS (ALPN). */
  readonly speaks?: readonly string[] | undefined
}

/** A connection to an address that was checked. */
export interface OpenedSocket {
  readonly socket: Socket
  readonly connection: Connection
}

/** Where a connection leads. */
export type Place = Pick<TypedAddress, 'host' | 'port' | 'isTls'>

/** Opens a connection to the first of these addresses that takes it. */
export type Dial = (addresses: readonly string[], port: number, signal: AbortSignal) => Promise<Socket>

/** Connections to the places that people typed; each is checked when it is made. */
export class CheckedSockets {
  readonly #policy: Pick<AddressPolicy, 'findProblem'>
  readonly #resolve: Resolve
  readonly #dial: Dial

  constructor(options: {
    readonly policy: Pick<AddressPolicy, 'findProblem'>
    readonly resolve: Resolve
    /** For tests: another network. */
    readonly dial?: Dial | undefined
  }) {
    this.#policy = options.policy
    this.#resolve = options.resolve
    this.#dial = options.dial ?? dialInTurn
  }

  /**
   * The addresses of a place, all of which may be connected to.
   * @throws OutgoingError `addressRefused` with the first that may not, or `nameUnknown`
   */
  async check({ host, port, isTls }: Place, space: CallingSpace): Promise<readonly string[]> {
    const wish = { space, host, port, isTls }
    const addresses = isIP(host) ? [host] : await this.#resolve(host, wish).catch(failName)
    if (addresses.length === 0) throw new OutgoingError('nameUnknown')
    for (const address of addresses) this.#require(address, wish)
    return addresses
  }

  /** @throws OutgoingError */
  async open(place: Place, options: SocketOptions): Promise<OpenedSocket> {
    const over = new AbortController()
    try {
      const { deadlineMs = usualDeadlineMs } = options
      const opened = this.#open(place, options, over.signal)
      return await within(deadlineMs, opened, () => new OutgoingError('timeout'))
    } catch (error) {
      over.abort()
      throw toOutgoingError(error)
    }
  }

  async #open(place: Place, options: SocketOptions, signal: AbortSignal): Promise<OpenedSocket> {
    const begunAt = performance.now()
    const addresses = await this.check(place, options.space)
    const foundAt = performance.now()
    signal.throwIfAborted()
    const plain = await this.#dial(addresses, place.port, signal)
    const connectedAt = performance.now()
    const timing = { lookupMs: foundAt - begunAt, connectMs: connectedAt - foundAt }
    try {
      const address = plain.remoteAddress
      if (address === undefined) throw new OutgoingError('reset')
      this.#require(address, { ...place, space: options.space })
      plain.setNoDelay(true)
      if (!place.isTls)
        return { socket: plain, connection: { address, certificate: undefined, ...timing, tlsMs: 0 } }
      const { socket, certificate } = await startTls(plain, place.host, options)
      const tlsMs = performance.now() - connectedAt
      return { socket, connection: { address, certificate, ...timing, tlsMs } }
    } catch (error) {
      plain.destroy()
      throw error
    }
  }

  #require(address: string, wish: Wish): void {
    const problem = this.#policy.findProblem(address, wish)
    // The private address of a name may be one that only name servers of this network tell.
    const isShown = problem === 'plain' || isIP(wish.host) > 0
    if (problem) throw refuseAddress(problem, isShown ? address : undefined)
  }
}

const failName = (error: unknown): never => {
  throw new OutgoingError('nameUnknown', { detail: codeOf(error) })
}

/** Node tries the addresses in turn; it does not know the name, so nothing asks for it again. */
const dialInTurn: Dial = (addresses, port, signal) =>
  new Promise((resolve, reject) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const socket = connect({
      host: 'checked.invalid',
      port,
      signal,
      lookup: (_name, _options, done) => done(null, found),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptMs,
    })
    socket.once('error', reject)
    socket.once('connect', () => resolve(socket))
  })

interface Secured {
  readonly socket: TLSSocket
  readonly certificate: ShownCertificate
}

/** Node refuses nothing by itself here, so that a person can be shown the certificate that is refused. */
function startTls(plain: Socket, host: string, { tls = {}, speaks }: SocketOptions): Promise<Secured> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      socket: plain,
      host,
      // An address is not a name for SNI (RFC 6066, 3).
      ...(isIP(host) === 0 && { servername: host }),
      ...(speaks && { ALPNProtocols: [...speaks] }),
      ca: tls.ca || undefined,
      cert: tls.certificate || undefined,
      key: tls.privateKey || undefined,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: false,
    })
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const peer = socket.getPeerCertificate()
      const certificate = show(peer)
      const detail = findFault(socket, peer, tls.pin)
      if (detail === undefined) resolve({ socket, certificate })
      else reject(new OutgoingError('tls', { detail, certificate }))
    })
  })
}

function findFault(socket: TLSSocket, peer: PeerCertificate, pin: string | undefined): string | undefined {
  if (pin) return toHex(pin) === toHex(peer.fingerprint256) ? undefined : 'PIN_DIFFERS'
  return socket.authorized ? undefined : String(socket.authorizationError)
}

const toHex = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()

const show = ({ subject, issuer, valid_to, fingerprint256 }: PeerCertificate): ShownCertificate => ({
  subject: String(subject?.CN ?? ''),
  issuer: String(issuer?.CN ?? issuer?.O ?? ''),
  validTo: Date.parse(valid_to),
  fingerprint: fingerprint256,
})

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

const faults: Readonly<Record<string, OutgoingFault>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
}

/** The fault of a connection, as codes of the system and of TLS name it. */
export function toOutgoingError(error: unknown, connection?: Connection): OutgoingError {
  if (error instanceof OutgoingError) return error
  const detail = codeOf(error)
  const isTls = /^(ERR_(OSSL|SSL|TLS)|EPROTO)/.test(detail ?? '')
  return new OutgoingError(faults[detail ?? ''] ?? (isTls ? 'tls' : 'reset'), { detail, connection })
}
