import type { ISubscription } from 'mqtt-packet'
import { gatewayLimits } from './limits.ts'
import { subackRefused } from './reasons.ts'
import { matchesTopic, maySubscribe } from './topic-rights.ts'

/** What one machine's connection listens to: nothing but its own topics and the platform's state. */
export class Subscriptions {
  readonly #code: string
  readonly #filters = new Set<string>()

  constructor(code: string) {
    this.#code = code
  }

  /** Takes one filter in. Answers the QoS granted, or why it is refused, in MQTT 5's codes. */
  add({ topic: filter, qos, rh }: ISubscription): {
    granted: number
    isRefused: boolean
    wantsRetained: boolean
  } {
    const refusal = this.#refusalOf(filter)
    if (refusal !== undefined) return { granted: refusal, isRefused: true, wantsRetained: false }
    // Retain handling 2 wants nothing retained, 1 only with a new subscription (MQTT 5.0, 3.8.3.1).
    const wantsRetained = rh !== 2 && !(rh === 1 && this.#filters.has(filter))
    this.#filters.add(filter)
    return { granted: Math.min(qos, 1), isRefused: false, wantsRetained }
  }

  /** False when there was no such subscription. */
  remove(filter: string): boolean {
    return this.#filters.delete(filter)
  }

  matches(topic: string): boolean {
    for (const filter of this.#filters) if (matchesTopic(filter, topic)) return true
    return false
  }

  #refusalOf(filter: string): number | undefined {
    if (filter.startsWith('$share/')) return subackRefused.sharedNotSupported
    if (!maySubscribe(this.#code, filter)) return subackRefused.notAuthorized
    const isFull = this.#filters.size >= gatewayLimits.filtersPerConnectionMax && !this.#filters.has(filter)
    return isFull ? subackRefused.quotaExceeded : undefined
  }
}
