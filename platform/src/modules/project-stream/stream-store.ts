import { sql } from 'kysely'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { Database } from '../../kernel/database/database.ts'
import { Slices } from '../../kernel/slices.ts'
import { KnownChunks } from './known-chunks.ts'
import { cutIntoChunks, decodeChunk, encodeChunk } from './stream-chunk.ts'
import { type NewRow, type NumberedRow, rowId, type StreamRow } from './stream-row.ts'

/** The rows that a stream keeps: from `firstNo` on, below `nextNo`. */
export interface StreamHead {
  readonly firstNo: number
  readonly nextNo: number
  /** Another one means that rows of the same numbers are others. */
  readonly epoch: string
}

/** How much of a stream is read at once; the first row comes however long it is. */
export interface ReadLimits {
  readonly maxRows: number
  readonly maxBytes: number
}

/** The end of a stream that is looked through for the last rows of its links. */
const newestRows = { maxRows: 10_000, maxBytes: 16_000_000 }

/** Chunks that one query of a reader gets. */
const chunksPerRead = 16
/** Those that were read last; each query names them. */
const knownMax = { chunks: 64, characters: 16 * 1024 * 1024 } as const

/** A piece of the rows that are to be added to a stream: those from one place among them to another. */
interface NewChunk {
  readonly projectId: number
  readonly from: number
  readonly to: number
  readonly bytes: Buffer
}

/** Makes the pieces of the rows of each project. */
export async function encodeRows(rowsOf: ReadonlyMap<number, readonly NewRow[]>): Promise<NewChunk[]> {
  const slices = new Slices()
  const chunks: NewChunk[] = []
  for (const [projectId, rows] of rowsOf) {
    let from = 0
    for (const piece of cutIntoChunks(rows)) {
      const to = from + piece.length
      chunks.push({ projectId, from, to, bytes: encodeChunk(piece) })
      from = to
      await slices.next()
    }
  }
  return chunks
}

/** Adds pieces to streams, in one statement; answers the next number of each. */
export async function appendChunks(
  db: Database,
  chunks: readonly NewChunk[],
  at: number,
): Promise<{ readonly projectId: number; readonly nextNo: number }[]> {
  if (chunks.length === 0) return []
  const { rows } = await sql<{ projectId: number; nextNo: number }>`
    with given as (
      select * from unnest(${chunks.map(({ projectId }) => projectId)}::bigint[],
        ${chunks.map(({ from }) => from)}::int[], ${chunks.map(({ to }) => to)}::int[],
        ${chunks.map(({ bytes }) => bytes)}::bytea[]) as chunk (project_id, from_place, to_place, bytes)
    ), moved as (
      insert into project_streams (project_id, next_no, bytes)
      select project_id, 1 + max(to_place), sum(length(bytes)) from given group by project_id order by project_id
      on conflict (project_id) do update
        set next_no = project_streams.next_no + excluded.next_no - 1, bytes = project_streams.bytes + excluded.bytes
      returning project_id, next_no
    ), ends as (
      select moved.project_id, next_no - max(to_place) as begin_no, next_no
      from moved join given using (project_id) group by moved.project_id, next_no
    ), written as (
      insert into project_stream (project_id, from_no, to_no, at, bytes)
      select project_id, begin_no + from_place, begin_no + to_place - 1, ${new Date(at)}::timestamptz, bytes
      from given join ends using (project_id)
    )
    select project_id as "projectId", next_no as "nextNo" from moved`.execute(db)
  return rows
}

/** The streams of projects: numbered rows in the order of their arrival, kept until they are read or too old. */
export class ProjectStreams {
  readonly #db: Database
  readonly #bus: Bus
  readonly #now: () => number
  readonly #known = new KnownChunks(knownMax)

  constructor(options: { samplesDb: Database; bus: Bus; now: () => number }) {
    this.#db = options.samplesDb
    this.#bus = options.bus
    this.#now = options.now
  }

