import { setTimeout } from 'node:timers/promises'
import { Scene } from '@busbar/contract/push'
import { type Kysely, sql } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { DB } from '../database/schema.gen.ts'
import type { Logger } from '../logger.ts'
import { encodeMachineState } from './frames.ts'
import type { RealtimeHub } from './hub.ts'
import { createUserEvents } from './user-events.ts'

const retryMs = 500

export interface MachineStatesDeps {
  readonly db: Kysely<DB>
  readonly bus: Bus
  readonly logger: Logger
  readonly hub: RealtimeHub
  isOnline(machineId: number): boolean
  now(): number
}

interface StateRow {
  user_id: number
  holder: boolean
  cloud_service: boolean
  open: number
  worst: string | null
}

/**
 * Tells everybody who has a machine in the list when it comes, goes, or its open alarms change. Changes of one
 * machine that come while the last one is written are told once, as they are then.
 */
export class MachineStates {
  readonly #deps: MachineStatesDeps
  readonly #waiting = new Set<number>()
  readonly #subscriptions: (() => void)[] = []
  #writing: Promise<void> | undefined
  #stopped = false

  constructor(deps: MachineStatesDeps) {
    this.#deps = deps
  }

  start(): void {
    const enqueue = ({ machineId }: { machineId: number }) => this.#enqueue(machineId)
    this.#subscriptions.push(
      this.#deps.bus.subscribe('presence', enqueue),
      this.#deps.bus.subscribe('alarms', enqueue),
    )
  }

  /** Ends the subscription and waits for what is being written. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    this.#waiting.clear()
    await this.#writing
  }

  #enqueue(machineId: number): void {
    this.#waiting.add(machineId)
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined
    })
  }

  async #drain(): Promise<void> {
    for (const machineId of this.#waiting) {
      this.#waiting.delete(machineId)
      try {
        await this.#tell(machineId)
      } catch (error) {
        this.#deps.logger.warn({ err: error, machineId }, 'a machine state could not be told yet')
        if (this.#stopped) return
        this.#waiting.add(machineId)
        await setTimeout(retryMs)
      }
    }
  }

  async #tell(machineId: number): Promise<void> {
    const { db, hub } = this.#deps
    const at = this.#deps.now()
    const online = this.#deps.isOnline(machineId)
    const told = await db.transaction().execute(async (trx) => {
      const rows = await listAudience(trx, machineId)
      const bodies = rows.map((row) => ({
        userId: row.user_id,
        body: encodeMachineState({
          machineId: String(machineId),
          online,
          cloudService: row.cloud_service,
          at: String(at),
          // An ordinary user sees that it is there, not how it is.
          openAlarms: row.holder ? row.open : 0,
          worstAlarm: row.holder ? (row.worst ?? '') : '',
        }),
      }))
      const events = await createUserEvents(trx, Scene.MACHINE_STATE, new Date(at), bodies)
      const bodyOf = new Map(bodies.map((entry) => [entry.userId, entry.body]))
      return events.map((event) => ({ ...event, body: bodyOf.get(event.userId) ?? new Uint8Array(0) }))
    })
    for (const event of told) hub.sendEvent(event.userId, event.id, Scene.MACHINE_STATE, event.body, at)
  }
}

async function listAudience(db: Kysely<DB>, machineId: number): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    select entry.user_id, machines.cloud_service,
           (machines.owner_user_id = entry.user_id
             or machine_grants.role = 'bkey'
             or (machine_grants.role = 'visitor' and coalesce(machine_grants.until > now(), true))) is true as holder,
           alarm.open, alarm.worst
    from machine_list_entries entry
    join machines on machines.id = entry.machine_id
    left join machine_grants using (machine_id, user_id)
    cross join lateral (
      select count(*)::int as open,
             (array_agg(level order by array_position(array['critical', 'major', 'minor', 'info'], level)))[1] as worst
      from alarms where alarms.machine_id = entry.machine_id and cleared_at is null
    ) alarm
    where entry.machine_id = ${machineId}`.execute(db)
  return rows
}
