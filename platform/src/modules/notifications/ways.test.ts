import { notifications as contract, messages } from '@busbar/contract'
import {
  createEnterprise,
  createUser,
  failureOf,
  startTestPlatform,
  type TestPlatform,
} from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform({
    ...{ SMTP_URL: 'smtp://127.0.0.1:1', EMAIL_SENDER: 'no-reply@example.test' },
    PUBLIC_URL: 'https://busbar.example',
  })
})
afterAll(() => site.stop())

const hindrances = ({ ways }: contract.AlarmWays) =>
  Object.fromEntries(ways.map(({ way, hindrance }) => [way, hindrance]))

test('the ways that reach a person are those that work now, each other one with its reason', async () => {
  const user = await createUser(site.db, { email: 'ways@example.test' })
  const caller = site.as(user)
  const before = await caller.call(contract.getAlarmWays, {})
  expect(hindrances(before)).toEqual({ message: null, push: null, email: null, sms: 'noService' })
  expect(before).toMatchObject({ terminals: 1, stock: 0 })
  await caller.call(contract.setUserMsgConfig, { userEmailFlag: 0 })
  expect(hindrances(await caller.call(contract.getAlarmWays, {}))).toMatchObject({ email: 'off' })
  const phone = { phone: '13900000077', country_code: '86' }
  await site.db
    .updateTable('users')
    .set({ email: null, ...phone })
    .where('id', '=', user.userId)
    .execute()
  expect(hindrances(await caller.call(contract.getAlarmWays, {}))).toMatchObject({ email: 'noAddress' })
})

test('a test goes by each way that works, to the caller alone, at most five times an hour', async () => {
  const user = await createUser(site.db, { email: 'tested@example.test' })
  const caller = site.as(user)
  const mails = () =>
    site.db
      .selectFrom('outgoing')
      .select(['kind', 'subject'])
      .where('recipient', '=', 'tested@example.test')
      .execute()
  const tested = await caller.call(contract.testAlarmWays, {})
  expect(hindrances(tested)).toEqual({ message: null, push: null, email: null, sms: 'noService' })
  expect(await mails()).toHaveLength(1)
  expect((await caller.call(messages.getTotalUnread, {})).byScene.inbox).toBe(1)
  await caller.call(contract.setUserMsgConfig, { userEmailFlag: 0 })
  await caller.call(contract.testAlarmWays, {})
  expect(await mails()).toHaveLength(1)
  for (const _ of [3, 4, 5]) await caller.call(contract.testAlarmWays, {})
  expect((await failureOf(caller, contract.testAlarmWays, {})).http).toBe(429)
})

test('the ways of an enterprise’s devices are for its members', async () => {
  const { eid, owner } = await createEnterprise(site.db)
  const stranger = await createUser(site.db)
  await sql`insert into sms_stocks (enterprise_id, stock, created_at) values (${eid}, 5, now())`.execute(
    site.db,
  )
  expect(await site.as(owner).call(contract.getAlarmWays, { eid })).toMatchObject({ stock: 5 })
  expect((await failureOf(site.as(stranger), contract.getAlarmWays, { eid })).code).toBe('403')
})
