import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import { clockSkewMsMax } from './judge-sample.ts'
import { type Newest, writeNewest } from './latest-flush.ts'
import { qualityOf } from './tag-type.ts'

/** Live samples may be timed shortly before the last flush although they came after it: clocks may be off. */
const clockSkewMs = 10 * 60_000

/**
 * Writes the newest values of rows that version 1.5 stored and had not flushed when it ended, once. Its one position for
 * all processes is removed then: each log has its own. `samplesDb`: the database of the samples, which may be another one.
 */
export async function finishFormerLatest(db: Database, samplesDb: Database, now: number): Promise<void> {
  const state = await db.selectFrom('telemetry_state').select('latest_flushed_at').executeTakeFirst()
  if (!state) return
  await writeNewest(db, await listNewestRows(samplesDb, state.latest_flushed_at.getTime(), now), '>')
  await db.deleteFrom('telemetry_state').execute()
}

interface NewestRow {
  readonly tagId: number
  readonly at: Date
  readonly receivedAt: Date
  readonly quality: number
  readonly num: number | null
  readonly int: string | null
  readonly text: string | null
  readonly stamp: Date | null
}

async function listNewestRows(samplesDb: Database, receivedFrom: number, now: number): Promise<Newest[]> {
  // The bounds are parameters, so that the planner leaves out the days before.
  const [takenFrom, takenTo] = [new Date(receivedFrom - clockSkewMs), new Date(now + clockSkewMsMax)]
  const { rows } = await sql<NewestRow>`
    select newest.tag_id as "tagId", newest.at, received_at as "receivedAt", quality, num, int::text as int, text, kept.stamp
    from (
      select distinct on (tag_id) tag_id, at, received_at, quality, num, int, text
      from samples
      where received_at >= ${new Date(receivedFrom)} and at >= ${takenFrom} and at <= ${takenTo} and not late
      order by tag_id, at desc, received_at) newest
    left join (
      select tag_id, at, min(stamp) as stamp from sample_stamps
      where at >= ${takenFrom} and at <= ${takenTo} group by tag_id, at
    ) kept on kept.tag_id = newest.tag_id and kept.at = newest.at`.execute(samplesDb)
  return rows.map(({ tagId, at, receivedAt, quality, num, int, text, stamp }) => {
    const value = text ?? (int === null ? num : BigInt(int))
    const [time, received] = [at.getTime(), receivedAt.getTime()]
    const latest = { tagId, value, quality: qualityOf(quality), time, receivedAt: received }
    return { latest, latestStamp: (stamp ?? at).getTime() }
  })
}
