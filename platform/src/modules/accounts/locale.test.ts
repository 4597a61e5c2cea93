import { accounts, enterprises } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { formatTime, readerOf } from '../../reader.ts'

const password = 'correct horse'
const now = Date.now()
const site = useSite({}, { now: () => now })

async function mailAfterSignIn({ email }: TestUser) {
  await site.as(undefined).call(accounts.login, { loginName: email, loginPwd: password, terminalUUID: 'new' })
  return site.db
    .selectFrom('outgoing')
    .select(['subject', 'text', 'lang'])
    .where('recipient', '=', email)
    .executeTakeFirstOrThrow()
}

describe('a person’s language and time zone', () => {
  test('a person who switched to English gets English mail', async () => {
    const user = await site.createUser({ password, lang: 'cn' })
    await site.as(user).call(accounts.updateLocale, { lang: 'en' })
    expect(await mailAfterSignIn(user)).toMatchObject({
      lang: 'en',
      subject: 'New sign-in to your account',
    })
  })

  test('times in mail are those of the person’s zone, which is named', async () => {
    const user = await site.createUser({ password, lang: 'cn' })
    const timeZone = 'America/New_York'
    await site.as(user).call(accounts.updateLocale, { timeZone })
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone }).format(now)
    expect((await mailAfterSignIn(user)).text).toContain(`${clock}（America/New_York，UTC-`)
  })

  test('a field that is left out stays; a zone is null until it is set', async () => {
    const user = await site.createUser({ lang: 'en' })
    const { call } = site.as(user)
    expect(await call(accounts.selectInfo, {})).toMatchObject({ lang: 'en', timeZone: null })
    await call(accounts.updateLocale, { timeZone: 'Asia/Kolkata' })
    await call(accounts.updateLocale, { lang: 'cn' })
    expect(await call(accounts.selectInfo, {})).toMatchObject({ lang: 'cn', timeZone: 'Asia/Kolkata' })
  })

  test.each(['Mars/Olympus', '+08:00', ' '])('a bad zone is refused by name: "%s"', async (timeZone) => {
    const user = await site.createUser()
    const refused = await failureOf(site.as(user), accounts.updateLocale, { lang: 'en', timeZone })
    expect(refused).toMatchObject({ http: 400, field: 'timeZone' })
    expect(await site.as(user).call(accounts.selectInfo, {})).toMatchObject({ lang: 'cn', timeZone: null })
  })
})

test('a time names its zone and the offset of that day', () => {
  const reader = { lang: 'en', time_zone: 'Europe/Berlin' }
  expect(formatTime(new Date('2026-07-01T22:30:05Z'), readerOf(reader))).toBe(
    '2 July 2026 at 00:30:05 (Europe/Berlin, UTC+2)',
  )
  expect(formatTime(new Date('2026-12-01T00:00:00Z'), readerOf({ lang: 'cn', time_zone: null }))).toBe(
    '2026年12月1日 08:00:00（Asia/Shanghai，UTC+8）',
  )
})

describe('an enterprise’s time zone', () => {
  const zoneOf = async (user: TestUser, eid: number) =>
    (await site.as(user).call(enterprises.getEnterprise, { eid })).timeZone

  test('is that of the person who made it, and stays when they move', async () => {
    const owner = await site.createUser()
    await site.as(owner).call(accounts.updateLocale, { timeZone: 'Europe/Berlin' })
    const { eid } = await site.as(owner).call(enterprises.createEnterprise, { name: 'Foundry' })
    await site.as(owner).call(accounts.updateLocale, { timeZone: 'Asia/Tokyo' })
    expect(await zoneOf(owner, eid)).toBe('Europe/Berlin')
  })

  test('is changed only by a member who may manage, and only to a real zone', async () => {
    const owner = await site.createUser()
    const { eid } = await site.as(owner).call(enterprises.createEnterprise, { name: 'Foundry' })
    const member = await site.createMember(eid)
    const wish = { eid, timeZone: 'Asia/Tokyo' }
    const refused = await failureOf(site.as(member), enterprises.updateEnterpriseTimeZone, wish)
    expect(refused.http).toBe(403)
    const manager = await site.createMember(eid, 'member', ['manage'])
    await site.as(manager).call(enterprises.updateEnterpriseTimeZone, wish)
    expect(await zoneOf(owner, eid)).toBe('Asia/Tokyo')
    const bad = { eid, timeZone: 'Asia/Nowhere' }
    expect(await failureOf(site.as(manager), enterprises.updateEnterpriseTimeZone, bad)).toMatchObject({
      field: 'timeZone',
    })
  })
})
