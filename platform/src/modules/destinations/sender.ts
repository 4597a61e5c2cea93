import type { Bus } from '../../kernel/bus/bus.ts'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { ProjectStreams } from '../project-stream/index.ts'
import type { Links } from '../projects/index.ts'
import { pruneFormerLanes } from './destinations-store.ts'
import { Lane, type LaneDeps } from './lane.ts'
import { stillFormer } from './lane-rules.ts'
import { listSettings, releaseLanes, renewLanes, takeLanes } from './lanes-store.ts'

interface SenderDeps extends Omit<LaneDeps, 'lost' | 'streams' | 'links' | 'sent'> {
  readonly bus: Bus
  readonly streams: Pick<ProjectStreams, 'read' | 'heads'>
  readonly links: LaneDeps['links'] & Pick<Links, 'subscribe'>
  /** Names this start of the process. */
  readonly holder: string
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

const lookMs = 500
const renewMs = 3_000
/** Lanes that a process takes in one look. */
const takenMax = 200

/** The figures of a process. */
export interface Sent {
  requests: number
  failed: number
  rows: number
  bytes: number
}

/** Works on the lanes that no other process works on; each holds its own by a lease (rules/projects.md: destinations). */
export class Sender {
  readonly sent: Sent = { requests: 0, failed: 0, rows: 0, bytes: 0 }
  readonly #deps: SenderDeps
  readonly #lanes = new Map<string, Lane>()
  readonly #leaving = new Set<Promise<void>>()
  #timers: NodeJS.Timeout[] = []
  #unsubscribe: (() => void)[] = []
  #looking: Promise<void> | undefined
  #renewing: Promise<void> | undefined
  #isStopped = false

  constructor(deps: SenderDeps) {
    this.#deps = deps
  }

  get lanes(): number {
    return this.#lanes.size
  }

  start(): void {
    const { bus, links, logger } = this.#deps
    this.#timers = [every(lookMs, () => this.look(), logger), every(renewMs, () => this.#renew(), logger)]
    this.#unsubscribe = [
      bus.subscribe('projectRows', ({ projectId, nextNo }) => {
        for (const lane of this.#lanes.values()) if (lane.projectId === projectId) lane.noteRows(nextNo)
      }),
      // One that fails is told by the clock's next look.
      bus.subscribe('destinations', () => void this.look().catch(() => undefined)),
      links.subscribe((ended) => {
        for (const lane of this.#lanes.values()) lane.noteEnded(ended)
      }),
    ]
  }

  /** Ends what is on its way, and lets other processes have the lanes at once. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const end of this.#unsubscribe) end()
    await Promise.allSettled([this.#looking, this.#renewing])
    const lanes = [...this.#lanes.values()]
    this.#lanes.clear()
    await Promise.all([...lanes.map((lane) => lane.stop({ isNow: true })), ...this.#leaving])
    if (lanes.length > 0)
      await releaseLanes(
        this.#deps.db,
        lanes.map(({ held }) => held),
      )
  }

  /** Takes free lanes, and reads what the own ones need to know: settings may have changed, streams may have grown. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { db, holder, streams, now } = this.#deps
    if (this.#isStopped) return
    const own = [...this.#lanes.values()].map(({ held }) => held)
    for (const { projectId, state, ...held } of await takeLanes(db, { holder, held: own, max: takenMax })) {
      // Lanes of this destination were made anew.
      const former = this.#lanes.get(keyOf(held))
      if (former) this.#end(former)
      const deps = { ...this.#deps, lost: this.#lose, sent: this.#count }
      this.#lanes.set(keyOf(held), new Lane(held, projectId, state, deps))
    }
    const lanes = [...this.#lanes.values()]
    if (lanes.length === 0) return
    const destinationIds = new Set(lanes.map(({ held }) => held.destinationId))
    const settings = await listSettings(db, [...destinationIds], new Date(now()))
    const heads = await streams.heads([...new Set(lanes.map(({ projectId }) => projectId))])
    const settingsOf = new Map(settings.map((each) => [each.destinationId, each]))
    for (const lane of lanes) {
      const own = settingsOf.get(lane.held.destinationId)
      if (own && lane.held.lane < own.lanes) lane.configure(own)
      else this.#end(lane)
      const head = heads.get(lane.projectId)
      if (head) lane.noteHead(head)
    }
    for (const { destinationId, former } of settings) if (former.length > 0) await this.#prune(destinationId)
  }

  /** Former lanes count until all present ones are beyond them. */
  async #prune(destinationId: number): Promise<void> {
    await pruneFormerLanes(this.#deps.db, destinationId, stillFormer)
  }

  async #renew(): Promise<void> {
    if (this.#renewing || this.#isStopped) return
    const lanes = [...this.#lanes.values()]
    if (lanes.length === 0) return
    this.#renewing = this.#renewLanes(lanes).finally(() => {
      this.#renewing = undefined
    })
    await this.#renewing
  }

  async #renewLanes(lanes: readonly Lane[]): Promise<void> {
    const places = lanes.map(({ held, ackedNo }) => ({ ...held, ackedNo }))
    const kept = new Set((await renewLanes(this.#deps.db, places)).map(keyOf))
    for (const lane of lanes) if (!kept.has(keyOf(lane.held))) this.#end(lane)
  }

  /** It is taken again as the database has it, by whichever process. */
  readonly #lose: LaneDeps['lost'] = (lane) => this.#end(lane)

  #forget(lane: Lane): void {
    if (this.#lanes.get(keyOf(lane.held)) === lane) this.#lanes.delete(keyOf(lane.held))
  }

  readonly #count: LaneDeps['sent'] = ({ end, bytes }, { counted }) => {
    this.sent.requests++
    this.sent.bytes += bytes
    if (end.fault === null) this.sent.rows += counted
    else this.sent.failed++
  }

  /** The destination is off or gone, or another process has the lane. */
  #end(lane: Lane): void {
    this.#forget(lane)
    const ending = lane
      .stop({ isNow: true })
      .then(() => releaseLanes(this.#deps.db, [lane.held]))
      .catch((error) => this.#deps.logger.warn({ err: error }, 'destination.laneFailed'))
      .finally(() => this.#leaving.delete(ending))
    this.#leaving.add(ending)
  }
}

const keyOf = ({ destinationId, lane }: { readonly destinationId: number; readonly lane: number }): string =>
  `${destinationId} ${lane}`
