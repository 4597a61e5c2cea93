import { smsStock as contract, enterprises, smsSegments } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { countLockWaits } from '@busbar/testkit/database.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { withTransaction } from '../../kernel/database/database.ts'
import { findTemplate } from '../outgoing/deliveries-store.ts'
import { readStock, reserveStock, settleReservations } from './index.ts'

const site = useSite()
let operator: TestUser
beforeAll(async () => {
  operator = await site.createUser()
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', operator.userId).execute()
})

const codeOf = async (...call: Parameters<typeof failureOf>) => (await failureOf(...call)).code
const recharge = (owner: { eid: number } | { userId: number }, count: number) =>
  site.as(operator).call(contract.changeStock, { ...owner, type: 'recharge', count })

/** Stocks that differ from the sum of their records, or from their last record. */
async function listWrong() {
  const { rows } = await sql<{ id: number }>`
    select id from sms_stocks where stock <> (select coalesce(sum(change), 0) from sms_stock_records where stock_id = sms_stocks.id)
      or stock <> coalesce((select remaining from sms_stock_records where stock_id = sms_stocks.id order by id desc limit 1), 0)`.execute(
    site.db,
  )
  return rows
}

let notifications = 1_000
const nextNotification = () => ++notifications

const reserve = (payer: Parameters<typeof reserveStock>[1][number]['payer'], segments: number) => {
  const notificationId = nextNotification()
  return withTransaction(site.db, async (trx) => {
    const unpaid = await reserveStock(trx, [{ notificationId, payer, segments }], new Date())
    return unpaid.size === 0 ? notificationId : undefined
  })
}
const settle = (ids: readonly number[], outcome: 'take' | 'giveBack') =>
  withTransaction(site.db, (trx) => settleReservations(trx, ids, outcome, new Date()))

test('a text costs one segment up to 70 units, then one for every 67 begun', () => {
  const prices = [1, 70, 71, 134, 135, 201, 202].map((units) => smsSegments('字'.repeat(units)))
  expect(prices).toEqual([1, 1, 2, 2, 3, 3, 4])
  // An emoji takes two units, as it does on the way.
  expect(smsSegments('🔥'.repeat(36))).toBe(2)
})

describe('an operator', () => {
  test('recharges and refunds, and never below zero', async () => {
    const person = await site.createUser()
    const { userId } = person
    expect(await recharge({ userId }, 100)).toEqual({ remaining: 100 })
    const refund = { userId, type: 'refund', count: 30, note: '退款' } as const
    expect(await site.as(operator).call(contract.changeStock, refund)).toEqual({ remaining: 70 })
    expect(await codeOf(site.as(operator), contract.changeStock, { ...refund, count: 71 })).toBe(
      'SMS_STOCK_SHORT',
    )
    expect(await codeOf(site.as(operator), contract.changeStock, { ...refund, userId: 987_654_321 })).toBe(
      '404',
    )
    const { list, total } = await site.as(person).call(contract.listSales, {})
    expect(total).toBe(2)
    expect(list).toMatchObject([
      { type: 'refund', count: 30, remaining: 70, note: '退款' },
      { type: 'recharge', count: 100, remaining: 100 },
    ])
    const stocks = await site.as(operator).call(contract.listStocks, { search: person.email })
    expect(stocks.list).toMatchObject([{ owner: 'user', id: userId, account: person.email, remaining: 70 }])
    expect(await listWrong()).toEqual([])
  })

  test('finds a person and an enterprise without a balance, who are recharged for the first time', async () => {
    const name = 'Never Recharged Works'
    const { eid } = await site.createEnterprise(name)
    const person = await site.createUser()
    const find = async (search: string) =>
      (await site.as(operator).call(contract.listStocks, { search })).list.map(
        ({ owner, id, remaining, rechargedAt }) => ({ owner, id, remaining, rechargedAt }),
      )
    const none = { remaining: 0, rechargedAt: null }
    expect(await find(name)).toEqual([{ owner: 'enterprise', id: eid, ...none }])
    expect(await find(person.email)).toEqual([{ owner: 'user', id: person.userId, ...none }])
    await recharge({ eid }, 100)
    expect(await find(name)).toMatchObject([{ owner: 'enterprise', id: eid, remaining: 100 }])
    const whole = await site.as(operator).call(contract.listStocks, {})
    expect(whole.list.some(({ id, owner }) => owner === 'user' && id === person.userId)).toBe(false)
  })

  test('names either a person or an enterprise', async () => {
    const both = { eid: 1, userId: 1, type: 'recharge', count: 1 } as const
    expect(await codeOf(site.as(operator), contract.changeStock, both)).toBe('400')
    expect(await codeOf(site.as(operator), contract.changeStock, { type: 'recharge', count: 1 })).toBe('400')
  })
})

