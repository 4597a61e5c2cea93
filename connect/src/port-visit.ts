import type { Api, OpenedVisit } from './api.ts'
import type { Clock, Mode } from './model.ts'

/** The platform takes a ticket within 60 s; a slow way and a slow clock need some of them. */
const ticketMs = 50_000

/** The visit at one machine: its address, and the newest ticket for the next line. */
export class PortVisit {
  readonly #ask: () => Promise<OpenedVisit>
  readonly #clock: Pick<Clock, 'monotonic'>
  #opened: OpenedVisit
  #ticket: { readonly text: string; readonly at: number } | undefined

  private constructor(ask: () => Promise<OpenedVisit>, opened: OpenedVisit, clock: Pick<Clock, 'monotonic'>) {
    this.#ask = ask
    this.#clock = clock
    this.#opened = opened
    this.note(opened.ticket)
  }

  /** @throws ApiFailure where the person may not, or somebody else is in control */
  static async open(
    api: Api,
    at: { readonly machineId: number; readonly terminal: string; readonly mode: Mode },
    clock: Pick<Clock, 'monotonic'>,
  ): Promise<PortVisit> {
    const ask = () => api.openPorts(at.machineId, at.terminal, at.mode)
    return new PortVisit(ask, await ask(), clock)
  }

  get opened(): OpenedVisit {
    return this.#opened
  }

  /** A ticket that came over a line. */
  note(text: string): void {
    this.#ticket = { text, at: this.#clock.monotonic() }
  }

  /** A ticket for one line: the newest, or a fresh one. @throws ApiFailure, ShapeError */
  async takeTicket(): Promise<string> {
    const ticket = this.#ticket
    this.#ticket = undefined
    if (ticket && this.#clock.monotonic() - ticket.at < ticketMs) return ticket.text
    return this.renewTicket()
  }

  /** Where the visit was over because nothing passed, this opens another. @throws ApiFailure, ShapeError */
  async renewTicket(): Promise<string> {
    this.#opened = await this.#ask()
    return this.#opened.ticket
  }

  urlOf(line: { port: string; stream: string; from: number; isResumed: boolean }): URL {
    const url = new URL(this.#opened.connectUrl)
    url.searchParams.set('port', line.port)
    url.searchParams.set('stream', line.stream)
    url.searchParams.set('from', String(line.from))
    if (line.isResumed) url.searchParams.set('resume', '1')
    return url
  }
}
