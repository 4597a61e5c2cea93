import { setTimeout as sleep } from 'node:timers/promises'
import { enterVisit, serveTestTunnel, type TestMachine, type VisitClient } from '@busbar/testkit'
import type { WebSocket } from 'ws'

const redialMs = 250
const answerMsMax = 10_000

/** A machine with a tunnel, and a person inside its page. */
export class TestedVisit {
  readonly #machine: TestMachine
  readonly #user: { readonly token: string }
  readonly #urls: readonly string[]
  readonly #site: { readonly webPort: number }
  #client: VisitClient | undefined
  #socket: WebSocket | undefined
  #isEnded = false

  /** The tunnel goes to one of the nodes at `urls`, the person to the node at `site`. */
  constructor(
    machine: TestMachine,
    user: { readonly token: string },
    at: { readonly urls: readonly string[]; readonly site: { readonly webPort: number } },
  ) {
    this.#machine = machine
    this.#user = user
    this.#urls = at.urls
    this.#site = at.site
    this.#dial(0)
  }

  /** Whether the page answers now; where the visit has ended, the person enters again. */
  async answers(): Promise<boolean> {
    const client = this.#client ?? (await inTime(enterVisit(this.#site, this.#user, this.#machine)))
    this.#client = client
    if (!client) return false
    const answer = await inTime(client.request('/'))
    if (answer?.status === 200 && answer.text === this.#machine.code) return true
    this.#client = undefined
    return false
  }

  end(): void {
    this.#isEnded = true
    this.#socket?.terminate()
  }

  #dial(tries: number): void {
    const url = this.#urls[tries % this.#urls.length] as string
    const { code } = this.#machine
    const socket = serveTestTunnel({ url }, this.#machine, (stream) => {
      stream.respond({ ':status': 200 })
      stream.end(code)
    })
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.once('close', () => {
      if (!this.#isEnded) setTimeout(() => this.#isEnded || this.#dial(tries + 1), redialMs)
    })
  }
}

/** The result within ten seconds; undefined for an error, or none in that time. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), sleep(answerMsMax, undefined)])
}
