import { type Database, withClient } from '../database/database.ts'
import {
  createDay,
  type DayPartitioned,
  dayMs,
  dayOf,
  dropDay,
  isLockTimeout,
  listDays,
} from '../database/day-partitions.ts'

/** Facts are kept this long (rules/operations.md: facts). */
export const factsKeptDays = 30
const daysAhead = 2

const facts: DayPartitioned = {
  table: 'facts',
  column: 'recorded_at',
  /**
   * Shorter than a commit of machines' data waits for a lock (pools.ts): dropping a day locks out recording while it
   * waits for readers of that day, and a backup reads for hours.
   */
  lockWaitMsMax: 150,
}

/** Makes the daily partitions of `facts` for today and the days that come and drops those over the retention. */
export async function keepFactPartitions(db: Database, now: number): Promise<void> {
  const today = dayOf(now)
  await withClient(db, async (client) => {
    const there = await listDays(client, facts)
    for (let day = today; day <= today + daysAhead; day++)
      if (!there.includes(day)) await orNextHour(() => createDay(client, facts, day))
    const oldest = today - factsKeptDays
    for (const day of there.filter((each) => each < oldest))
      await orNextHour(() => dropDay(client, facts, day))
    await client.query('delete from facts_rest where recorded_at < $1', [new Date(oldest * dayMs)])
  })
}

async function orNextHour(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!isLockTimeout(error)) throw error
  }
}
