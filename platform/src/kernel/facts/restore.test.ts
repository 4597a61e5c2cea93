import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { startTestPostgres } from '@busbar/testkit/test-postgres.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { collect, openFacts } from '../../../test-support/facts/open-facts.ts'
import { backup, restore } from '../database/backup.ts'
import type { Database } from '../database/database.ts'

const deadline = { timeout: 15_000, interval: 10 }
const epochOf = async (db: Database) => {
  const row = await db.selectFrom('fact_epoch').select('epoch').executeTakeFirstOrThrow()
  return row.epoch
}

/** A database in which a follower has handled 1 and 2 and is to handle 3 and 4. */
async function createHalfDone(db: Database) {
  const before = collect('test.restored')
  const first = await openFacts(db, [before.follower])
  await first.record(1)
  await first.record(2)
  await expect.poll(() => before.handled, deadline).toEqual([1, 2])
  await first.stop()
  const meanwhile = await openFacts(db, [])
  await meanwhile.record(3)
  await meanwhile.record(4)
  await meanwhile.stop()
}

test('a restore into a new cluster loses no fact and repeats none, though transactions are numbered anew', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-facts-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'facts.backup')
  const source = await createTestDatabase()
  try {
    // The numbers of its transactions are far ahead of those of a new cluster.
    for (let spent = 0; spent < 20; spent++)
      await sql`do $$ begin for i in 1..100 loop perform pg_current_xact_id(); commit; end loop; end $$`.execute(
        source.db,
      )
    await createHalfDone(source.db)
    await backup(source.db, file)
  } finally {
    await source.drop()
  }
  const stopServer = await startTestPostgres()
  try {
    const target = await createTestDatabase()
    await restore(file, target.db)
    expect(await epochOf(target.db)).toBe(2)
    const after = collect('test.restored')
    const process = await openFacts(target.db, [after.follower])
    await process.record(5)
    await process.record(6)
    await expect.poll(() => after.handled, deadline).toEqual([3, 4, 5, 6])
    await process.stop()
    await target.drop()
  } finally {
    await stopServer()
  }
})

test('a database that another tool brought to another cluster begins a new epoch at the start', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  await createHalfDone(db)
  await sql`update fact_epoch set system_identifier = '1'`.execute(db)
  // As if recorded there: its transaction is ahead of all that run here.
  await sql`update facts set xid = (xid::text::numeric + 1000000)::text::xid8`.execute(db)
  await sql`update fact_followers set xid = (xid::text::numeric + 1000000)::text::xid8`.execute(db)
  const after = collect('test.restored')
  const process = await openFacts(db, [after.follower])
  await process.record(5)
  await expect.poll(() => after.handled, deadline).toEqual([3, 4, 5])
  expect(await epochOf(db)).toBe(2)
  await process.stop()
})
