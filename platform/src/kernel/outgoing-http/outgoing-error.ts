import type { destinations } from '@busbar/contract'

/** The faults between the platform and an address that somebody typed. */
export type OutgoingFault = Exclude<destinations.DestinationFault, 'status' | 'notAuthorized'>

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

interface Circumstances {
  /** Of `addressRefused`. */
  readonly problem?: AddressProblem | undefined
  /** The address that the typed one became. */
  readonly address?: string | undefined
  /** The code of the system or of TLS: `EHOSTUNREACH`, `CERT_HAS_EXPIRED`. */
  readonly detail?: string | undefined
  readonly certificate?: ShownCertificate | undefined
}

/** An outgoing call that was refused here, or failed on its way. */
export class OutgoingError extends Error {
  override name = 'OutgoingError'
  readonly code: OutgoingFault
  readonly problem: AddressProblem | undefined
  readonly address: string | undefined
  readonly detail: string | undefined
  readonly certificate: ShownCertificate | undefined

  constructor(code: OutgoingFault, { problem, address, detail, certificate }: Circumstances = {}) {
    super([code, problem, address, detail].filter(Boolean).join(' '))
    this.code = code
    this.problem = problem
    this.address = address
    this.detail = detail
    this.certificate = certificate
  }
}

export const refuseAddress = (problem: AddressProblem, address?: string): OutgoingError =>
  new OutgoingError('addressRefused', { problem, address })
