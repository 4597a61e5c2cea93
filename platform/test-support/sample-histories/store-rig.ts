import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { createLocalBus } from '../../src/kernel/bus/bus.ts'
import { type Database, openDatabase, withClient } from '../../src/kernel/database/database.ts'
import { createDay, dayOf } from '../../src/kernel/database/day-partitions.ts'
import { Facts } from '../../src/kernel/facts/facts.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import { createTelemetry, type Telemetry } from '../../src/modules/telemetry/index.ts'
import { ownerFollower } from '../../src/modules/telemetry/next-owner.ts'
import { oldSamples, RowMover } from '../../src/modules/telemetry/store/row-mover.ts'
import { qualityNumber, type TagType } from '../../src/modules/telemetry/tag-type.ts'
import { runClockJobs } from '../jobs/run-clock-jobs.ts'
import type { ModelSample, ModelTag, ModelValue } from './sample-model.ts'

const poolMax = 3
/** Version 1.5 made no partitions for days further back. */
const partitionedDaysMax = 92

/** Makes a store of samples that answers wrongly, for a proof that it is found out. */
export type PlantFault = (telemetry: Telemetry) => Partial<Telemetry>

/** A store of samples that is stopped, killed and opened again on one database, with a clock that the test sets. */
export class StoreRig {
  clock = Date.UTC(2026, 10, 20, 12)
  readonly #database: TestDatabase
  #pool: Database | undefined
  #telemetry: Telemetry | undefined

  readonly #plant: PlantFault | undefined

  private constructor(database: TestDatabase, plant: PlantFault | undefined) {
    this.#database = database
    this.#plant = plant
  }

  static async open(plant?: PlantFault): Promise<StoreRig> {
    const rig = new StoreRig(await createTestDatabase(), plant)
    await rig.#start()
    return rig
  }

  get telemetry(): Telemetry {
    if (!this.#telemetry) throw new Error('the store is closed')
    return this.#telemetry
  }

  get db(): Database {
    return this.#database.db
  }

  async createMachine(): Promise<number> {
    const code = createHash('sha256').update(String(Math.random())).digest('hex').replace(/\D/g, '')
    const row = await this.db
      .insertInto('machines')
      .values({
        code: code.padStart(19, '1').slice(0, 19),
        type: 'press',
        name: 'Press',
        secret_hash: createHash('sha256').update('secret').digest(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }

  async restart(): Promise<void> {
    await this.telemetry.stop()
    await this.#pool?.destroy()
    await this.#start()
  }

  /**
   * Kills the process: its memory no longer reaches the database. `amid` is its running work, which is cut off after
   * `afterMs`.
   */
  async kill(amid: 'nothing' | 'flush' | 'jobs' | 'move', afterMs: number): Promise<void> {
    const killed = this.telemetry
    const work = amid === 'nothing' ? undefined : this.#begin(amid)
    await Promise.race([work, sleep(afterMs)])
    // Its statements end at once, and its next ones get no connection.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(this.db)
    await this.#pool?.destroy()
    // Ends its timers; its writes fail, because its connections are closed.
    void killed.stop().catch(() => undefined)
    await this.#start()
  }

  /** The machine gets another owner from the next millisecond on. */
  async changeOwner(machineId: number): Promise<void> {
    this.clock++
    const at = this.clock
    await this.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('machines')
        .set({ owned_since: new Date(at) })
        .where('id', '=', machineId)
        .execute()
      const fact = { id: 1, kind: 'machine.ownerChanged', machineId, at, isFirst: false } as const
      await ownerFollower.follow(trx, [{ ...fact, from: null, to: null }], {})
    })
    this.telemetry.disown(machineId)
  }

  /** The work that is done beside the commits. */
  async housekeep(kind: 'flush' | 'jobs' | 'both'): Promise<void> {
    if (kind !== 'jobs') await this.telemetry.flush()
    if (kind !== 'flush') await this.#runJobs()
  }

  /** Moves rows of version 1.5 into chunks: one step, or all of them. */
  async move(isWhole: boolean): Promise<void> {
    const signal = isWhole ? new AbortController().signal : AbortSignal.abort()
    await this.#mover()
      .run({ signal, progress: async () => {} })
      .catch((error: unknown) => {
        if (isWhole) throw error
      })
  }

  /** Everything that is stored becomes rows, as version 1.5 would have left it. */
  async turnBack(tags: readonly ModelTag[]): Promise<void> {
    await this.telemetry.stop()
    await sql`truncate sample_chunks, sample_averages, sample_log, sample_log_positions, samples`.execute(
      this.db,
    )
    await withClient(this.db, async (client) => {
      const times = tags.flatMap((tag) => tag.sorted().map(({ at }) => at))
      for (const day of new Set(times.map(dayOf)))
        if (day > dayOf(this.clock) - partitionedDaysMax) await createDay(client, oldSamples, day)
      for (const tag of tags) await client.query(rowsText, rowsOf(tag))
    })
    await this.#pool?.destroy()
    await this.#start()
  }

  /** The model keeps everything, however old. */
  #runJobs(): Promise<void> {
    return runClockJobs(
      this.telemetry.jobs.filter(({ name }) => name !== 'telemetry.retention'),
      this.clock,
    )
  }

  async #begin(work: 'flush' | 'jobs' | 'move'): Promise<void> {
    await (work === 'move' ? this.move(true) : this.housekeep(work)).catch(() => undefined)
  }

