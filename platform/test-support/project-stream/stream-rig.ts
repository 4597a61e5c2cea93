import { sql } from 'kysely'
import { createLocalBus } from '../../src/kernel/bus/bus.ts'
import type { Database } from '../../src/kernel/database/database.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import type { StreamRow } from '../../src/modules/project-stream/index.ts'
import { ReaderStore } from '../../src/modules/project-stream/reader-store.ts'
import { StreamReader } from '../../src/modules/project-stream/stream-reader.ts'
import { ProjectStreams } from '../../src/modules/project-stream/stream-store.ts'
import type { ProjectPlan } from '../../src/modules/projects/index.ts'

const wholeStream = { maxRows: 1_000_000, maxBytes: Number.MAX_SAFE_INTEGER }

/** A value of a machine, as its row tells it. */
export interface ToldValue {
  readonly machineCode: string
  readonly key: string
  readonly time: number
  readonly value: unknown
}

/** The streams of projects whose plans a test sets, and readers that take one step after the other. */
export class StreamRig {
  plans: ProjectPlan[] = []
  /** A reader waits for it before it takes the values that it has read. */
  catchUp: () => Promise<void> = async () => {}
  readonly streams: ProjectStreams
  readonly #db: Database
  readonly #samplesDb: Database
  readonly #now: () => number
  readonly #readers: StreamReader[] = []

  constructor(options: { db: Database; samplesDb?: Database; now: () => number }) {
    const { db, samplesDb = db, now } = options
    this.#db = db
    this.#samplesDb = samplesDb
    this.#now = now
    this.streams = new ProjectStreams({ samplesDb, bus: createLocalBus(silentLogger), now })
  }

  /** A reader of another process; the place of the one before it is free, as after its lease. */
  async open(): Promise<StreamReader> {
    await sql`update project_stream_reader set leased_until = now() - interval '1 s'`.execute(this.#samplesDb)
    const reader = new StreamReader({
      db: this.#db,
      samplesDb: this.#samplesDb,
      streams: this.streams,
      links: { listPlans: () => this.plans, subscribe: () => () => {}, catchUp: () => this.catchUp() },
      store: new ReaderStore(this.#samplesDb, `process ${this.#readers.length}`),
      logger: silentLogger,
      now: this.#now,
    })
    this.#readers.push(reader)
    return reader
  }

  setPlans(...plans: ProjectPlan[]): void {
    this.plans = plans
    for (const reader of this.#readers) reader.replan()
  }

  rowsOf(projectId: number): Promise<StreamRow[]> {
    return this.streams.read(projectId, 0, wholeStream)
  }

  async valuesOf(projectId: number): Promise<ToldValue[]> {
    return (await this.rowsOf(projectId)).flatMap(valuesOfRow)
  }
}

/** Takes steps until a reader has nothing more to do at once. */
export async function readAll(reader: StreamReader): Promise<void> {
  while ((await reader.step()) === 0);
}

/** A row without its id, as a receiver reads it. */
export const parseRow = ({ text }: StreamRow) => JSON.parse(`{${text}`)

function valuesOfRow(row: StreamRow): ToldValue[] {
  const { machineCode, time, values = {} } = parseRow(row)
  return Object.entries(values).map(([key, value]) => ({ machineCode, key, time, value }))
}

/** A plan of one project with whole machines. */
export function planOf(
  projectId: number,
  machines: readonly { readonly machineId: number; readonly machineCode: string }[],
  more: Partial<ProjectPlan> = {},
): ProjectPlan {
  return {
    projectId,
    everyS: 0,
    variables: null,
    links: machines.map((machine) => ({
      ...machine,
      linkId: projectId * 1_000 + machine.machineId,
      machineName: `Press ${machine.machineId}`,
      linkedAt: new Date(0),
    })),
    ...more,
  }
}
