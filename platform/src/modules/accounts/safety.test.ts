import { accounts, brands, type Route } from '@busbar/contract'
import { failureOf, PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test, vi } from 'vitest'
import { writeAudit } from '../audit/index.ts'
import { createKnownTerminal } from './known-terminals-store.ts'

const site = useSite({ TRUSTED_PROXIES: '127.0.0.1' })

const password = 'correct horse'
const dayMs = 86_400_000
const otherBrandId = 77
const otherHost = 'other-brand.example'

/** A call as a browser on the other brand's host makes it. */
async function callElsewhere(route: Route, options: { token?: string; body?: object } = {}) {
  const response = await fetch(`${site.url}${route.path}`, {
    method: route.method,
    headers: {
      'x-forwarded-host': otherHost,
      'content-type': 'application/json',
      ...(options.token ? { token: options.token } : {}),
    },
    ...(route.method === 'GET' ? {} : { body: JSON.stringify(options.body ?? {}) }),
  })
  return (await response.json()) as { hwcode: number; hwdata: Record<string, unknown> }
}

async function createOtherBrand(): Promise<void> {
  const { versions } = await site.db.selectFrom('brands').select('versions').executeTakeFirstOrThrow()
  const { id } = await site.db
    .insertInto('brands')
    .values({ name_cn: '另一个', name_en: 'Other', versions: JSON.stringify(versions) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await site.db.insertInto('brand_hosts').values({ brand_id: id, host: otherHost }).execute()
  await site.platform.facts.record(site.db, { kind: 'brand.changed', brandId: id, at: Date.now() })
  await vi.waitFor(
    async () => {
      expect((await callElsewhere(brands.getBrand)).hwdata.id).toBe(id)
    },
    { timeout: 10_000, interval: 20 },
  )
}

describe('a session', () => {
  test('of one brand is signed out on another brand’s host, by token and by push ticket', async () => {
    const user = await site.createUser()
    const elsewhere = await site.signIn(user.userId, { brandId: otherBrandId })
    expect((await failureOf(site.as(elsewhere), accounts.selectInfo, {})).hwcode).toBe(113)
    const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
    await site.db
      .updateTable('sessions')
      .set({ brand_id: otherBrandId })
      .where('id', '=', user.sessionId)
      .execute()
    for (const sid of [ticket, elsewhere.token]) {
      const page = await PushClient.open(site.url, sid)
      expect((await page.waitForClose()).code).toBe(4401)
    }
  })

  test('begun on a brand’s host is valid there, and nowhere else', async () => {
    await createOtherBrand()
    const user = await site.createUser({ password })
    const body = { loginName: user.email, loginPwd: password, terminalUUID: 'terminal' }
    const { hwdata } = await callElsewhere(accounts.login, { body })
    const token = String(hwdata.token)
    expect((await callElsewhere(accounts.selectInfo, { token })).hwdata.userid).toBe(user.userId)
    expect((await failureOf(site.as({ token }), accounts.selectInfo, {})).hwcode).toBe(113)
    expect((await callElsewhere(accounts.selectInfo, { token: user.token })).hwcode).toBe(113)
  })

  test('stays when its person signs out all others, whose pages are notified at once', async () => {
    const user = await site.createUser()
    const other = await site.signIn(user.userId)
    const stranger = await site.createUser()
    const page = await PushClient.open(site.url, other.token)
    page.heartbeat()
    await page.find((event) => (event.scene === 'heartbeat' ? true : undefined))
    expect(await site.as(user).call(accounts.removeOtherTerminals, {})).toEqual({ removed: 1 })
    const logout = await page.find((event) => (event.scene === 'logout' ? event.logout : undefined))
    expect(logout.reason).toBe('elsewhere')
    expect((await page.waitForClose()).code).toBe(4401)
    for (const left of [user, stranger]) await site.as(left).call(accounts.selectInfo, {})
  })

  test('unused for longer than its person now allows is over at once', async () => {
    const user = await site.createUser()
    const unused = await site.signIn(user.userId)
    await site.db
      .updateTable('sessions')
      .set({ last_seen_at: new Date(Date.now() - 2 * dayMs) })
      .where('id', '=', unused.sessionId)
      .execute()
    const chosen = await site.as(user).call(accounts.updateSafety, { loginExpiryDays: 1 })
    expect(chosen).toEqual({ loginExpiryDays: 1, notifyNewTerminal: true })
    expect((await failureOf(site.as(unused), accounts.selectInfo, {})).hwcode).toBe(113)
    const { list } = await site.as(user).call(accounts.listTerminals, {})
    expect(list.map((each) => each.current)).toEqual([true])
    expect(list[0]?.expiredTime).toBeLessThanOrEqual(Date.now() + dayMs)
    const refused = failureOf(site.as(user), accounts.updateSafety, { loginExpiryDays: 365 as 60 })
    expect((await refused).http).toBe(400)
  })
})

test('a session that ran out is not brought back by a longer life', async () => {
  const user = await site.createUser()
  const over = await site.signIn(user.userId)
  await site.db
    .updateTable('sessions')
    .set({ last_seen_at: new Date(Date.now() - 2 * dayMs), expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', over.sessionId)
    .execute()
  await site.as(user).call(accounts.updateSafety, { loginExpiryDays: 60 })
  expect((await failureOf(site.as(over), accounts.selectInfo, {})).hwcode).toBe(113)
})

describe('a terminal never used before', () => {
  const listMail = (recipient: string) =>
    site.db
      .selectFrom('outgoing')
      .select(['subject', 'text', 'html'])
      .where('recipient', '=', recipient)
      .execute()

  test('is announced to its person once, as plain text without markup', async () => {
    const user = await site.createUser({ password, lang: 'en' })
    const terminal = { terminalUUID: 'new-one', terminalName: '<b>Chrome</b>' }
    const input = { loginName: user.email, loginPwd: password, ...terminal }
    for (let i = 0; i < 2; i++) await site.as(undefined).call(accounts.login, input)
    const mails = await listMail(user.email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('<b>Chrome</b>” from 127.0.0.1')
    expect(mails[0]?.html).not.toContain('<b>Chrome</b>')
  })

  test('is announced with a name that cannot change the text direction', async () => {
    const user = await site.createUser({ password, lang: 'en' })
    const terminal = { terminalUUID: 'new-one', terminalName: 'Chrome \u202eexe.bat\u2066\u0007' }
    await site.as(undefined).call(accounts.login, { loginName: user.email, loginPwd: password, ...terminal })
    await site.as(undefined).call(accounts.login, {
      loginName: user.email,
      loginPwd: password,
      ...terminal,
      terminalUUID: 'another',
    })
    const mails = await listMail(user.email)
    expect(mails.length).toBeGreaterThan(0)
    for (const { text } of mails) {
      expect(text).toContain('exe.bat')
      expect(text).not.toMatch(/\p{Bidi_Control}/u)
      expect(text).not.toContain('\u0007')
    }
  })

  test('made up one after the other sends no messages without end', async () => {
    const { userId } = await site.createUser()
    const told: boolean[] = []
    for (let i = 0; i < 20; i++)
      told.push(await createKnownTerminal(site.db, userId, `made-up-${i}`, new Date()))
    expect(told.filter(Boolean)).toHaveLength(10)
  })

  test('is not announced to a person who turned it off', async () => {
    const user = await site.createUser({ password })
    await site.as(user).call(accounts.updateSafety, { notifyNewTerminal: false })
    const input = { loginName: user.email, loginPwd: password, terminalUUID: 'new-one' }
    await site.as(undefined).call(accounts.login, input)
    expect(await listMail(user.email)).toEqual([])
  })
})

test('a person’s history has all attempts at their account, and no data of others', async () => {
  const [user, other] = [await site.createUser({ password }), await site.createUser({ password })]
  for (const { email } of [user, other]) {
    const input = { loginName: email, terminalUUID: 'terminal', terminalName: 'Chrome' }
    await failureOf(site.as(undefined), accounts.login, { ...input, loginPwd: 'wrong one' })
    await site.as(undefined).call(accounts.login, { ...input, loginPwd: password })
  }
  await site.as(user).call(accounts.updateSafety, { loginExpiryDays: 7 })
  for (const { userId } of [user, other]) {
    const done = { target: 'somebody', address: 'server', at: new Date(), actorUserId: null }
    await writeAudit(site.db, { ...done, action: 'user.unlock', detail: { userId }, result: 'ok' })
  }
  const { list, total } = await site.as(user).call(accounts.listOwnAudit, {})
  expect(list.map(({ action, result }) => `${action} ${result}`)).toEqual([
    'user.unlock ok',
    'user.safety.update ok',
    'user.login ok',
    'user.login refused',
  ])
  expect(total).toBe(4)
  expect(list.map(({ actor }) => actor)).toEqual(['', 'Ming Li', 'Ming Li', ''])
  expect(list[2]).toMatchObject({ actor: 'Ming Li', ip: '127.0.0.1', terminal: 'Chrome', target: user.email })
})

test('a refused sign-in puts no text of the caller’s into the owner’s log', async () => {
  const user = await site.createUser({ password })
  const terminal = { terminalUUID: 'a-uuid', terminalName: 'Call support: 555', terminalOS: 'Planted' }
  const wrong = { loginName: user.email, loginPwd: 'wrong one', ...terminal }
  await failureOf(site.as(undefined), accounts.login, wrong)
  await fetch(`${site.url}${accounts.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Call support: 555 Planted' },
    body: JSON.stringify(wrong),
  })
  const { list } = await site.as(user).call(accounts.listOwnAudit, {})
  expect(list.map((entry) => entry.terminal)).toEqual(['other', 'Node.js'])
  const kept = await site.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('target', '=', user.email)
    .execute()
  expect(kept.length).toBeGreaterThanOrEqual(2)
  expect(JSON.stringify(kept)).not.toMatch(/Planted|support|a-uuid/)
})

test('a person who hides the map finds it hidden', async () => {
  const user = await site.createUser()
  await site.as(user).call(accounts.setHideMap, { hideMap: true })
  expect((await site.as(user).call(accounts.selectInfo, {})).hide_map).toBe(true)
})

test('a terminal is recorded by its user agent, unless it describes itself in more detail', async () => {
  const person = await site.createUser({ password })
  const pc = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'
  const { pc: computer, app, tv, api } = accounts.terminalTypes
  const typeOf = async (userAgent: string, terminalType?: number) => {
    const terminalUUID = `terminal-${userAgent.length}-${terminalType ?? 0}`
    const body = { loginName: person.email, loginPwd: password, terminalUUID, terminalType }
    await fetch(`${site.url}${accounts.login.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify(body),
    })
    const { terminal_type } = await site.db
      .selectFrom('sessions')
      .select('terminal_type')
      .where('user_id', '=', person.userId)
      .where('terminal_uuid', '=', terminalUUID)
      .executeTakeFirstOrThrow()
    return terminal_type
  }
  expect(await typeOf(pc)).toBe(computer)
  expect(await typeOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148')).toBe(app)
  expect(await typeOf('Mozilla/5.0 (Linux; Android 12; BRAVIA 4K) Chrome/142.0.0.0')).toBe(tv)
  expect(await typeOf('curl/8.9.1')).toBe(api)
  // A box whose browser calls itself a computer, opened with the flag of TV boxes.
  expect(await typeOf(pc, tv)).toBe(tv)
})
