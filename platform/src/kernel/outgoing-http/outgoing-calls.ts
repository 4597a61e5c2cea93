import { AddressPolicy } from './address-policy.ts'
import type { AllowedPlace, CallingSpace } from './allowed-networks.ts'
import { CheckedSockets, type OpenedSocket, type Place, type SocketOptions } from './checked-sockets.ts'
import { createResolve, type Resolve } from './resolve.ts'

/** Calls to the addresses that people type (rules/operations.md: outgoing calls). */
export class OutgoingCalls {
  readonly #sockets: CheckedSockets

  constructor(options: {
    readonly allowed: readonly AllowedPlace[]
    /** For tests: other name servers. */
    readonly resolve?: Resolve | undefined
  }) {
    const policy = new AddressPolicy(options.allowed)
    const resolve = options.resolve ?? createResolve((name) => policy.isAllowedName(name))
    this.#sockets = new CheckedSockets({ policy, resolve })
  }

  /**
   * Checks an address before it is saved: now, because it may lead elsewhere later, each connection is checked again.
   * @throws OutgoingError `addressRefused` with the address that it became, or `nameUnknown`
   */
  async check(place: Place, space: CallingSpace): Promise<void> {
    await this.#sockets.check(place, space)
  }

  /**
   * A connection to a place that somebody typed, with TLS where its protocol has it.
   * @throws OutgoingError
   */
  openSocket(place: Place, options: SocketOptions): Promise<OpenedSocket> {
    return this.#sockets.open(place, options)
  }
}
