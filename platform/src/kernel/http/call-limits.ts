import {
  type AddressRate,
  coverMs,
  type Rate,
  type RateName,
  type Route,
  type RouteLimit,
  rates,
} from '@busbar/contract'
import type { FastifyRequest } from 'fastify'
import { within } from '../deadline.ts'
import type { SignedIn } from './bind.ts'
import { addressKeys } from './client-address.ts'
import { Failure } from './failure.ts'
import type { Counter, RateCounters } from './rate-counters.ts'

/** The caller whose calls are counted. */
export interface LimitedCaller {
  readonly user: SignedIn | undefined
  readonly address: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The kind of key that calls are counted under. */
type By = 'user' | 'address'
type AnyRate = keyof typeof rates
type Limited = Pick<Route, 'limits'>

const counterMsMax = 1_000

/**
 * Counts calls under the limits their routes declare (docs/decisions/0023-call-limits.md). Each function throws 429 with
 * `retryIn`, and 503 where the counters do not answer: a call that cannot be counted does not pass.
 */
export class CallLimits {
  readonly #counters: RateCounters
  readonly #now: () => number

  constructor(counters: RateCounters, now: () => number) {
    this.#counters = counters
    this.#now = now
  }

  /** Counts every call of an address, valid or not, before the first query: a hook for onRequest. */
  hookOf({ limits: [general] }: Limited): (request: FastifyRequest) => Promise<void> {
    return ({ ip }) =>
      this.#takeAll([general], { user: undefined, address: ip, now: this.#now() }, ['address'])
  }

  /**
   * Counts every call of a person, once the session is known. Their address gets its try back: otherwise one person
   * could use up the calls of everybody behind the same address.
   */
  async takeOfUser({ limits: [general] }: Limited, caller: LimitedCaller): Promise<void> {
    if (!caller.user) return
    const ofAddress = countersOf(general, caller, ['address'])
    await inTime(this.#counters.giveBack(ofAddress, caller.now))
    await this.#takeAll([general], caller, ['user'])
  }

  /** Counts a call under the limits of its own route, with its fields. */
  async take({ limits }: Limited, caller: LimitedCaller, input: Record<string, unknown>): Promise<void> {
    const names: RateName[] = []
    const marks: string[] = []
    for (const limit of limits.slice(1) as RouteLimit[]) {
      if (typeof limit === 'string') names.push(limit)
      else if ('covers' in limit) {
        names.push(limit.rate)
        marks.push(markOf(limit.rate, caller, limit.covers, input))
      } else if ('coveredBy' in limit) {
        const mark = markOf(limit.rate, caller, limit.coveredBy, input)
        const isCovered = await inTime(this.#counters.takeMark(mark, caller.now))
        if (!isCovered) names.push(limit.rate)
      }
    }
    await this.#takeAll(names, caller, ['user', 'address'])
    for (const mark of marks) await inTime(this.#counters.putMark(mark, caller.now + coverMs))
  }

  /** Counts a call under the limits that its route takes by itself. */
  takeByRoute({ limits }: Limited, caller: LimitedCaller): Promise<void> {
    const names = limits.flatMap((limit) =>
      typeof limit !== 'string' && 'countedBy' in limit ? [limit.rate] : [],
    )
    return this.#takeAll(names, caller, ['user', 'address'])
  }

  /** Counts a request outside the contract, by its address alone. */
  takeByAddress(rate: AddressRate, address: string): Promise<void> {
    return this.#takeAll([rate], { user: undefined, address, now: this.#now() }, ['address'])
  }

  async #takeAll(names: readonly AnyRate[], caller: LimitedCaller, by: readonly By[]): Promise<void> {
    const counters = names.flatMap((name) => countersOf(name, caller, by))
    if (counters.length === 0) return
    const refused = await inTime(this.#counters.take(counters, caller.now))
    if (refused) throw new Failure('429', { data: { retryIn: refused.retryIn } })
  }
}

const inTime = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  within(counterMsMax, answer, () => new Failure('503', { data: { retryIn: 1 } }))

function countersOf(name: AnyRate, { user, address }: LimitedCaller, by: readonly By[]): Counter[] {
  const { windowMs, callsPerUserMax, callsPerAddressMax, ...rate }: Rate = rates[name]
  const isShared = rate.isShared === true
  const counters: Counter[] = []
  if (by.includes('user') && callsPerUserMax !== undefined && user)
    counters.push({
      group: `${name}/user`,
      key: String(user.userId),
      max: callsPerUserMax,
      windowMs,
      isShared,
    })
  if (by.includes('address') && callsPerAddressMax !== undefined) {
    for (const { key, net, times } of addressKeys(address))
      counters.push({ group: `${name}/${net}`, key, max: callsPerAddressMax * times, windowMs, isShared })
  }
  return counters
}

/** The mark that a counted call leaves for a later call of the same person about the same thing. */
function markOf(
  rate: RateName,
  { user, address }: LimitedCaller,
  field: string,
  input: Record<string, unknown>,
): string {
  const who = user ? `user ${user.userId}` : `address ${address}`
  return `${rate} ${who} ${field} ${JSON.stringify(input[field])}`
}
