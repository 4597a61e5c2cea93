import { type Client, createClient, machines, telemetry } from '@busbar/contract'
import { PushClient, type TestMachine } from '@busbar/testkit'

const reopenMs = 300
const heartbeatMs = 10_000
/** The most points of one answer of the history. */
const pageMax = 5_000
const endOfTime = Date.UTC(2100, 0)

/** The facts that a page shows about a machine. */
export interface Shown {
  online: boolean | undefined
  latest: number | undefined
}

/** A signed-in person's page without a browser: REST for the picture, the push socket for what changes. */
export class Watcher {
  readonly api: Client
  readonly #url: string
  readonly #token: string
  readonly #machines: readonly TestMachine[]
  /** Of this socket; a new one begins empty. */
  #pushed = new Map<number, Shown>()
  #socket: PushClient | undefined
  #seen = 0
  #isClosed = false
  #running: Promise<void>

  constructor(options: { url: string; token: string; machines: readonly TestMachine[] }) {
    this.#url = options.url
    this.#token = options.token
    this.#machines = options.machines
    this.api = createClient({ baseUrl: options.url, lang: () => 'en', token: () => options.token })
    this.#running = this.#run()
  }

  /** By what the socket said since it is open, over the list it began with; undefined while it is not open. */
  pushed(machineId: number): Shown | undefined {
    this.#takeIn()
    return this.#socket && !this.#socket.closed ? this.#pushed.get(machineId) : undefined
  }

  /** Whether REST shows each machine online, by its id. */
  async listOnline(): Promise<Map<number, boolean>> {
    const answer = await this.api.call(machines.listMachines, { terminalID: 'faults' })
    if ('notModified' in answer) throw new Error('nobody sent a version')
    return new Map(answer.list.map((item) => [item.machine_id, item.online]))
  }

  /** The newest value by REST, with its quality. */
  async findLatest(machineId: number): Promise<{ value: number; quality: telemetry.Quality } | undefined> {
    const [latest] = await this.api.call(telemetry.listLatest, { machineId })
    if (latest === undefined || latest.value === null) return undefined
    return { value: Number(latest.value), quality: latest.quality }
  }

  /** Every value of a machine's only tag that the history shows, in order of time, with how often. */
  async countHistory(machineId: number): Promise<Map<number, number>> {
    const counts = new Map<number, number>()
    const tags = await this.api.call(telemetry.listTags, { machineId })
    for (const { tagId } of tags) {
      // A page begins with the millisecond the one before ended in.
      let before = new Set<string>()
      for (let from = 0; ; ) {
        const request = { tagIds: [tagId], from, to: endOfTime, points: pageMax, agg: 'raw' as const }
        const { series } = await this.api.call(telemetry.getHistory, request)
        const points = series[0]?.points ?? []
        const page = new Set<string>()
        for (const [at, value] of points) {
          page.add(`${at} ${value}`)
          // A bad sample has a time and no value.
          if (value === null || before.has(`${at} ${value}`)) continue
          counts.set(Number(value), (counts.get(Number(value)) ?? 0) + 1)
        }
        if (points.length < pageMax) break
        before = page
        from = Math.floor(points.at(-1)?.[0] ?? 0)
      }
    }
    return counts
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#socket?.close()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#open()
      } catch {
        // The platform is away: as a page does, it is tried again.
      }
      await new Promise((resolve) => setTimeout(resolve, reopenMs))
    }
  }

  /** One socket, from its begin to its end. */
  async #open(): Promise<void> {
    const socket = await PushClient.open(this.#url, this.#token)
    for (const { machineId } of this.#machines) socket.watch(machineId)
    // The list is fetched after the socket is open: nothing that changes in between is missed.
    const online = await this.listOnline().catch((error: unknown) => {
      socket.close()
      throw error
    })
    this.#seen = 0
    this.#pushed = new Map(
      this.#machines.map(({ machineId }) => [
        machineId,
        { online: online.get(machineId), latest: undefined } satisfies Shown,
      ]),
    )
    this.#socket = socket
    const beat = setInterval(() => socket.heartbeat(), heartbeatMs)
    while (!socket.closed && !this.#isClosed) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      this.#takeIn()
    }
    clearInterval(beat)
  }

  #takeIn(): void {
    const socket = this.#socket
    if (!socket) return
    for (const event of socket.events.slice(this.#seen)) {
      if (event.scene === 'machineState') {
        const shown = this.#pushed.get(Number(event.state.machineId))
        if (shown) shown.online = event.state.online
      }
      if (event.scene === 'values') {
        const shown = this.#pushed.get(Number(event.machineId))
        const value = event.values.at(-1)?.value
        if (shown && value?.case !== undefined) shown.latest = Number(value.value)
      }
    }
    this.#seen = socket.events.length
    // Hours of events are useless.
    if (this.#seen > pageMax) {
      socket.events.splice(0, this.#seen)
      this.#seen = 0
    }
  }
}
