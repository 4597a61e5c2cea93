import { createMachine } from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from './database.ts'
import { bindDatabases } from './database-roles.ts'

let main: TestDatabase
let samples: TestDatabase
let stranger: TestDatabase

beforeEach(async () => {
  main = await createTestDatabase()
  samples = await createTestDatabase()
  stranger = await createTestDatabase()
  // The databases of tests are copies of one.
  for (const { db } of [main, samples, stranger])
    await sql`update database_role set installation = gen_random_uuid()`.execute(db)
})

afterEach(async () => {
  for (const database of [main, samples, stranger]) await database.drop()
})

/** A sample of no tag. */
const addSample = ({ db }: TestDatabase) =>
  sql`insert into samples (tag_id, at, received_at, quality, late) values (1, now(), now(), 192, false)`.execute(
    db,
  )

it('one database works alone', async () => {
  await bindDatabases(main.db)
  await addSample(main)
  await bindDatabases(main.db)
})

it('two databases are bound to each other by the first start, and start again', async () => {
  await bindDatabases(main.db, samples.db)
  await addSample(samples)
  await bindDatabases(main.db, samples.db)
})

it('a start without the second database is refused once the samples are there', async () => {
  await bindDatabases(main.db, samples.db)
  await expect(bindDatabases(main.db)).rejects.toThrow('set TELEMETRY_URL to it')
})

it('a start with another second database, empty or of others, is refused', async () => {
  await bindDatabases(main.db, samples.db)
  await expect(bindDatabases(main.db, stranger.db)).rejects.toThrow('are in another database')
  await expect(bindDatabases(stranger.db, samples.db)).rejects.toThrow('of another installation')
})

it('a second database is refused that is in use as a first one', async () => {
  await createMachine(stranger.db)
  await expect(bindDatabases(main.db, stranger.db)).rejects.toThrow('another installation uses')
  await bindDatabases(main.db, samples.db)
  await expect(bindDatabases(stranger.db, main.db)).rejects.toThrow('names the main database')
})

it('the two databases changed for each other are refused', async () => {
  await bindDatabases(main.db, samples.db)
  await expect(bindDatabases(samples.db, main.db)).rejects.toThrow('belongs into TELEMETRY_URL')
})

it('a second database is refused while the first one has the samples, but for a copy of it', async () => {
  await addSample(main)
  await expect(bindDatabases(main.db, samples.db)).rejects.toThrow('copy the whole database there')
  const { installation } = await main.db
    .selectFrom('database_role')
    .select('installation')
    .executeTakeFirstOrThrow()
  await sql`update database_role set installation = ${installation}`.execute(samples.db)
  await addSample(samples)
  await bindDatabases(main.db, samples.db)
  await bindDatabases(main.db, samples.db)
})

it('one database under both names is refused', async () => {
  const same = openDatabase(main.connection, { poolMax: 1 })
  try {
    await expect(bindDatabases(main.db, same)).rejects.toThrow('names the same database')
  } finally {
    await same.destroy()
  }
})
