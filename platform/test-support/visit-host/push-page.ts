import { accounts } from '@busbar/contract'
import { PushClient, type TestPlatform } from '@busbar/testkit'
import type { Station } from './station.ts'

/** A person's page on the push socket, watching machines. */
export class PushPage {
  readonly #client: PushClient

  private constructor(client: PushClient) {
    this.#client = client
  }

  static async open(
    site: TestPlatform,
    user: { token: string },
    stations: readonly Station[],
  ): Promise<PushPage> {
    const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
    const client = await PushClient.open(site.url, ticket)
    for (const { machine } of stations) client.watch(machine.machineId)
    return new PushPage(client)
  }

  /** The newest value that came of a machine; 0 before the first. */
  newestOf({ machine }: Station): number {
    const id = String(machine.machineId)
    const last = this.#client.events.findLast((event) => event.scene === 'values' && event.machineId === id)
    return last?.scene === 'values' ? Number(last.values.at(-1)?.value.value) : 0
  }

  /** `open`, or its close code and the reason that the page got before. */
  get state(): string {
    const { closed, events } = this.#client
    if (!closed) return 'open'
    const told = events.findLast((event) => event.scene === 'logout')
    return `closed with ${closed.code}${told?.scene === 'logout' ? `: ${told.logout.reason}` : ''}`
  }

  close(): void {
    this.#client.close()
  }
}
