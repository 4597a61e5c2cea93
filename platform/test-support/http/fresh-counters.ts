import { LocalRateCounters, type RateCounters } from '../../src/kernel/http/rate-counters.ts'

/** Counters whose windows begin anew where a test wants it: otherwise a minute that other tests began may end in its calls. */
export class FreshCounters implements RateCounters {
  #counters = new LocalRateCounters()

  begin(): void {
    this.#counters = new LocalRateCounters()
  }

  take: RateCounters['take'] = (...call) => this.#counters.take(...call)
  giveBack: RateCounters['giveBack'] = (...call) => this.#counters.giveBack(...call)
  takeMark: RateCounters['takeMark'] = (...call) => this.#counters.takeMark(...call)
  putMark: RateCounters['putMark'] = (...call) => this.#counters.putMark(...call)
}
