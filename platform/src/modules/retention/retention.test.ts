import { retention as contract } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'

const hourMs = 3_600_000
const usual = { rawDays: 90, minuteDays: 365, hourDays: 1_825 }

let now = Date.UTC(2026, 4, 12, 4)
const site = useSite({ RETENTION_RAW_DAYS_MAX: '380' }, { now: () => now })

type Wish = Parameters<typeof change>[1]
const read = (user: TestUser, eid?: number) => site.as(user).call(contract.getRetention, { eid })
const change = (
  user: TestUser,
  wish: { eid?: number; rawDays?: number; minuteDays?: number; hourDays?: number; confirm?: boolean },
) => site.as(user).call(contract.setRetention, wish)
const refusal = (user: TestUser, wish: Wish) => failureOf(site.as(user), contract.setRetention, wish)

test('a longer time takes effect at once, and omitted fields stay', async () => {
  const user = await site.createUser()
  expect(await read(user)).toEqual({ ...usual, next: null })
  await change(user, { rawDays: 200 })
  expect(await read(user)).toEqual({ ...usual, rawDays: 200, next: null })
  await change(user, { minuteDays: 400, hourDays: 3_650 })
  expect(await read(user)).toEqual({ rawDays: 200, minuteDays: 400, hourDays: 3_650, next: null })
})

test('a shorter time is refused with the data it would delete, until it is confirmed, and takes effect after 24 hours', async () => {
  const user = await site.createUser()
  const wish = { rawDays: 30, minuteDays: 60 }
  const refused = await refusal(user, wish)
  expect(refused.code).toBe('RETENTION_CONFIRM')
  expect(refused.data).toEqual({ deletes: { rawDays: 30, minuteDays: 60 } })
  expect(await read(user)).toEqual({ ...usual, next: null })
  await change(user, { ...wish, confirm: true })
  const effectiveAt = now + 24 * hourMs
  const next = { ...usual, ...wish, effectiveAt }
  expect(await read(user)).toEqual({ ...usual, next })
  now = effectiveAt - 1
  expect(await read(user)).toEqual({ ...usual, next })
  now = effectiveAt
  expect(await read(user)).toEqual({ ...usual, ...wish, next: null })
})

test('a refusal lists in both languages the data that would be deleted', async () => {
  const user = await site.createUser()
  for (const [lang, text] of [
    ['cn', '24 小时后将永久删除 30 天前的原始数据、60 天前的分钟平均值，请确认'],
    [
      'en',
      'This permanently deletes the following after 24 hours: raw values older than 30 days, minute averages older than 60 days. Confirm to continue.',
    ],
  ] as const) {
    const { message } = await failureOf(site.as(user, lang), contract.setRetention, {
      rawDays: 30,
      minuteDays: 60,
    })
    expect(message).toContain(text)
  }
})

test('a longer time beside a waiting shorter one keeps its instant, and a shorter one can be taken back', async () => {
  const user = await site.createUser()
  await change(user, { rawDays: 30, confirm: true })
  const effectiveAt = now + 24 * hourMs
  now += hourMs
  await change(user, { hourDays: 2_000 })
  const longer = { ...usual, hourDays: 2_000 }
  expect(await read(user)).toEqual({ ...longer, next: { ...longer, rawDays: 30, effectiveAt } })
  // Shorter than the waiting one: it begins anew.
  expect((await refusal(user, { rawDays: 20 })).code).toBe('RETENTION_CONFIRM')
  await change(user, { rawDays: 20, confirm: true })
  expect((await read(user)).next).toMatchObject({ rawDays: 20, effectiveAt: now + 24 * hourMs })
  await change(user, { rawDays: 90 })
  expect(await read(user)).toEqual({ ...longer, next: null })
})

test('times must be within the bounds, and averages are kept at least as long as the data they replace', async () => {
  const user = await site.createUser()
  for (const [wish, field] of [
    [{ rawDays: 401 }, 'rawDays'],
    [{ rawDays: 6 }, 'rawDays'],
    [{ minuteDays: 1_826 }, 'minuteDays'],
    [{ hourDays: 3_651 }, 'hourDays'],
  ] as const)
    expect(await refusal(user, { ...wish, confirm: true })).toMatchObject({ http: 400, field })
  for (const wish of [{ rawDays: 370 }, { minuteDays: 60 }, { hourDays: 364 }])
    expect((await refusal(user, { ...wish, confirm: true })).code).toBe('RETENTION_ORDER')
  expect((await refusal(user, { rawDays: 381, minuteDays: 400 })).code).toBe('RETENTION_TOO_LONG')
  await change(user, { rawDays: 380, minuteDays: 1_825, hourDays: 3_650 })
  expect(await read(user)).toEqual({ rawDays: 380, minuteDays: 1_825, hourDays: 3_650, next: null })
})

test('members read the retention of their enterprise, only administrators set it', async () => {
  const { eid, owner } = await site.createEnterprise()
  const member = await site.createMember(eid, 'member', ['manage', 'control'])
  const admin = await site.createMember(eid, 'admin')
  const stranger = await site.createUser()
  for (const user of [member, stranger]) expect((await refusal(user, { eid, rawDays: 100 })).code).toBe('403')
  expect(await site.refusalOf(stranger, contract.getRetention, { eid })).toBe('403')
  await change(admin, { eid, rawDays: 100 })
  expect(await read(member, eid)).toEqual({ ...usual, rawDays: 100, next: null })
  await change(owner, { eid, rawDays: 110 })
  expect(await read(member, eid)).toMatchObject({ rawDays: 110 })
  // Each space has its own.
  for (const user of [owner, admin, member]) expect(await read(user)).toEqual({ ...usual, next: null })
})

test('the audit log has the person who changed the time, and a refusal writes no entry', async () => {
  const { eid, owner } = await site.createEnterprise()
  await refusal(owner, { eid, rawDays: 30 })
  await change(owner, { eid, rawDays: 30, confirm: true })
  const entries = await site.db
    .selectFrom('audit_entries')
    .select(['action', 'target', 'detail'])
    .where('actor_user_id', '=', owner.userId)
    .execute()
  expect(entries).toMatchObject([
    { action: 'enterprise.retention', target: String(eid), detail: { eid, ...usual, rawDays: 30 } },
  ])
})

test('changes at the same moment leave one wish', async () => {
  const user = await site.createUser()
  await Promise.all([100, 110, 120].map((rawDays) => change(user, { rawDays, confirm: true })))
  const rows = await site.db
    .selectFrom('data_retention')
    .select('raw_days')
    .where('user_id', '=', user.userId)
    .execute()
  expect(rows.length).toBeLessThanOrEqual(2)
  const { rawDays, next } = await read(user)
  expect([100, 110, 120]).toContain(next?.rawDays ?? rawDays)
})
