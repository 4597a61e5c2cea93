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
/** Thousands may go at once when a line fails: they are told in few transactions. */
const machinesPerTransactionMax = 200

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
  machine_id: number
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
      const [next] = this.#waiting
      if (next !== undefined && !this.#stopped) this.#enqueue(next)
    })
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#stopped) {
      const machineIds = [...this.#waiting].slice(0, machinesPerTransactionMax)
      for (const machineId of machineIds) this.#waiting.delete(machineId)
      try {
        await this.#tell(machineIds)
      } catch (error) {
        this.#deps.logger.warn(
          { err: error, machines: machineIds.length },
          'machine states could not be told yet',
        )
        for (const machineId of machineIds) this.#waiting.add(machineId)
        await setTimeout(retryMs)
      }
    }
  }

  async #tell(machineIds: readonly number[]): Promise<void> {
    const { db, hub } = this.#deps
    const at = this.#deps.now()
    const told = await db.transaction().execute(async (trx) => {
      const states = (await listAudience(trx, machineIds)).map((row) => ({
        userId: row.user_id,
        body: encodeMachineState({
          machineId: String(row.machine_id),
          online: this.#deps.isOnline(row.machine_id),
          // An ordinary user sees that it is there, not how it is.
          cloudService: row.holder ? row.cloud_service : true,
          at: String(at),
          openAlarms: row.holder ? row.open : 0,
          worstAlarm: row.holder ? (row.worst ?? '') : '',
        }),
      }))
      const ids = await createUserEvents(trx, Scene.MACHINE_STATE, new Date(at), states)
      return states.map((state, place) => ({ ...state, id: ids[place] ?? 0 }))
    })
    for (const { userId, id, body } of told) hub.sendEvent(userId, id, Scene.MACHINE_STATE, body, at)
  }
}

async function listAudience(db: Kysely<DB>, machineIds: readonly number[]): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    select entry.user_id, entry.machine_id, machines.cloud_service,
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
    where entry.machine_id = any(${[...machineIds]}::bigint[])`.execute(db)
  return rows
}
