import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import type { LogPosition } from '../telemetry/index.ts'
import type { OpenChanges, StoredOpen } from './open-projects.ts'

/** Another process reads the logs, or this one lost its place. */
export class ReaderReplaced extends Error {
  override name = 'ReaderReplaced'
}

const leaseS = 10
const leased = sql`now() + ${sql.lit(leaseS)} * interval '1 s'`

/** The reader's place, as it is taken. */
export interface TakenPlace {
  readonly turn: number
  /** Whether a reader before this one has positions. */
  readonly isReading: boolean
  /** Losses that machines reported until then are in the streams; null of the first reader. */
  readonly lostUntil: Date | null
}

/** The place of the one process that reads the logs, with its positions. */
export class ReaderStore {
  readonly #db: Database
  readonly #holder: string

  /** `holder` names this process. */
  constructor(samplesDb: Database, holder: string) {
    this.#db = samplesDb
    this.#holder = holder
  }

  /** Takes the place if it is free; undefined where another process has it. */
  async take(): Promise<TakenPlace | undefined> {
    const { rows } = await sql<TakenPlace>`
      update project_stream_reader set holder = ${this.#holder}, leased_until = ${leased}, turn = turn + 1
      where holder is null or holder = ${this.#holder} or leased_until < now()
      returning turn, is_reading as "isReading", lost_until as "lostUntil"`.execute(this.#db)
    return rows[0]
  }

  /** Begins a transaction of the reader: until its commit there is no other one. Answers its next turn. */
  async next(trx: Database, turn: number, lostUntil: Date): Promise<number> {
    const { rows } = await sql<{ turn: number }>`
      update project_stream_reader
      set leased_until = ${leased}, turn = turn + 1, is_reading = true, lost_until = ${lostUntil}
      where holder = ${this.#holder} and turn = ${turn}
      returning turn`.execute(trx)
    const [next] = rows
    if (!next) throw new ReaderReplaced('another process reads the logs of samples')
    return next.turn
  }

  /** Gives the place up, unless another process has it; without `isReading` the log waits for no reader from then on. */
  async leave({ isReading }: { readonly isReading: boolean }): Promise<void> {
    await sql`
      update project_stream_reader
      set holder = null, leased_until = null, turn = turn + 1, is_reading = is_reading and ${isReading}
      where holder = ${this.#holder}
         or is_reading and not ${isReading} and (holder is null or leased_until < now())`.execute(this.#db)
  }

  /** Whether rows of the log wait for a reader, in whichever process. */
  async isReading(): Promise<boolean> {
    const { rows } = await sql<{ is: boolean }>`select is_reading as is from project_stream_reader`.execute(
      this.#db,
    )
    return rows[0]?.is === true
  }

  async listPositions(): Promise<LogPosition[]> {
    const { rows } = await sql<LogPosition>`
      select node_id as "nodeId", incarnation, read_seq as seq, missing from project_stream_logs`.execute(
      this.#db,
    )
    return rows
  }

  /** Replaces the positions in all logs. */
  async savePositions(trx: Database, positions: readonly LogPosition[]): Promise<void> {
    const saved = positions.map(({ nodeId, incarnation, seq, missing }) => ({
      ...{ node_id: nodeId, incarnation, read_seq: seq, missing },
    }))
    await sql`
      with saved as (
        select * from jsonb_to_recordset(${JSON.stringify(saved)}::jsonb)
          as log (node_id text, incarnation text, read_seq bigint, missing bigint[])
      ), ended as (
        delete from project_stream_logs log where not exists (
          select from saved where saved.node_id = log.node_id and saved.incarnation = log.incarnation)
      )
      insert into project_stream_logs as log (node_id, incarnation, read_seq, missing)
      select node_id, incarnation, read_seq, missing from saved
      on conflict (node_id, incarnation) do update set read_seq = excluded.read_seq, missing = excluded.missing
      where (log.read_seq, log.missing) is distinct from (excluded.read_seq, excluded.missing)`.execute(trx)
  }

  async listOpen(): Promise<StoredOpen[]> {
    const { rows } = await sql<Omit<StoredOpen, 'closedUntil'> & { closedUntil: Date }>`
      select project_id as "projectId", every_ms as "everyMs", closed_until as "closedUntil", positions, bytes
      from project_stream_open`.execute(this.#db)
    return rows.map(({ closedUntil, ...row }) => ({ ...row, closedUntil: closedUntil.getTime() }))
  }

  /** Stores open intervals; `positions`: everything up to there is in them. */
  async saveOpen(
    trx: Database,
    { stored, removed }: OpenChanges,
    positions: readonly LogPosition[],
  ): Promise<void> {
    if (removed.length > 0)
      await trx.deleteFrom('project_stream_open').where('project_id', 'in', removed).execute()
    if (stored.length === 0) return
    await sql`
      insert into project_stream_open (project_id, every_ms, closed_until, positions, bytes)
      select project_id, every_ms, to_timestamp(closed_until / 1000.0), ${JSON.stringify(positions)}::jsonb, bytes
      from unnest(${stored.map(({ projectId }) => projectId)}::bigint[],
        ${stored.map(({ everyMs }) => everyMs)}::int[], ${stored.map(({ closedUntil }) => closedUntil)}::bigint[],
        ${stored.map(({ bytes }) => bytes)}::bytea[]) as open (project_id, every_ms, closed_until, bytes)
      on conflict (project_id) do update set every_ms = excluded.every_ms, closed_until = excluded.closed_until,
        positions = excluded.positions, bytes = excluded.bytes`.execute(trx)
  }

  /** Forgets the open intervals of a reader before this one, which nobody needs any more. */
  async removeOpen(): Promise<void> {
    await this.#db.deleteFrom('project_stream_open').execute()
  }
}
