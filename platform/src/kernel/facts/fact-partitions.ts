import type { ClientBase } from 'pg'
import { type Database, withClient } from '../database/database.ts'

const dayMs = 86_400_000
/** Facts are kept this long. */
export const factsKeptDays = 30
const daysAhead = 2
/**
 * Shorter than a commit of machines' data waits for a lock (pools.ts): to drop a day locks out who records, while it
 * waits for who still reads that day, as a backup does for hours.
 */
const lockWaitMsMax = 150
const lockNotAvailable = '55P03'

const nameOf = (day: number) =>
  `facts_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`

/**
 * Makes the daily partitions of `facts` for today and the days that come and drops those over the retention. A day that
 * has facts in `facts_rest` already keeps them there.
 */
export async function keepFactPartitions(db: Database, now: number): Promise<void> {
  const today = Math.floor(now / dayMs)
  await withClient(db, async (client) => {
    const there = await listPartitions(client)
    for (let day = today; day <= today + daysAhead; day++)
      if (!there.includes(nameOf(day))) await create(client, day)
    const oldest = nameOf(today - factsKeptDays)
    for (const name of there.filter((each) => each !== 'facts_rest' && each < oldest))
      await locked(client, async () => {
        await client.query(`drop table if exists ${name}`)
      })
    const before = new Date((today - factsKeptDays) * dayMs)
    await client.query('delete from facts_rest where recorded_at < $1', [before])
  })
}

async function listPartitions(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
     where inhparent = 'facts'::regclass`,
  )
  return rows.map(({ name }) => name)
}

async function create(client: ClientBase, day: number): Promise<void> {
  const name = nameOf(day)
  const [from, to] = [day, day + 1].map((each) => new Date(each * dayMs).toISOString())
  await locked(client, async () => {
    const { rows } = await client.query<{ there: boolean; taken: boolean }>(
      `select to_regclass($1) is not null as there,
              exists (select from facts_rest where recorded_at >= $2 and recorded_at < $3) as taken`,
      [name, from, to],
    )
    if (rows[0]?.there || rows[0]?.taken) return
    // Attached, not created as a partition: that would lock out every writer and reader of the other days.
    await client.query(`create table ${name} (like facts including defaults)`)
    await client.query(`alter table facts attach partition ${name} for values from ('${from}') to ('${to}')`)
  })
}

/** In a transaction of its own, one process after the other; what somebody holds is left for the next hour. */
async function locked(client: ClientBase, work: () => Promise<void>): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${lockWaitMsMax}`)
    await client.query(`select pg_advisory_xact_lock(hashtext('facts partitions'))`)
    await work()
    await client.query('commit')
  } catch (error) {
    const { code = '' } = error as { code?: string }
    // 23514: a fact of that day was recorded into facts_rest between the look and the attaching, and stays there.
    if (code !== '23514' && code !== lockNotAvailable) throw error
    await client.query('rollback')
  }
}
