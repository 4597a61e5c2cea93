import { notifications as contract, operator } from '@busbar/contract'
import { createMachine, createUser, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTransaction } from '../../kernel/database/database.ts'
import { writeAlarms } from '../alarms/index.ts'
import { readStock } from '../sms-stock/index.ts'

const windowMs = 10 * 60_000

let site: TestPlatform
let ahead = 0
const now = () => Date.now() + ahead
beforeAll(async () => {
  site = await startTestPlatform({}, { now })
})
afterAll(() => site.stop())

async function raise(machineId: number, key: string): Promise<void> {
  const at = now()
  const event = {
    ...{
      machineId,
      key,
      level: 'major' as const,
      text: { en: 'Too hot', cn: '过热' },
      state: 'raised' as const,
    },
    ...{ isRepeat: false, late: false, at, receivedAt: at, standing: undefined },
  }
  await withTransaction(site.db, (trx) => {
    const query = async (text: string, values: unknown[]) =>
      trx.executeQuery({ sql: text, parameters: values } as never)
    return writeAlarms({ query } as never, [event], site.platform.facts)
  })
  site.platform.facts.wake()
}

test('a message that no service sends is kept, says so everywhere and costs nothing', async () => {
  const owner = await createUser(site.db, { phone: '13900000001' })
  const { machineId } = await createMachine(site.db, { owner: owner.userId })
  await sql`insert into sms_stocks (user_id, stock, created_at) values (${owner.userId}, 10, now())`.execute(
    site.db,
  )
  const caller = site.as(owner)
  const records = async () => [
    ...(await caller.call(contract.listSmsRecords, {})).list,
    ...(await caller.call(contract.listEmailRecords, {})).list,
  ]
  const states = async () => (await records()).map(({ state }) => state).sort()
  await raise(machineId, 'first')
  await expect.poll(states).toEqual(['kept', 'kept'])
  expect((await records()).every(({ settledAt }) => settledAt !== null)).toBe(true)

  // Two more wait for the digest, which is kept as one message.
  await raise(machineId, 'second')
  await raise(machineId, 'third')
  await expect.poll(states).toEqual(['kept', 'kept', 'waiting', 'waiting', 'waiting', 'waiting'])
  ahead += windowMs
  await expect.poll(states, { timeout: 10_000 }).toEqual(['kept', 'kept', 'kept', 'kept'])
  expect((await records()).map(({ digestCount }) => digestCount).sort()).toEqual([1, 1, 2, 2])
  expect(await readStock(site.db, { userId: owner.userId })).toBe(10)

  const kept = { state: 'kept' as const }
  expect((await caller.call(contract.listSmsRecords, kept)).total).toBe(2)
  expect((await caller.call(contract.listEmailRecords, { state: 'queued' })).total).toBe(0)
  const { rows } = await sql<{ id: number }>`select id from alarms where machine_id = ${machineId}`.execute(
    site.db,
  )
  for (const { id: alarmId } of rows) {
    const { list } = await caller.call(contract.listTold, { alarmId })
    const written = list.filter(({ channel }) => channel === 'sms' || channel === 'email')
    expect(written.map(({ state }) => state)).toEqual(['kept', 'kept'])
  }
  const boss = await createUser(site.db)
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
  const { list } = await site.as(boss).call(operator.listOutgoing, { userId: owner.userId })
  expect(new Set(list.map(({ state }) => state))).toEqual(new Set(['kept']))
})