describe('an enterprise', () => {
  test('allocates to its members and takes back, and each act is in the record', async () => {
    const { eid, owner } = await site.createEnterprise()
    const member = await site.createMember(eid, 'member', ['view'])
    const other = await site.createMember(eid, 'member', ['view'])
    await recharge({ eid }, 100)
    const transfer = (userId: number, count: number, direction: 'give' | 'takeBack') =>
      site.as(owner).call(contract.transferStock, { eid, userId, count, direction })
    expect(await transfer(member.userId, 60, 'give')).toEqual({ stock: 40, userStock: 60 })
    expect(await transfer(member.userId, 10, 'takeBack')).toEqual({ stock: 50, userStock: 50 })
    const tooMuch = { eid, userId: member.userId, count: 51, direction: 'give' } as const
    expect(await codeOf(site.as(owner), contract.transferStock, tooMuch)).toBe('SMS_STOCK_SHORT')
    const stranger = await site.createUser()
    const toStranger = { ...tooMuch, userId: stranger.userId, count: 1 }
    expect(await codeOf(site.as(owner), contract.transferStock, toStranger)).toBe('404')

    const own = await site.as(member).call(contract.getMemberStock, { eid, userId: member.userId })
    expect(own).toMatchObject({ stock: 50, allocated: 50, used: 0, expireAt: null })
    expect(await codeOf(site.as(other), contract.getMemberStock, { eid, userId: member.userId })).toBe('403')
    const record = await site.as(owner).call(contract.listAllocations, { eid })
    expect(record.list).toMatchObject([
      { operate: 'takeBack', userId: member.userId, count: 10, remaining: 50 },
      { operate: 'give', userId: member.userId, count: 60, remaining: 60 },
    ])
    expect((await site.as(other).call(contract.listAllocations, { eid })).total).toBe(0)
    expect(await listWrong()).toEqual([])
  })

  test('gets back the remaining segments of a member who left', async () => {
    const { eid, owner } = await site.createEnterprise()
    const member = await site.createMember(eid, 'member', ['view'])
    await recharge({ eid }, 20)
    const gift = { eid, userId: member.userId, count: 15, direction: 'give' } as const
    await site.as(owner).call(contract.transferStock, gift)
    await site.as(owner).call(enterprises.removeMember, { eid, userId: member.userId })
    expect(await readStock(site.db, { enterpriseId: eid })).toBe(20)
    expect(await readStock(site.db, { enterpriseId: eid, userId: member.userId })).toBe(0)
    expect(await listWrong()).toEqual([])
  })

  test('gets back the segments of a refused message after the member who paid has left', async () => {
    const { eid, owner } = await site.createEnterprise()
    const member = await site.createMember(eid, 'member', ['view'])
    await recharge({ eid }, 20)
    const gift = { eid, userId: member.userId, count: 15, direction: 'give' } as const
    await site.as(owner).call(contract.transferStock, gift)
    const reserved = await reserve({ enterpriseId: eid, memberId: member.userId }, 4)
    await site.as(owner).call(enterprises.removeMember, { eid, userId: member.userId })
    expect(await readStock(site.db, { enterpriseId: eid })).toBe(16)
    await settle([reserved ?? 0], 'giveBack')
    expect(await readStock(site.db, { enterpriseId: eid, userId: member.userId })).toBe(0)
    expect(await readStock(site.db, { enterpriseId: eid })).toBe(20)
    expect(await listWrong()).toEqual([])
  })

  test('allocates nothing to a member who leaves at the same moment', async () => {
    const { eid, owner } = await site.createEnterprise()
    const member = await site.createMember(eid, 'member', ['view'])
    await recharge({ eid }, 20)
    const gift = { eid, userId: member.userId, count: 5, direction: 'give' } as const
    await site.as(owner).call(contract.transferStock, gift)
    let given: Promise<string> | undefined
    await withTransaction(site.db, async (leaving) => {
      await leaving.deleteFrom('enterprise_members').where('user_id', '=', member.userId).execute()
      given = codeOf(site.as(owner), contract.transferStock, gift)
      await expect.poll(() => countLockWaits(site.db), { interval: 5 }).toBe(1)
      // The locks under which a member who leaves gives back.
      await sql`select from sms_stocks where enterprise_id = ${eid} order by id for update`.execute(leaving)
    })
    expect(await given).toBe('404')
    expect(await readStock(site.db, { enterpriseId: eid })).toBe(15)
  })

  test('gets back the first allocation to a member who leaves at the same moment', async () => {
    const { eid, owner } = await site.createEnterprise()
    const member = await site.createMember(eid, 'member', ['view'])
    await recharge({ eid }, 20)
    const { userId } = member
    const calls: Promise<unknown>[] = []
    await withTransaction(site.db, async (paying) => {
      await sql`select from sms_stocks where enterprise_id = ${eid} for update`.execute(paying)
      const gift = { eid, userId, count: 5, direction: 'give' } as const
      calls.push(site.as(owner).call(contract.transferStock, gift))
      await expect.poll(() => countLockWaits(site.db), { interval: 5 }).toBe(1)
      calls.push(site.as(member).call(enterprises.removeMember, { eid, userId }))
      await expect.poll(() => countLockWaits(site.db), { interval: 5 }).toBe(2)
    })
    await Promise.all(calls)
    expect(await readStock(site.db, { enterpriseId: eid, userId })).toBe(0)
    expect(await readStock(site.db, { enterpriseId: eid })).toBe(20)
    expect(await listWrong()).toEqual([])
  })
})

