import type { ErrorCode } from '@busbar/contract'
import { addressKey } from './client-address.ts'

const megabyte = 1_048_576

/**
 * Bytes of requests' bodies in memory at a time: of all callers, and of strangers among them (rules/calls.md: bodies).
 */
export const bodyBudgetBytes = {
  ofAddress: 8 * megabyte,
  ofStrangersAddress: megabyte,
  ofStrangers: 16 * megabyte,
  total: 64 * megabyte,
} as const

/** The share of the budget that one request's body takes. */
export interface BodyShare {
  /** Takes received bytes, or answers the reason why there is no room for them. */
  take(bytes: number): Extract<ErrorCode, 'TOO_MUCH_AT_ONCE' | '503'> | undefined
  /** Gives all of it back; may be called again. */
  release(): void
}

/**
 * Counts the bytes of bodies from their arrival to the answer. A declared length does not count, because it costs its
 * sender nothing.
 */
export class BodyBudget {
  readonly #ofAddresses = new Map<string, number>()
  readonly #ofStrangersNetworks = new Map<string, number>()
  #ofStrangers = 0
  #total = 0

  /** Bytes in memory. */
  get bytes(): number {
    return this.#total
  }

  /** The share of one request. A stranger's is small, so that strangers cannot take the room of others. */
  open(address: string, isStranger: boolean): BodyShare {
    const key = addressKey(address)
    const network = networkOf(key)
    let own = 0
    return {
      take: (bytes) => {
        const refused = this.#refusal(key, isStranger ? network : undefined, bytes)
        if (refused) return refused
        own += bytes
        this.#add(key, isStranger ? network : undefined, bytes)
        return undefined
      },
      release: () => {
        this.#add(key, isStranger ? network : undefined, -own)
        own = 0
      },
    }
  }

  #refusal(key: string, network: string | undefined, bytes: number): ReturnType<BodyShare['take']> {
    if ((this.#ofAddresses.get(key) ?? 0) + bytes > bodyBudgetBytes.ofAddress) return 'TOO_MUCH_AT_ONCE'
    if (network !== undefined) {
      const ofNetwork = this.#ofStrangersNetworks.get(network) ?? 0
      if (ofNetwork + bytes > bodyBudgetBytes.ofStrangersAddress) return 'TOO_MUCH_AT_ONCE'
      if (this.#ofStrangers + bytes > bodyBudgetBytes.ofStrangers) return '503'
    }
    return this.#total + bytes > bodyBudgetBytes.total ? '503' : undefined
  }

  #add(key: string, network: string | undefined, bytes: number): void {
    this.#total += bytes
    addTo(this.#ofAddresses, key, bytes)
    if (network === undefined) return
    this.#ofStrangers += bytes
    addTo(this.#ofStrangersNetworks, network, bytes)
  }
}

/** An IPv6 customer may have a whole /48: 65,536 networks that `addressKey` distinguishes. */
function networkOf(key: string): string {
  return key.includes(':') && !key.includes('.') ? key.split(':').slice(0, 3).join(':') : key
}

function addTo(counts: Map<string, number>, key: string, bytes: number): void {
  const count = (counts.get(key) ?? 0) + bytes
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