  #mover(): RowMover {
    const db = this.#pool
    if (!db) throw new Error('the store is closed')
    return new RowMover({ db, samplesDb: db, logger: silentLogger, now: () => this.clock })
  }

  async close(): Promise<void> {
    await this.#telemetry?.stop()
    await this.#pool?.destroy()
    await this.#database.drop()
  }

  async #start(): Promise<void> {
    this.#pool = openDatabase(this.#database.connection, { poolMax })
    const options = {
      db: this.#pool,
      bus: createLocalBus(silentLogger),
      logger: silentLogger,
      now: () => this.clock,
    }
    const opened = createTelemetry({ ...options, facts: new Facts(options) })
    await opened.start()
    this.#telemetry = this.#plant ? withFault(opened, this.#plant(opened)) : opened
  }
}

const rowsText = `insert into samples (tag_id, at, received_at, quality, late, num, int, text)
  select $1::bigint, to_timestamp(at / 1000.0), to_timestamp(received / 1000.0), quality, late, num, int, text
  from unnest($2::bigint[], $3::bigint[], $4::smallint[], $5::bool[], $6::float8[], $7::bigint[], $8::text[])
    as stored (at, received, quality, late, num, int, text)`

/** The rows of a tag's samples; where a second sample came at a time it is a later row. */
function rowsOf(tag: ModelTag): unknown[] {
  const second = (sample: ModelSample): ModelSample => ({
    ...sample,
    value: null,
    quality: 'bad',
    receivedAt: sample.receivedAt + 1,
  })
  const samples = tag.sorted().flatMap((one) => (tag.doubled.has(one.at) ? [second(one), one] : [one]))
  const of = (type: TagType, value: ModelValue) => (tag.type === type ? value : null)
  return [
    tag.id,
    samples.map(({ at }) => at),
    samples.map(({ receivedAt }) => receivedAt),
    samples.map(({ quality }) => qualityNumber[quality]),
    samples.map(({ late }) => late),
    samples.map(({ value }) => of('float64', value)),
    samples.map(({ value }) =>
      typeof value === 'bigint' ? String(value) : typeof value === 'boolean' ? Number(value) : null,
    ),
    samples.map(({ value }) => of('string', value)),
  ]
}

function withFault(telemetry: Telemetry, fault: Partial<Telemetry>): Telemetry {
  return new Proxy(telemetry, {
    get(target, name) {
      const found: unknown = Reflect.get(name in fault ? fault : target, name)
      return typeof found === 'function' ? found.bind(name in fault ? fault : target) : found
    },
  })
}