describe('a message', () => {
  test('to a member is paid by their allocation while that covers it, then by the enterprise', async () => {
    const { eid, owner } = await site.createEnterprise()
    const member = await site.createMember(eid, 'member', ['view'])
    await recharge({ eid }, 10)
    const gift = { eid, userId: member.userId, count: 3, direction: 'give' } as const
    await site.as(owner).call(contract.transferStock, gift)
    const payer = { enterpriseId: eid, memberId: member.userId }
    expect(await reserve(payer, 2)).toBeDefined()
    expect(await readStock(site.db, { enterpriseId: eid, userId: member.userId })).toBe(1)
    expect(await reserve(payer, 2)).toBeDefined()
    expect(await readStock(site.db, { enterpriseId: eid })).toBe(5)
    expect(await reserve(payer, 6)).toBeUndefined()
  })

  test('about an enterprise’s device is never paid by a person', async () => {
    const { eid, owner } = await site.createEnterprise()
    await recharge({ userId: owner.userId }, 10)
    expect(await reserve({ enterpriseId: eid, memberId: owner.userId }, 1)).toBeUndefined()
    expect(await readStock(site.db, { userId: owner.userId })).toBe(10)
  })

  test('is used or given back once, however often its outcome is reported', async () => {
    const { userId } = await site.createUser()
    await recharge({ userId }, 10)
    const [sent = 0, refused = 0] = [await reserve({ userId }, 4), await reserve({ userId }, 5)]
    await settle([sent, refused], 'take').catch(() => undefined)
    await settle([refused], 'giveBack')
    await settle([sent], 'giveBack')
    // Both were used; later reports change nothing.
    expect(await readStock(site.db, { userId })).toBe(1)
    const other = await reserve({ userId }, 1)
    await settle([other ?? 0], 'giveBack')
    await settle([other ?? 0], 'take')
    expect(await readStock(site.db, { userId })).toBe(1)
    expect(await listWrong()).toEqual([])
  })

  test('many at once never take a stock below zero, and every stock is the sum of its records', async () => {
    const { eid, owner } = await site.createEnterprise()
    const members = [await site.createMember(eid), await site.createMember(eid)]
    const [first, second] = members.map(({ userId }) => userId)
    await recharge({ eid }, 40)
    const acts = Array.from({ length: 120 }, (_, place) => async () => {
      const memberId = (place % 2 === 0 ? first : second) ?? 0
      if (place % 5 === 0) {
        const direction = place % 3 === 0 ? 'takeBack' : 'give'
        const input = { eid, userId: memberId, count: 1 + (place % 4), direction } as const
        await site
          .as(owner)
          .call(contract.transferStock, input)
          .catch(() => undefined)
        return
      }
      const id = await reserve({ enterpriseId: eid, memberId }, 1 + (place % 3))
      if (id !== undefined && place % 4 !== 0) await settle([id], place % 3 === 0 ? 'giveBack' : 'take')
    })
    await Promise.all(acts.map((act) => act()))
    expect(await listWrong()).toEqual([])
    const { rows } = await sql<{ recharged: number; held: number; open: number; taken: number }>`
      select sum(change) filter (where kind = 'recharge')::int as recharged,
             (select sum(stock)::int from sms_stocks where enterprise_id = ${eid}) as held,
             sum(segments) filter (where kind = 'reserve' and not exists (
               select from sms_stock_records settled where settled.notification_id = record.notification_id
                 and settled.kind <> 'reserve'))::int as open,
             sum(segments) filter (where kind = 'take')::int as taken
      from sms_stock_records record join sms_stocks on sms_stocks.id = stock_id and enterprise_id = ${eid}`.execute(
      site.db,
    )
    const [sums] = rows
    expect((sums?.held ?? 0) + (sums?.open ?? 0) + (sums?.taken ?? 0)).toBe(sums?.recharged)
  })
})

test('an operator sets the template of a brand, language and kind, replaces it and takes it away', async () => {
  const as = site.as(operator)
  const { id: brandId } = await site.db
    .selectFrom('brands')
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const named = { brandId, lang: 'cn', purpose: 'alarm' } as const
  const list = async () => (await as.call(contract.listSmsTemplates, {})).map(({ template }) => template)
  await as.call(contract.putSmsTemplate, { ...named, template: 'SMS_1' })
  await as.call(contract.putSmsTemplate, { ...named, lang: 'en', template: 'SMS_3' })
  await as.call(contract.putSmsTemplate, { ...named, template: 'SMS_2' })
  expect(await list()).toEqual(['SMS_2', 'SMS_3'])
  expect(await findTemplate(site.db, named)).toBe('SMS_2')
  await as.call(contract.putSmsTemplate, { ...named, template: '' })
  await as.call(contract.putSmsTemplate, { ...named, lang: 'en', template: '' })
  expect(await list()).toEqual([])
  const missing = { ...named, brandId: 999_999, template: 'SMS_1' }
  expect(await codeOf(as, contract.putSmsTemplate, missing)).toBe('404')
  expect(await codeOf(as, contract.putSmsTemplate, { ...named, template: 'a b' })).toBe('400')
})
