import { createHash } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { afterEach, beforeEach } from 'vitest'
import { type BusEvents, createLocalBus } from '../../src/kernel/bus/bus.ts'
import { Facts } from '../../src/kernel/facts/facts.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import {
  createTelemetry,
  type SampleRecord,
  type Telemetry,
  type TelemetryOptions,
} from '../../src/modules/telemetry/index.ts'
import { listLogged } from './logged-samples.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/** The store of samples on a separate database for each test, with a clock that the test sets. */
export class TestStore {
  clock = 0
  events: { [Topic in 'values' | 'tags']: BusEvents[Topic][] } = { values: [], tags: [] }
  #database: TestDatabase | undefined
  #telemetry: Telemetry | undefined
  #lastCode = 0

  get telemetry(): Telemetry {
    if (!this.#telemetry) throw new Error('the store is open within a test only')
    return this.#telemetry
  }

  get db() {
    if (!this.#database) throw new Error('the database is there within a test only')
    return this.#database.db
  }

  get databaseName(): string {
    if (!this.#database) throw new Error('the database is there within a test only')
    return this.#database.connection.database
  }

  async begin(): Promise<void> {
    this.#database = await createTestDatabase()
    this.clock = Date.UTC(2026, 10, 20, 12)
    this.#telemetry = await this.open()
  }

  async end(): Promise<void> {
    await this.#telemetry?.stop()
    await this.#database?.drop()
  }

  async restart(): Promise<void> {
    await this.#telemetry?.stop()
    this.#telemetry = await this.open()
  }

  /** Opens the store once more on the same data, as a process after a crash does, or another node. */
  async open(
    node: Pick<TelemetryOptions, 'nodeId' | 'listLivingNodes' | 'samples'> = {},
  ): Promise<Telemetry> {
    const bus = createLocalBus(silentLogger)
    this.events = { values: [], tags: [] }
    bus.subscribe('values', (event) => this.events.values.push(event))
    bus.subscribe('tags', (event) => this.events.tags.push(event))
    const options = { db: this.db, bus, logger: silentLogger, now: () => this.clock }
    const opened = createTelemetry({ ...options, ...node, facts: new Facts(options) })
    await opened.start()
    return opened
  }

  async createMachine(): Promise<number> {
    this.#lastCode++
    const row = await this.db
      .insertInto('machines')
      .values({
        code: String(this.#lastCode).padStart(19, '0'),
        type: 'press',
        name: 'Press 1',
        secret_hash: createHash('sha256').update('secret').digest(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }

  /** The stored samples of a machine, by tag and time. */
  async rowsOf(machineId: number) {
    const samples = await listLogged(this.db, machineId)
    return samples.sort((a, b) => a.tagId - b.tagId || a.at.getTime() - b.at.getTime())
  }

  async latestOf(machineId: number, tag: string) {
    const tags = await this.telemetry.listTags(machineId, 'en')
    const id = tags.find((one) => one.tag === tag)?.tagId
    return (await this.telemetry.listLatest(machineId)).find((value) => value.tagId === id)
  }
}

/** A store for the tests of a file. */
export function useStore(): TestStore {
  const store = new TestStore()
  beforeEach(() => store.begin())
  afterEach(() => store.end())
  return store
}

/** A live sample, of the type of its value. */
export function sample(
  tag: string,
  value: SampleRecord['value'],
  more: Partial<SampleRecord> = {},
): SampleRecord {
  const type =
    typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'bigint'
        ? 'int64'
        : typeof value === 'string'
          ? 'string'
          : 'float64'
  return { kind: 'sample', group: '', tag, type, value, quality: 192, time: undefined, late: false, ...more }
}
