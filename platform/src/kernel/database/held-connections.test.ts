import { createTestDatabase } from '@busbar/testkit'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { afterCommit } from './after-commit.ts'
import { type Database, openDatabase, takeClient, withClient, withTransaction } from './database.ts'
import { logSecondConnections, SecondConnection, withoutHolds } from './held-connections.ts'

const site = useDatabase()
let beside: Database
beforeAll(async () => {
  // A platform has several pools for one database.
  beside = openDatabase(site.connection, { poolMax: 1 })
})
afterAll(async () => {
  await beside.destroy()
})

const ask = async (db: Database) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]?.one

const holders: [string, (work: () => Promise<unknown>) => Promise<unknown>][] = [
  ['a transaction', (work) => withTransaction(site.db, work)],
  ['a transaction of Kysely', (work) => site.db.transaction().execute(work)],
  ['a lent connection', (work) => withClient(site.db, work)],
]
const takers: [string, (db: Database) => Promise<unknown>][] = [
  ['a statement', ask],
  ['another transaction', (db) => withTransaction(db, ask)],
  ['a lent connection', (db) => withClient(db, async () => undefined)],
  ['a taken connection', takeClient],
]

test.each(holders)('within %s no other connection of the database is taken', async (_, hold) => {
  for (const [how, take] of takers) {
    for (const db of [site.db, beside])
      await expect(
        hold(() => take(db)),
        how,
      ).rejects.toThrow(SecondConnection)
  }
})

test('a holder uses its own connection, and takes others before and after', async () => {
  expect(await ask(site.db)).toBe(1)
  const seen = Promise.withResolvers<number | undefined>()
  const own = await withTransaction(site.db, async (trx) => {
    afterCommit(trx, async () => seen.resolve(await ask(site.db)))
    return withTransaction(trx, ask)
  })
  expect([own, await seen.promise, await ask(site.db)]).toEqual([1, 1, 1])
})

test('a connection of another database may be taken', async () => {
  const other = await createTestDatabase()
  onTestFinished(() => other.drop())
  expect(await withTransaction(site.db, () => ask(other.db))).toBe(1)
  await expect(withTransaction(site.db, () => withTransaction(other.db, () => ask(site.db)))).rejects.toThrow(
    SecondConnection,
  )
})

test('work that was begun within a transaction and is not waited for takes its own', async () => {
  const ended = Promise.withResolvers<void>()
  const begun = await withTransaction(site.db, async () => ({
    beside: withoutHolds(() => ask(site.db)),
    later: ended.promise.then(() => ask(site.db)),
  }))
  ended.resolve()
  expect(await Promise.all([begun.beside, begun.later])).toEqual([1, 1])
})

test('a platform that runs reports the place, once a minute, and goes on', async () => {
  const lines: { err: Error; unlogged: number }[] = []
  const report = logSecondConnections({ error: (line: unknown) => lines.push(line as never) })
  const running = openDatabase(site.connection, { poolMax: 2, onSecondConnection: report })
  onTestFinished(() => running.destroy())
  const takeSecond = () => withTransaction(running, () => ask(running))
  expect(await takeSecond()).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]?.err.stack).toContain('held-connections.test.ts')
  await takeSecond()
  expect(lines).toHaveLength(1)
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000)
  onTestFinished(() => now.mockRestore())
  await takeSecond()
  expect(lines.map(({ unlogged }) => unlogged)).toEqual([0, 1])
})
