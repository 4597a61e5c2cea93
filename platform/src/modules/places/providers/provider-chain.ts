import type { RateCounters } from '../../../kernel/http/rate-counters.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { isOfQuestion, ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'

/** After so many failures in a row a provider is left alone. */
const failuresMax = 5
const restMs = 60_000
const dayMs = 86_400_000

interface AskOptions<Provider> {
  /** One that cannot answer this is not asked. */
  readonly canAnswer?: (provider: Provider) => boolean
  readonly onFailed?: (failure: ProviderFailed) => void
}

interface Deps {
  readonly counters: RateCounters
  readonly logger: Pick<Logger, 'warn'>
  readonly now: () => number
  /** Calls of one provider in a day, of all processes together. */
  readonly callsPerDayMax: number
}

/**
 * Providers of one kind, in the order in which they are asked. One that fails, has used up its day or rests after
 * failures is passed over. The last one ships with the platform: it costs nothing, and its failures are faults.
 */
export class ProviderChain<Provider extends { readonly name: string }> {
  readonly #outside: readonly { readonly provider: Provider; readonly health: Health }[]
  readonly #embedded: Provider
  readonly #deps: Deps

  constructor(outside: readonly Provider[], embedded: Provider, deps: Deps) {
    this.#outside = outside.map((provider) => ({ provider, health: new Health() }))
    this.#embedded = embedded
    this.#deps = deps
  }

  /** Whether one of them can answer a question of this kind. */
  some(canAnswer: (provider: Provider) => boolean): boolean {
    return canAnswer(this.#embedded) || this.#outside.some(({ provider }) => canAnswer(provider))
  }

  /** The first answer that tells something, or the last one. */
  async ask<Answer>(
    act: (provider: Provider) => Promise<Answer>,
    isTelling: (answer: Answer) => boolean,
    { canAnswer = () => true, onFailed }: AskOptions<Provider> = {},
  ): Promise<Answer> {
    for (const { provider, health } of this.#outside) {
      if (!canAnswer(provider) || !(await this.#mayAsk(provider, health))) continue
      try {
        const answer = await act(provider)
        health.succeed()
        if (isTelling(answer)) return answer
      } catch (error) {
        if (!(error instanceof ProviderFailed)) throw error
        if (!isOfQuestion(error)) health.fail(this.#deps.now())
        onFailed?.(error)
        this.#deps.logger.warn({ provider: provider.name, reason: error.message }, 'placeProvider.failed')
      }
    }
    return act(this.#embedded)
  }

  async #mayAsk({ name }: Provider, health: Health): Promise<boolean> {
    const { counters, callsPerDayMax, now } = this.#deps
    if (health.isResting(now())) return false
    const counter = {
      group: 'placeProviders',
      key: name,
      max: callsPerDayMax,
      windowMs: dayMs,
      isShared: true,
    }
    return (await counters.take([counter], now())) === undefined
  }
}

/** Failures of a provider in a row, as this process saw them. */
class Health {
  #failures = 0
  #restsUntil = 0

  isResting(now: number): boolean {
    return now < this.#restsUntil
  }

  succeed(): void {
    this.#failures = 0
  }

  fail(now: number): void {
    this.#failures++
    if (this.#failures >= failuresMax) this.#restsUntil = now + restMs
  }
}
