import type { destinations } from '@busbar/contract'

/** The faults between the platform and an address that somebody typed. */
export const outgoingFaults = [
  'addressRefused',
  'nameUnknown',
  'refused',
  'timeout',
  'tls',
  'reset',
  'answerTooLarge',
  'redirect',
  'protocol',
] as const satisfies readonly destinations.DestinationFault[]
export type OutgoingFault = (typeof outgoingFaults)[number]

/**
 * Why an address is refused. `form`: an IPv4 address in decimal, octal or another spelling; `embedded`: an IPv4 address
 * within an IPv6 one; `plain`: without TLS, and not to a place that the operator allows.
 */
export type AddressProblem =
  | 'syntax'
  | 'protocol'
  | 'user'
  | 'port'
  | 'form'
  | 'loopback'
  | 'private'
  | 'linkLocal'
  | 'multicast'
  | 'unspecified'
  | 'embedded'
  | 'reserved'
  | 'plain'

/** The certificate that the other side showed, also where it was refused. */
export interface ShownCertificate {
  readonly subject: string
  readonly issuer: string
  /** Epoch milliseconds. */
  readonly validTo: number
  /** SHA-256, hexadecimal with colons. */
  readonly fingerprint: string
}

/** A connection, and the milliseconds that its parts took. */
export interface Connection {
  readonly address: string
  readonly certificate: ShownCertificate | undefined
  readonly lookupMs: number
  readonly connectMs: number
  readonly tlsMs: number
}

interface Circumstances {
  /** Of `addressRefused`. */
  readonly problem?: AddressProblem | undefined
  /** The address that the typed one became: a public one, or another spelling. */
  readonly address?: string | undefined
  /** The code of the system or of TLS: `EHOSTUNREACH`, `CERT_HAS_EXPIRED`. */
  readonly detail?: string | undefined
  readonly certificate?: ShownCertificate | undefined
  /** The connection on which it happened. */
  readonly connection?: Connection | undefined
}

/** An outgoing call that was refused here, or failed on its way. */
export class OutgoingError extends Error {
  override name = 'OutgoingError'
  readonly code: OutgoingFault
  readonly problem: AddressProblem | undefined
  readonly address: string | undefined
  readonly detail: string | undefined
  readonly certificate: ShownCertificate | undefined
  readonly connection: Connection | undefined

  constructor(code: OutgoingFault, circumstances: Circumstances = {}) {
    const { problem, address, detail, certificate, connection } = circumstances
    super([code, problem, address, detail].filter(Boolean).join(' '))
    this.code = code
    this.problem = problem
    this.address = address ?? connection?.address
    this.detail = detail
    this.certificate = certificate ?? connection?.certificate
    this.connection = connection
  }
}

export const refuseAddress = (problem: AddressProblem, address?: string): OutgoingError =>
  new OutgoingError('addressRefused', { problem, address })
