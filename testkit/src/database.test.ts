import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from './database.ts'
import { startTestPostgres, testPostgres } from './test-postgres.ts'

describe('a test database', () => {
  it('is migrated, empty and separate', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
    try {
      await one.db.insertInto('enterprises').values({ name: 'Yangtze Pumps' }).execute()
      expect(await one.db.selectFrom('enterprises').select('name').execute()).toEqual([
        { name: 'Yangtze Pumps' },
      ])
      expect(await two.db.selectFrom('enterprises').select('name').execute()).toEqual([])
    } finally {
      await Promise.all([one.drop(), two.drop()])
    }
  })

  it('is a clone: the migrations run once for all of them', async () => {
    const databases = [await createTestDatabase(), await createTestDatabase()]
    try {
      const instants = databases.map(({ db }) => db.selectFrom('migrations').select('applied_at').execute())
      const [one, two] = await Promise.all(instants)
      expect(one?.length).toBeGreaterThan(0)
      expect(two).toEqual(one)
    } finally {
      for (const database of databases) await database.drop()
    }
  })

  it('is cloned on the server that runs now, where a test file before had another one', async () => {
    const ofTheRun = testPostgres()
    await (await createTestDatabase()).drop()
    const stop = await startTestPostgres()
    try {
      expect(testPostgres()).not.toEqual(ofTheRun)
      await (await createTestDatabase()).drop()
    } finally {
      await stop()
    }
    expect(testPostgres()).toEqual(ofTheRun)
  })

  it('is dropped even while a client is connected', async () => {
    const database = await createTestDatabase()
    const other = await createTestDatabase({ empty: true })
    await sql`select 1`.execute(other.db)
    await database.drop()
    const { rows } = await sql<{ datname: string }>`
      select datname from pg_database where datname = ${database.connection.database}`.execute(other.db)
    expect(rows).toEqual([])
    await other.drop()
  })
})
