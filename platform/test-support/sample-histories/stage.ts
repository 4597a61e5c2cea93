import { createHash } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { createLocalBus } from '../../src/kernel/bus/bus.ts'
import { type Database, openDatabase } from '../../src/kernel/database/database.ts'
import { Facts } from '../../src/kernel/facts/facts.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import { createTelemetry, type Telemetry } from '../../src/modules/telemetry/index.ts'
import { ownerFollower } from '../../src/modules/telemetry/next-owner.ts'
import { runClockJobs } from '../jobs/run-clock-jobs.ts'

const poolMax = 3

/** Makes a store of samples that answers wrongly, for a proof that it is found out. */
export type PlantFault = (telemetry: Telemetry) => Partial<Telemetry>

/** A store of samples that is stopped, killed and opened again on one database, with a clock that the test sets. */
export class Stage {
  clock = Date.UTC(2026, 10, 20, 12)
  readonly #database: TestDatabase
  #pool: Database | undefined
  #telemetry: Telemetry | undefined

  readonly #plant: PlantFault | undefined

  private constructor(database: TestDatabase, plant: PlantFault | undefined) {
    this.#database = database
    this.#plant = plant
  }

  static async open(plant?: PlantFault): Promise<Stage> {
    const stage = new Stage(await createTestDatabase(), plant)
    // The first start writes down the database's time, which is not the test's.
    await stage.db
      .insertInto('telemetry_state')
      .values({ latest_flushed_at: new Date(stage.clock) })
      .execute()
    await stage.#start()
    return stage
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

  /** The process is gone: nothing of its memory reaches the database any more. */
  async kill(): Promise<void> {
    const killed = this.telemetry
    await this.#pool?.destroy()
    // Ends its timers; what it tries to write fails, because its connections are closed.
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
  async housekeep(): Promise<void> {
    await runClockJobs(this.telemetry.jobs, this.clock)
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

function withFault(telemetry: Telemetry, fault: Partial<Telemetry>): Telemetry {
  return new Proxy(telemetry, {
    get(target, name) {
      const found: unknown = Reflect.get(name in fault ? fault : target, name)
      return typeof found === 'function' ? found.bind(name in fault ? fault : target) : found
    },
  })
}
