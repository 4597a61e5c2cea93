/**
 * A backlog of hours arrives in thousands of messages, and so does a birth: pages are notified at most at this
 * interval.
 */
export const newsGatherMs = 2_000

interface Gathered<News> {
  news: News
  /** Runs while no news may be sent. */
  readonly timer: NodeJS.Timeout
  isDue: boolean
}

/**
 * Gathers news of machines: the first at once, then all further ones together, at most every 2 s for each machine.
 * `tell` answers false if somebody could not be notified yet: then the same is repeated.
 */
export class MachineNews<News extends { readonly machineId: number }> {
  readonly #tell: (news: News) => boolean
  readonly #join: (before: News, news: News) => News
  readonly #gathered = new Map<number, Gathered<News>>()

  constructor(tell: (news: News) => boolean, join: (before: News, news: News) => News) {
    this.#tell = tell
    this.#join = join
  }

  add(news: News): void {
    const gathered = this.#gathered.get(news.machineId)
    if (!gathered) {
      this.#told(news)
      return
    }
    gathered.news = gathered.isDue ? this.#join(gathered.news, news) : news
    gathered.isDue = true
  }

  close(): void {
    for (const { timer } of this.#gathered.values()) clearTimeout(timer)
    this.#gathered.clear()
  }

  #told(news: News): void {
    const isDue = !this.#tell(news)
    const timer = setTimeout(() => this.#flush(news.machineId), newsGatherMs)
    this.#gathered.set(news.machineId, { news, timer, isDue })
  }

  #flush(machineId: number): void {
    const gathered = this.#gathered.get(machineId)
    this.#gathered.delete(machineId)
    if (gathered?.isDue) this.#told(gathered.news)
  }
}

/** The stretch that both changes of a machine's past cover. */
export const joinSpans = <Span extends { readonly from: number; readonly to: number }>(
  before: Span,
  span: Span,
): Span => ({ ...span, from: Math.min(before.from, span.from), to: Math.max(before.to, span.to) })
