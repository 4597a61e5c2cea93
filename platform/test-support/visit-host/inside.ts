import { type TestPlatform, type TestUser, type VisitClient, visitClientOf } from '@busbar/testkit'
import { type Kind, OpenThing } from './open-thing.ts'
import type { PortThing } from './port-thing.ts'
import type { Station } from './station.ts'

/** A visit with its cookie, and its open streams. */
export class Inside {
  readonly visitId: number
  readonly client: VisitClient
  readonly station: Station
  readonly things: (OpenThing | PortThing)[] = []
  /** The first sign that a part of it ended; epoch milliseconds. */
  endedAt: number | undefined
  /** The last value that its machine had sent by then. */
  toldAtEnd = Number.POSITIVE_INFINITY

  private constructor(visitId: number, client: VisitClient, station: Station) {
    this.visitId = visitId
    this.client = client
    this.station = station
  }

  /** Enters by the service behind the way in, which has separate tests. */
  static async enter(
    site: TestPlatform,
    user: Pick<TestUser, 'userId' | 'sessionId'>,
    station: Station,
    target = 'page',
  ): Promise<Inside> {
    const { visitPort } = site.platform.visits
    const { machineId, code } = station.machine
    const caller = { userId: user.userId, sessionId: user.sessionId, address: '127.0.0.1', now: Date.now() }
    const { visitId } = await visitPort.open(caller, machineId, target)
    const host = `${target === 'page' ? '' : `${target}--`}${code}.visit.localhost`
    const ticket = await visitPort.createCode(visitId, host, 'state', Date.now())
    const swapped = await visitPort.swapCode(ticket, host, 'state', Date.now())
    if (!swapped) throw new Error('the code was not swapped')
    const client = visitClientOf(site, `${host}:${site.webPort}`, `visit=${swapped.cookie}`)
    return new Inside(visitId, client, station)
  }

  async open(kinds: readonly Kind[]): Promise<void> {
    await Promise.all(
      kinds.map(async (kind) => {
        const path = `/${kind}?${this.visitId}`
        const arrival = this.station.arrival(path)
        this.things.push(await OpenThing.open(kind, this.client, path, arrival, () => this.#ended()))
      }),
    )
  }

  close(): void {
    for (const thing of this.things) thing.close()
  }

  /** A visit ends as a whole: with the first sign nothing of it may pass any more. */
  #ended(): void {
    this.endedAt ??= Date.now()
    this.toldAtEnd = Math.min(this.toldAtEnd, this.station.told)
    for (const thing of this.things) thing.markEnd()
  }
}
