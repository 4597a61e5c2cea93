import { createTestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { sample, useStore } from '../../../test-support/telemetry/test-store.ts'
import type { Telemetry, UplinkRecord } from './index.ts'

const store = useStore()

const tagsOfEach = 12

/** The records of each birth of a machine. */
function birthOf(machineId: number): UplinkRecord[] {
  const meta = { label: { en: 'Flow' }, scale: 1, min: 0.5, max: null, readOnly: true, isKey: false }
  const attributes = { model: 'P-100', firmware: '1.2.3', place: { hall: machineId } }
  const tags = Array.from({ length: tagsOfEach }, (_, place): UplinkRecord[] => {
    const [tag, time] = [`t${place}`, store.clock]
    const definition = {
      kind: 'tagDefinition',
      group: 'g',
      tag,
      type: 'float64',
      unit: 'm³',
      ...meta,
    } as const
    return [definition, sample(tag, Math.random(), { group: 'g', time })]
  })
  return [{ kind: 'attributes', attributes }, ...tags.flat()]
}

async function giveBirths(telemetry: Telemetry, machineIds: readonly number[]): Promise<void> {
  store.clock += 1_000
  await Promise.all(machineIds.map((id) => telemetry.append(id, birthOf(id))))
}

/** The statements of births, but for those of newest values, which go by the second. */
async function statementsOf(giveThem: () => Promise<void>): Promise<string[]> {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  await giveThem()
  const texts = asked.mock.calls.map(([query]: unknown[]) =>
    typeof query === 'string' ? query : String((query as { text?: string }).text),
  )
  asked.mockRestore()
  // A connection that is opened has its limits set.
  const others = /insert into tag_latest|set latest_seq|transaction_timeout/
  return texts.filter((text) => !others.test(text)).map((text) => text.trim().slice(0, 80))
}

/** Changes with every write of a row. */
async function versionsOfRows(): Promise<unknown> {
  const { rows } = await sql`
    select 'machine' as kind, id, xmin::text from machines union all select 'tag', id, xmin::text from tags
    order by 1, 2`.execute(store.db)
  return rows
}

it('machines that come back to another node write nothing but their values, in as many statements however many they are', async () => {
  const statements: string[][] = []
  for (const machines of [3, 40]) {
    const ids: number[] = []
    for (let place = 0; place < machines; place++) ids.push(await store.createMachine())
    await giveBirths(store.telemetry, ids)
    const taker = await store.open({ nodeId: `taker of ${machines}` })
    const before = await versionsOfRows()
    statements.push(await statementsOf(() => giveBirths(taker, ids)))
    expect(await versionsOfRows()).toEqual(before)
    // Memory has them by now: a row of the log, and a comparison of attributes.
    const again = await statementsOf(() => giveBirths(taker, ids))
    expect(again).toHaveLength(2)
    await taker.stop()
    // Its log would be read by the next one.
    await sql`delete from sample_log_positions where node_id like 'taker%'`.execute(store.db)
  }
  expect(statements[1]).toHaveLength(statements[0]?.length ?? 0)
})

it('machines that are new take as many statements, however many they are', async () => {
  const counts: number[] = []
  // The first births open connections.
  for (const machines of [3, 3, 40]) {
    const ids: number[] = []
    for (let place = 0; place < machines; place++) ids.push(await store.createMachine())
    counts.push((await statementsOf(() => giveBirths(store.telemetry, ids))).length)
  }
  expect(counts[2]).toBe(counts[1])
})

/** Holds what a statement locks, on a connection of its own; answers how that ends. */
async function hold(statement: string): Promise<() => Promise<void>> {
  const { connection, drop } = await createTestDatabase({ empty: true })
  const client = new pg.Client({ ...connection, database: store.databaseName })
  await client.connect()
  await client.query(`begin; ${statement}`)
  return async () => {
    await client.end()
    await drop()
  }
}

it('values wait for no attributes, and a message with both is acknowledged when both are stored', async () => {
  const [one, other] = [await store.createMachine(), await store.createMachine()]
  await Promise.all([one, other].map((id) => store.telemetry.append(id, [sample('n', 0)])))
  const release = await hold('lock table machines in share row exclusive mode')
  let isAcknowledged = false
  const birth = store.telemetry
    .append(one, [{ kind: 'attributes', attributes: { model: 'P-100' } }, sample('n', 1)])
    .then(() => {
      isAcknowledged = true
    })
  await Promise.all([one, other].map((id) => store.telemetry.append(id, [sample('n', 2)])))
  expect((await store.latestOf(one, 'n'))?.value).toBe(2)
  expect(isAcknowledged).toBe(false)
  await release()
  await birth
  const { attributes } = await store.db
    .selectFrom('machines')
    .select('attributes')
    .where('id', '=', one)
    .executeTakeFirstOrThrow()
  expect(attributes).toEqual({ model: 'P-100' })
})

it('a machine whose row another transaction holds delays the attributes of no other, and is answered when it is free', async () => {
  const [locked, other] = [await store.createMachine(), await store.createMachine()]
  const tell = (id: number, ip: string) =>
    store.telemetry.append(id, [{ kind: 'attributes', attributes: { ip } }])
  const release = await hold(`select from machines where id = ${locked} for update`)
  const waiting = tell(locked, '10.0.0.1')
  waiting.catch(() => {})
  await tell(other, '10.0.0.2')
  await release()
  // It may have been given back: then its sender tells it again.
  await waiting.catch(() => tell(locked, '10.0.0.1'))
  const rows = await store.db.selectFrom('machines').select('attributes').orderBy('id').execute()
  expect(rows.map(({ attributes }) => attributes)).toEqual([{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }])
})

it('attributes of one commit are merged in the order in which they came', async () => {
  const machineId = await store.createMachine()
  await Promise.all(
    ['1', '2', '3'].map((ip) =>
      store.telemetry.append(machineId, [{ kind: 'attributes', attributes: { ip, [ip]: true } }]),
    ),
  )
  const { attributes } = await store.db.selectFrom('machines').select('attributes').executeTakeFirstOrThrow()
  expect(attributes).toEqual({ ip: '3', 1: true, 2: true, 3: true })
})

it('a list or an object of a machine that became shorter kept its former contents', async () => {
  const machineId = await store.createMachine()
  const tell = (attributes: Record<string, object>) =>
    store.telemetry.append(machineId, [{ kind: 'attributes', attributes }])
  await tell({ options: ['heater', 'pump'], place: { hall: 1, line: 2 } })
  for (const told of [{ options: ['pump'] }, { options: [] }, { place: { line: 2 } }]) {
    await tell(told)
    const row = await store.db.selectFrom('machines').select('attributes').executeTakeFirstOrThrow()
    expect(row.attributes).toMatchObject(told)
    expect(Object.keys(Object(row.attributes).place)).toHaveLength('place' in told ? 1 : 2)
  }
})

it('an attribute that is nested too deeply is refused by its name, and the others are stored', async () => {
  const machineId = await store.createMachine()
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
  const attributes = { model: 'P-100', fine: nested(8) as object, deep: nested(50_000) as object }
  expect(await store.telemetry.append(machineId, [{ kind: 'attributes', attributes }])).toEqual(['deep'])
  const stored = await store.db
    .selectFrom('machines')
    .select('attributes')
    .where('id', '=', machineId)
    .executeTakeFirstOrThrow()
  expect(stored.attributes).toEqual({ model: 'P-100', fine: nested(8) })
})
