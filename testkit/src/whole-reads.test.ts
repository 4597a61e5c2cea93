import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { describeFaults, findWholeReads } from './whole-reads.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const from = 'platform/src/modules/example/example-store.ts:7'
const faultsOf = (text: string, ...values: string[]) =>
  findWholeReads(database.connection, [{ text, values, from }])
const tablesOf = async (text: string, ...values: string[]) =>
  (await faultsOf(text, ...values)).whole.flatMap(({ tables }) => tables)

test('a statement that has no index for a growing table is found, whatever it is wrapped in', async () => {
  const unindexed = 'select id from machine_connections where protocol = $1'
  expect(await tablesOf(unindexed, 'mqtt')).toEqual(['machine_connections'])
  expect(await tablesOf(`delete from messages where exists (${unindexed})`, 'mqtt')).toContain(
    'machine_connections',
  )
  expect(await tablesOf(`with old as (${unindexed}) select * from old; select 1`, 'mqtt')).toEqual([
    'machine_connections',
  ])
  // In the order of an index, and thrown away row by row.
  expect(await tablesOf(`${unindexed} order by id limit 1`, 'mqtt')).toEqual(['machine_connections'])
})

test('a statement with an index, a bound, or a small table is left alone', async () => {
  const machine = 'select id from machine_connections where machine_id = $1'
  expect(await tablesOf(machine, '1')).toEqual([])
  expect(await tablesOf('select id from machine_connections where ended_at is null')).toEqual([])
  expect(await tablesOf('select id from machine_connections order by id limit 1')).toEqual([])
  expect(await tablesOf('select * from brands')).toEqual([])
  expect(await tablesOf("begin; set local lock_timeout = 1; select '1;2'; commit")).toEqual([])
})

test('a statement about many things at once is judged as one about few', async () => {
  const many = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => id))
    .replace('[', '{')
    .replace(']', '}')
  const update = (column: string) =>
    `update tags set unit = '' from unnest($1::bigint[]) as said (id) where tags.${column} = said.id`
  for (const values of ['{1}', many]) {
    expect(await tablesOf(update('id'), values)).toEqual([])
    expect(await tablesOf(update('version'), values)).toEqual(['tags'])
  }
})

test('the hourly removal of old connections reads by its index, and without it the run fails', async () => {
  const removal = 'delete from machine_connections where ended_at < now()'
  expect(describeFaults(await faultsOf(removal))).toEqual([])
  await sql`drop index machine_connections_ended`.execute(database.db)
  expect(describeFaults(await faultsOf(removal))).toEqual([
    expect.stringContaining(`${from} reads all of machine_connections: add an index`),
  ])
})

test('a statement that the database does not know is told', async () => {
  const { unknown } = await faultsOf('select nothing from machines')
  expect(describeFaults({ whole: [], unknown })).toEqual([expect.stringContaining('cannot be explained')])
})