  /** The ends of streams; a project without rows until now is left out. */
  async heads(projectIds: readonly number[]): Promise<Map<number, StreamHead>> {
    const { rows } = await sql<StreamHead & { projectId: number }>`
      select project_id as "projectId", first_no as "firstNo", next_no as "nextNo", epoch from project_streams
      where project_id = any(${projectIds}::bigint[])`.execute(this.#db)
    return new Map(rows.map(({ projectId, ...head }) => [projectId, head]))
  }

  /** When the first row after each of these places was appended; undefined where the stream has none. */
  async listAges(
    places: readonly { readonly projectId: number; readonly afterNo: number }[],
  ): Promise<(Date | undefined)[]> {
    const { rows } = await sql<{ at: Date | null }>`
      select chunk.at from unnest(${places.map(({ projectId }) => projectId)}::bigint[],
        ${places.map(({ afterNo }) => afterNo)}::bigint[]) with ordinality as place (project_id, after_no, n)
      left join lateral (
        select at from project_stream chunk
        where chunk.project_id = place.project_id and chunk.to_no > place.after_no and chunk.from_no >= coalesce((
          select max(from_no) from project_stream
          where project_id = place.project_id and from_no <= place.after_no + 1), 0)
        order by chunk.from_no limit 1) chunk on true
      order by place.n`.execute(this.#db)
    return rows.map(({ at }) => at ?? undefined)
  }

  /** The rows after a number, in their order. */
  async read(projectId: number, afterNo: number, { maxRows, maxBytes }: ReadLimits): Promise<StreamRow[]> {
    const found: StreamRow[] = []
    let length = 0
    for (let after = afterNo; ; ) {
      const chunks = await this.#listChunks(projectId, after, maxRows - found.length)
      for (const { rows, epoch } of chunks)
        for (const row of rows) {
          if (row.no <= afterNo) continue
          length += row.text.length
          if (found.length >= maxRows || (found.length > 0 && length > maxBytes)) return found
          found.push({ ...row, id: rowId(projectId, epoch, row.no) })
        }
      const last = found.at(-1)
      if (!last || chunks.length < chunksPerRead) return found
      after = last.no
    }
  }

  /** When each link's last row was told, as far as it is among the newest rows of the stream. */
  async listLastRows(projectId: number): Promise<Map<number, number>> {
    const head = (await this.heads([projectId])).get(projectId)
    const rows = head ? await this.read(projectId, head.nextNo - 1 - newestRows.maxRows, newestRows) : []
    return new Map(
      rows.flatMap(({ kind, linkId, time }) => (kind === 'row' && linkId !== null ? [[linkId, time]] : [])),
    )
  }

  /** The rows of the pieces that have the next `rowsMax` rows, as far as one query gets them. */
  async #listChunks(
    projectId: number,
    afterNo: number,
    rowsMax: number,
  ): Promise<{ readonly rows: readonly NumberedRow[]; readonly epoch: string }[]> {
    const known = this.#known.list(projectId, afterNo)
    const { rows: chunks } = await sql<{
      fromNo: number
      toNo: number
      at: Date
      epoch: string
      bytes: Buffer | null
    }>`
      select from_no as "fromNo", to_no as "toNo", at,
        (select epoch from project_streams where project_id = ${projectId}) as epoch, case when exists (
          select from unnest(${known.map(({ fromNo }) => fromNo)}::bigint[],
            ${known.map(({ toNo }) => toNo)}::bigint[], ${known.map(({ at }) => at)}::timestamptz[])
            as known (from_no, to_no, at)
          where (known.from_no, known.to_no, known.at) = (next.from_no, next.to_no, next.at)) then null
        else bytes end as bytes
      from (
        select from_no, to_no, at, bytes, min(from_no) over () as first_no from project_stream
        where project_id = ${projectId} and from_no >= coalesce((
          select max(from_no) from project_stream where project_id = ${projectId} and from_no <= ${afterNo + 1}), 0)
          and to_no > ${afterNo}
        order by from_no limit ${sql.lit(chunksPerRead)}) next
      where from_no < greatest(first_no, ${afterNo + 1}) + ${rowsMax}
      order by from_no`.execute(this.#db)
    const rowsOf = new Map(known.map(({ fromNo, rows }) => [fromNo, rows]))
    return chunks.map(({ bytes, epoch, ...name }) => {
      const rows = bytes === null ? (rowsOf.get(name.fromNo) ?? []) : decodeChunk(bytes, name.fromNo)
      this.#known.keep({ projectId, ...name, rows })
      return { rows, epoch }
    })
  }

  /** Adds rows that no machine told: events and gaps. */
  async append(projectId: number, rows: readonly NewRow[]): Promise<void> {
    await this.#append(new Map([[projectId, rows]]))
  }

  /** Wakes the readers of streams that have new rows. */
  tell(moved: readonly { readonly projectId: number; readonly nextNo: number }[]): void {
    for (const each of moved) this.#bus.publish('projectRows', each)
  }

  /** Adds a row to the stream of each project. */
  async appendToAll(row: NewRow): Promise<void> {
    const streams = await this.#db.selectFrom('project_streams').select('project_id').execute()
    await this.#append(new Map(streams.map(({ project_id }) => [project_id, [row]])))
  }

  async #append(rowsOf: ReadonlyMap<number, readonly NewRow[]>): Promise<void> {
    this.tell(await appendChunks(this.#db, await encodeRows(rowsOf), this.#now()))
  }
}
