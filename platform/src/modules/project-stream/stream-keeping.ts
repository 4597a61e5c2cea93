import { type RawBuilder, sql } from 'kysely'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { cutIntoChunks, decodeChunk, encodeChunk } from './stream-chunk.ts'

const keptMs = 72 * 3_600_000
const projectBytesMaxUsual = 1_000_000_000

/** Pieces that are removed in one statement. */
const chunksPerDrop = 2_000
/** A piece of fewer rows is joined with its neighbours; as many rows as a piece may have are written at once. */
const rowsOfSmall = 250
const rowsOfJoined = 1_000
/** Pieces are joined a while after the destinations that are up to date have read them. */
const joinAfterMs = 60_000
/** Where the last run is unknown, or long ago. */
const joinSpanMsMax = 3_600_000

interface KeepingOptions {
  readonly db: Database
  readonly samplesDb: Database
  /** For all projects together. */
  readonly bytesMax: number
  /** For each project. */
  readonly projectBytesMax?: number
}

/** A run of the keeping, and the one before it. */
interface Run {
  readonly now: number
  readonly previous: number | undefined
  readonly signal: AbortSignal
}

/** Keeps streams within their sizes and their time, and joins the small pieces that a slow project's rows come in. */
export class StreamKeeping {
  readonly #db: Database
  readonly #samplesDb: Database
  readonly #bytesMax: number
  readonly #projectBytesMax: number

  constructor({ db, samplesDb, bytesMax, projectBytesMax = projectBytesMaxUsual }: KeepingOptions) {
    this.#projectBytesMax = projectBytesMax
    this.#db = db
    this.#samplesDb = samplesDb
    this.#bytesMax = bytesMax
  }

  async run({ now, previous = 0, signal }: Run): Promise<void> {
    await this.#removeForgotten()
    await this.#join(Math.max(previous, now - joinSpanMsMax) - joinAfterMs, now - joinAfterMs, signal)
    await this.#dropOld(new Date(now - keptMs), signal)
    await this.#dropLarge(signal)
    await this.#dropAbove(signal)
  }

  /** Bytes of all streams. */
  async bytes(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(bytes), 0)::bigint as bytes from project_streams`.execute(this.#samplesDb)
    return rows[0]?.bytes ?? 0
  }

  /** Removes the streams of projects that are deleted: these may be in the other database. */
  async #removeForgotten(): Promise<void> {
    const streams = await this.#samplesDb.selectFrom('project_streams').select('project_id').execute()
    if (streams.length === 0) return
    const ids = streams.map(({ project_id }) => project_id)
    const known = await this.#db.selectFrom('projects').select('id').where('id', 'in', ids).execute()
    const deleted = new Set(ids).difference(new Set(known.map(({ id }) => id)))
    if (deleted.size === 0) return
    await this.#samplesDb
      .deleteFrom('project_streams')
      .where('project_id', 'in', [...deleted])
      .execute()
  }

  async #dropOld(before: Date, signal: AbortSignal): Promise<void> {
    const old = sql`select project_id, from_no from project_stream
      where at < ${before} order by at limit ${sql.lit(chunksPerDrop)}`
    while (!signal.aborted && (await this.#drop(old)) > 0);
  }

  /** The oldest pieces of projects whose streams are too large. */
  async #dropLarge(signal: AbortSignal): Promise<void> {
    const large = await this.#samplesDb
      .selectFrom('project_streams')
      .select('project_id')
      .where('bytes', '>', this.#projectBytesMax)
      .execute()
    for (const { project_id: id } of large) {
      if (signal.aborted) return
      await this.#drop(sql`
        select project_id, from_no from (
          select project_id, from_no, sum(length(bytes)) over (order by from_no desc) as newer
          from project_stream where project_id = ${id}
        ) chunk where newer > ${this.#projectBytesMax}`)
    }
  }

  /** The oldest pieces of all projects while there is too much. */
  async #dropAbove(signal: AbortSignal): Promise<void> {
    const oldest = sql`select project_id, from_no from project_stream order by at limit ${sql.lit(chunksPerDrop)}`
    while (!signal.aborted && (await this.bytes()) > this.#bytesMax && (await this.#drop(oldest)) > 0);
  }

  /** Removes pieces; the numbers of their rows are not kept any more. Answers how many there were. */
  async #drop(chunks: RawBuilder<unknown>): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      with old as (${chunks}), gone as (
        delete from project_stream using old
        where project_stream.project_id = old.project_id and project_stream.from_no = old.from_no
        returning project_stream.project_id, to_no, length(bytes) as size
      ), ends as (
        select project_id, max(to_no) as last_no, sum(size) as size from gone group by project_id order by project_id
      ), moved as (
        update project_streams set first_no = greatest(first_no, last_no + 1), bytes = bytes - size
        from ends where project_streams.project_id = ends.project_id
      )
      select count(*)::int as count from gone`.execute(this.#samplesDb)
    return rows[0]?.count ?? 0
  }

  /** Joins neighbours among the small pieces of a stretch of time: names that repeat cost little then. */
  async #join(from: number, to: number, signal: AbortSignal): Promise<void> {
    const { rows } = await sql<{ projectId: number; fromNo: number; toNo: number }>`
      select project_id as "projectId", from_no as "fromNo", to_no as "toNo" from project_stream
      where at >= ${new Date(from)} and at < ${new Date(to)} and to_no - from_no < ${rowsOfSmall - 1}
      order by project_id, from_no`.execute(this.#samplesDb)
    let group: typeof rows = []
    for (const chunk of [...rows, undefined]) {
      const [first] = group
      const last = group.at(-1)
      const goesOn =
        chunk?.projectId === last?.projectId &&
        chunk?.fromNo === (last?.toNo ?? 0) + 1 &&
        (chunk?.toNo ?? 0) - (first?.fromNo ?? 0) < rowsOfJoined
      if (goesOn && chunk) {
        group.push(chunk)
        continue
      }
      if (signal.aborted) return
      if (first && last && group.length > 1) await this.#joinOne(first.projectId, first.fromNo, last.toNo)
      group = chunk ? [chunk] : []
    }
  }

  /** Replaces the pieces of a stretch, without those that a reader has forgotten meanwhile. */
  async #joinOne(projectId: number, fromNo: number, toNo: number): Promise<void> {
    await withTransaction(this.#samplesDb, async (trx) => {
      const { rows: taken } = await sql<{ fromNo: number; toNo: number; at: Date; bytes: Buffer }>`
        delete from project_stream
        where project_id = ${projectId} and from_no >= ${fromNo} and from_no <= ${toNo}
        returning from_no as "fromNo", to_no as "toNo", at, bytes`.execute(trx)
      const chunks = taken.toSorted((a, b) => a.fromNo - b.fromNo)
      const at = chunks.at(-1)?.at
      if (!at) return
      let size = -chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
      for (const piece of cutIntoChunks(chunks.flatMap((chunk) => decodeChunk(chunk.bytes, chunk.fromNo)))) {
        const bytes = encodeChunk(piece)
        size += bytes.length
        const [first, last] = [piece[0], piece.at(-1)]
        if (!first || !last) continue
        await trx
          .insertInto('project_stream')
          .values({ project_id: projectId, from_no: first.no, to_no: last.no, at, bytes })
          .execute()
      }
      await sql`update project_streams set bytes = bytes + ${size} where project_id = ${projectId}`.execute(
        trx,
      )
    })
  }
}
