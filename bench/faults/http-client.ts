import { ingest } from '@busbar/contract'
import { type OutsideClient, Stamps } from './outside-client.ts'

const requestMsMax = 3_000
const againMs = 200

/** A machine that posts one number after the other to `/api/v1/ingest`, and repeats posts without an answer. */
export class OutsideHttp implements OutsideClient {
  readonly code: string
  readonly acknowledged = new Set<number>()
  made = 0
  answeredOf = 0
  /** The failure of the last post that was not accepted. */
  problem = ''
  /** Answers since `forgetOnline`. */
  #answers = 0
  readonly #url: string
  readonly #authorization: string
  readonly #everyMs: number
  readonly #stamps = new Stamps()
  readonly #waiting: { readonly number: number; readonly body: string }[] = []
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #running: Promise<void> | undefined

  constructor(options: { port: number; code: string; secret: string; everyMs: number }) {
    this.code = options.code
    this.#url = `http://127.0.0.1:${options.port}${ingest.ingestTelemetry.path}`
    this.#authorization = `Basic ${btoa(`${options.code}:${options.secret}`)}`
    this.#everyMs = options.everyMs
  }

  /**
   * HTTP is without a connection: a machine that posted within five minutes counts as online, as long as the
   * platform remembers it.
   */
  get isOnline(): boolean {
    return this.#answers > 0
  }

  /** The platform was restarted and does not know it yet. */
  forgetOnline(): void {
    this.#answers = 0
  }

  setLoad(isOn: boolean): void {
    clearInterval(this.#timer)
    if (isOn) this.#timer = setInterval(() => this.make(), this.#everyMs)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#running
  }

  make(): void {
    const number = ++this.made
    this.#waiting.push({ number, body: JSON.stringify({ ts: this.#stamps.next(), values: { n: number } }) })
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting[0]; next && !this.#isClosed; next = this.#waiting[0]) {
      const sentAt = performance.now()
      if (await this.#post(next.body)) {
        this.answeredOf = sentAt
        this.#waiting.shift()
        this.#answers++
        this.acknowledged.add(next.number)
      } else await new Promise((resolve) => setTimeout(resolve, againMs))
    }
  }

  /** Whether the platform says that it is stored, by this post or one before. */
  async #post(body: string): Promise<boolean> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        body,
        headers: { authorization: this.#authorization, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(requestMsMax),
      })
      const answer = (await response.json()) as {
        hwcode?: number
        hwdata?: { stored?: number; repeated?: number }
      }
      this.problem = `HTTP ${response.status} ${JSON.stringify(answer)}`
      const { stored = 0, repeated = 0 } = answer.hwdata ?? {}
      // `repeated` counts a post whose answer was lost or late, but which was stored.
      return response.ok && answer.hwcode === 0 && stored + repeated === 1
    } catch (error) {
      this.problem = String(error)
      return false
    }
  }
}
