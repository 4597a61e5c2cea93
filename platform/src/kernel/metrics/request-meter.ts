import { Histogram } from './histogram.ts'
import { counter, histogram, type Metric } from './metric.ts'

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const
/** Requests without a route: their path and method are the sender's. */
const unmatched = { method: 'any', route: 'unmatched' }

interface RouteMeter {
  readonly labels: { readonly method: string; readonly route: string }
  readonly seconds: Histogram
  readonly statuses: number[]
}

/** Requests to the console's routes: how many, how they ended, how long they took. */
export class RequestMeter {
  readonly #routes = new Map<string, RouteMeter>()

  /** `route` is the pattern that answered, undefined if none did. */
  observe(method: string, route: string | undefined, status: number, seconds: number): void {
    const labels = route === undefined ? unmatched : { method, route }
    const key = `${labels.method} ${labels.route}`
    let meter = this.#routes.get(key)
    if (!meter) {
      meter = { labels, seconds: new Histogram(), statuses: Array(statusClasses.length).fill(0) }
      this.#routes.set(key, meter)
    }
    meter.seconds.observe(seconds)
    const place = Math.min(Math.max(Math.floor(status / 100), 1), statusClasses.length) - 1
    meter.statuses[place] = (meter.statuses[place] ?? 0) + 1
  }

  collect(): Metric[] {
    const meters = [...this.#routes.values()]
    return [
      counter(
        'busbar_http_requests_total',
        'Requests answered',
        meters.flatMap(({ labels, statuses }) =>
          statuses.flatMap((value, place) =>
            value === 0 ? [] : [{ labels: { ...labels, status: statusClasses[place] ?? '' }, value }],
          ),
        ),
      ),
      histogram(
        'busbar_http_request_seconds',
        'From a request to the end of its answer',
        meters.map(({ labels, seconds }) => ({ labels, histogram: seconds })),
      ),
    ]
  }
}
