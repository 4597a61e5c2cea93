import { sql } from 'kysely'
import type { Database } from '../../src/kernel/database/database.ts'
import { decodeChunk } from '../../src/modules/telemetry/store/chunk.ts'
import { decodeLogRow, type SampleSink, type SampleValue } from '../../src/modules/telemetry/store/log-row.ts'
import type { TagType } from '../../src/modules/telemetry/tag-type.ts'

/** A sample of the log, with its tag; its value also as columns of tables hold it. */
export interface LoggedSample {
  readonly tagId: number
  readonly machineId: number
  readonly code: string
  readonly group: string
  readonly name: string
  readonly version: number
  readonly type: TagType
  readonly at: Date
  readonly receivedAt: Date
  readonly quality: number
  readonly late: boolean
  readonly value: SampleValue
  readonly num: number | null
  readonly int: string | null
  readonly text: string | null
  readonly stamp: number
  /** The place of its row in the order of the commits. */
  readonly commit: number
}

/** The samples of all commits of the last hours, in the order of the commits; of one machine, or of all. */
export async function listLogged(db: Database, machineId?: number): Promise<LoggedSample[]> {
  const { rows: tags } = await sql<
    Pick<LoggedSample, 'machineId' | 'code' | 'group' | 'name' | 'version'> & { id: number }
  >`
    select tags.id, machine_id as "machineId", code, group_name as "group", tags.name, version
    from tags join machines on machines.id = machine_id
    where ${machineId === undefined ? sql`true` : sql`machine_id = ${machineId}`}`.execute(db)
  const tagById = new Map(tags.map(({ id, ...tag }) => [id, tag]))
  const { rows } = await sql<{ bytes: Buffer }>`
    select log.bytes from sample_log log join sample_log_positions position using (node_id, incarnation)
    order by opened_at, incarnation, log.seq`.execute(db)
  const samples: LoggedSample[] = []
  for (const [commit, { bytes }] of rows.entries()) {
    const sink: SampleSink = {
      add(tagId, type, at, receivedAt, quality, late, value, stamp) {
        const tag = tagById.get(tagId)
        if (!tag) return
        const isInteger = typeof value === 'bigint' || typeof value === 'boolean'
        samples.push({
          ...tag,
          tagId,
          type,
          at: new Date(at),
          receivedAt: new Date(receivedAt),
          quality,
          late,
          value,
          num: typeof value === 'number' ? value : null,
          int: isInteger ? BigInt(value).toString() : null,
          text: typeof value === 'string' ? value : null,
          stamp,
          commit,
        })
      },
    }
    decodeLogRow(bytes, sink)
  }
  return samples
}

/** Number of samples committed in the last hours. */
export async function countLogged(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(samples), 0)::int as count from sample_log`.execute(db)
  return rows[0]?.count ?? 0
}

/** Fails every commit beyond this number of samples, as a full disk does; answers a function that ends it. */
export async function fillDisk(db: Database, samples: number): Promise<() => Promise<void>> {
  await sql
    .raw(`
    create function full_disk() returns trigger language plpgsql as $$
    begin
      if (select sum(samples) from sample_log) > ${samples} then
        raise exception 'full' using errcode = '53100';
      end if;
      return null;
    end $$;
    create trigger full_disk after insert on sample_log for each row execute function full_disk()`)
    .execute(db)
  return async () => {
    await sql.raw('drop trigger full_disk on sample_log; drop function full_disk()').execute(db)
  }
}

/** A sample that readers see after a start: it is in a chunk, or in a row of the log that is in no chunk. */
export interface KeptSample {
  readonly tagId: number
  readonly at: number
  readonly value: SampleValue
}

/** Every sample that is kept, as often as it is. */
export async function listKept(db: Database): Promise<KeptSample[]> {
  const kept: KeptSample[] = []
  const { rows, chunks } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const { rows } = await sql<{ bytes: Buffer }>`
        select log.bytes from sample_log log join sample_log_positions position using (node_id, incarnation)
        where log.seq > position.seq`.execute(trx)
      const { rows: chunks } = await sql<{ tagId: number; bytes: Buffer }>`
        select tag_id as "tagId", bytes from sample_chunks`.execute(trx)
      return { rows, chunks }
    })
  for (const { bytes } of rows)
    decodeLogRow(bytes, {
      add: (tagId, _type, at, _receivedAt, _quality, _late, value) => kept.push({ tagId, at, value }),
    })
  for (const { tagId, bytes } of chunks) {
    const { times, filled, column } = decodeChunk(bytes)
    let next = 0
    for (let place = 0; place < times.length; place++) {
      const value = filled[place] === 1 ? (column.values[next++] as number | bigint | string) : null
      kept.push({ tagId, at: times[place] as number, value })
    }
  }
  return kept
}
