import { accounts, timing } from '@busbar/contract'
import { failureOf, PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const site = useSite({ TRUSTED_PROXIES: '127.0.0.1' })

const terminal = { terminalUUID: 'terminal-of-the-test' }

describe('login', () => {
  test('signs in by e-mail, in any case, and by mainland phone with or without its prefix', async () => {
    const user = await site.createUser({ password: 'correct horse', phone: '13812345678' })
    for (const loginName of [
      user.email,
      user.email.toUpperCase(),
      '13812345678',
      '+8613812345678',
      '0086 138 1234 5678',
    ]) {
      const answer = await site
        .as(undefined)
        .call(accounts.login, { loginName, loginPwd: 'correct horse', ...terminal })
      expect(answer).toMatchObject({ userid: user.userId, phone: '13812345678', email: user.email })
      const me = await site.as({ token: answer.token }).call(accounts.selectInfo, {})
      expect(me.userid).toBe(user.userId)
    }
  })

  test('answers a wrong password and an unknown account alike', async () => {
    const user = await site.createUser({ password: 'correct horse' })
    const wrong = await failureOf(site.as(undefined), accounts.login, {
      loginName: user.email,
      loginPwd: 'wrong one',
      ...terminal,
    })
    const unknown = await failureOf(site.as(undefined), accounts.login, {
      loginName: 'nobody@example.test',
      loginPwd: 'wrong one',
      ...terminal,
    })
    expect(wrong.code).toBe('07010109')
    expect({ ...unknown, stack: '' }).toEqual({ ...wrong, stack: '' })
  })

  test('locks the account for an address after five failures, even for the right password', async () => {
    const user = await site.createUser({ password: 'correct horse' })
    const attempt = (loginPwd: string) =>
      failureOf(site.as(undefined), accounts.login, { loginName: user.email, loginPwd, ...terminal })
    for (let i = 0; i < 5; i++) expect((await attempt('wrong one')).code).toBe('07010109')
    const locked = await attempt('correct horse')
    expect(locked.code).toBe('07010110')
    expect(locked.data).toEqual({ minutes: 15 })
    await site.db
      .updateTable('login_failures')
      .set({ at: new Date(Date.now() - 13.5 * 60_000) })
      .execute()
    expect((await attempt('correct horse')).data).toEqual({ minutes: 2 })
  })

  test('ten wrong passwords at the same moment are five guesses, not ten', async () => {
    const user = await site.createUser({ password: 'correct horse' })
    // Ten addresses of one customer are one.
    const attempt = async (_: unknown, place: number) => {
      const response = await fetch(`${site.url}${accounts.login.path}`, {
        method: 'POST',
        headers: { 'x-forwarded-for': `2001:db8::${place + 1}` },
        body: new URLSearchParams({ loginName: user.email, loginPwd: 'wrong one', ...terminal }),
      })
      return ((await response.json()) as { error: { code: string } }).error.code
    }
    const codes = await Promise.all(Array.from({ length: 10 }, attempt))
    expect(codes.filter((code) => code === '07010109').length).toBeLessThanOrEqual(5)
    expect(codes.filter((code) => code === '07010110').length).toBeGreaterThanOrEqual(5)
  })

  test('the cookies outlive a session that slides on with use', async () => {
    const user = await site.createUser({ password: 'correct horse' })
    const response = await fetch(`${site.url}${accounts.login.path}`, {
      method: 'POST',
      body: new URLSearchParams({ loginName: user.email, loginPwd: 'correct horse', ...terminal }),
    })
    const { ends_at } = await site.db
      .selectFrom('sessions')
      .select('ends_at')
      .where('user_id', '=', user.userId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    for (const cookie of response.headers.getSetCookie()) {
      const keptUntil = Date.now() + Number(/Max-Age=(\d+)/.exec(cookie)?.[1]) * 1000
      expect(keptUntil).toBeGreaterThan(ends_at.getTime() - 60_000)
    }
    expect(response.headers.getSetCookie()).toHaveLength(2)
  })

  test('a terminal is listed by the name it gave itself, its system not named twice', async () => {
    const user = await site.createUser({ password: 'correct horse' })
    const named = { ...terminal, terminalName: 'Chrome 130 · Linux', terminalOS: 'Linux' }
    const credentials = { loginName: user.email, loginPwd: 'correct horse', ...named }
    const { token } = await site.as(undefined).call(accounts.login, credentials)
    const { list } = await site.as({ token }).call(accounts.listTerminals, {})
    expect(list.find((each) => each.current)?.name).toBe('Chrome 130 · Linux')
  })

  test('sets the session as an HttpOnly cookie, and a second cookie shows scripts that it exists', async () => {
    const user = await site.createUser({ password: 'correct horse' })
    const response = await fetch(`${site.url}${accounts.login.path}`, {
      method: 'POST',
      body: new URLSearchParams({ loginName: user.email, loginPwd: 'correct horse', ...terminal }),
    })
    const cookies = response.headers.getSetCookie()
    expect(cookies.find((cookie) => cookie.startsWith('token='))).toMatch(/HttpOnly/)
    expect(cookies.find((cookie) => cookie.startsWith('loggedIn=1'))).not.toMatch(/HttpOnly/)
    const body = (await response.json()) as { hwcode: number; hwdata: unknown; result: unknown }
    expect(body.hwcode).toBe(0)
    expect(body.result).toEqual(body.hwdata)
  })

  test('a second sign-in on the same terminal ends the first and notifies its page', async () => {
    const user = await site.createUser({ password: 'correct horse' })
    const credentials = { loginName: user.email, loginPwd: 'correct horse', terminalUUID: 'same-terminal' }
    const first = await site.as(undefined).call(accounts.login, credentials)
    const page = await PushClient.open(site.url, first.token)
    await page.heartbeat()
    await page.find((event) => (event.scene === 'heartbeat' ? true : undefined))
    await site.as(undefined).call(accounts.login, credentials)
    const logout = await page.find((event) => (event.scene === 'logout' ? event.logout : undefined))
    expect(logout).toMatchObject({ reason: 'elsewhere', loginIp: '127.0.0.1' })
    expect((await page.waitForClose()).code).toBe(4401)
    expect((await failureOf(site.as(first), accounts.selectInfo, {})).hwcode).toBe(113)
  })
})

describe('sessions', () => {
  test('no token, a wrong one and an ended one answer 401 with hwcode 113', async () => {
    const user = await site.createUser()
    await site.as(user).call(accounts.logout, {})
    for (const caller of [undefined, { token: 'wrong' }, user]) {
      const failure = await failureOf(site.as(caller), accounts.selectInfo, {})
      expect([failure.http, failure.hwcode]).toEqual([401, 113])
    }
  })

  test('beyond 50 sessions the one unused for longest ends', async () => {
    const user = await site.createUser()
    await site.db
      .updateTable('sessions')
      .set({ last_seen_at: new Date(Date.now() - 60_000) })
      .where('id', '=', user.sessionId)
      .execute()
    for (let i = 0; i < 49; i++) await site.signIn(user.userId)
    await site.as(user).call(accounts.selectInfo, {})
    await site.signIn(user.userId)
    expect((await failureOf(site.as(user), accounts.selectInfo, {})).hwcode).toBe(113)
    const left = await site.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', user.userId)
      .execute()
    expect(left).toHaveLength(50)
  })

  test('an expired session is signed out', async () => {
    const user = await site.createUser()
    await site.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', user.sessionId)
      .execute()
    expect((await failureOf(site.as(user), accounts.selectInfo, {})).hwcode).toBe(113)
  })

  test('two session cookies are refused: one of them was planted', async () => {
    const user = await site.createUser()
    const response = await fetch(`${site.url}/api/user/v1/tokenInfo`, {
      headers: { cookie: `token=x; token=${user.token}` },
    })
    expect(response.status).toBe(400)
  })

  test('a cookie from another site cannot change anything', async () => {
    const user = await site.createUser()
    const logout = (headers: Record<string, string>) =>
      fetch(`${site.url}${accounts.logout.path}`, {
        method: 'POST',
        headers: { cookie: `token=${user.token}`, ...headers },
      })
    expect((await logout({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await logout({})).status).toBe(403)
    expect((await logout({ origin: site.url })).status).toBe(200)
  })

  test('a terminal signed out by its owner closes at once; a stranger’s is not there', async () => {
    const user = await site.createUser()
    const other = await site.signIn(user.userId)
    const stranger = await site.createUser()
    const page = await PushClient.open(site.url, other.token)
    page.heartbeat()
    await page.find((event) => (event.scene === 'heartbeat' ? true : undefined))

    const refused = await failureOf(site.as(stranger), accounts.removeTerminal, { id: other.sessionId })
    const missing = await failureOf(site.as(stranger), accounts.removeTerminal, { id: 999_999 })
    expect(refused.code).toBe('404')
    expect(missing.code).toBe('404')

    await site.as(user).call(accounts.removeTerminal, { id: other.sessionId })
    expect((await page.waitForClose()).code).toBe(4401)
    const { list } = await site.as(user).call(accounts.listTerminals, {})
    expect(list.map((terminal) => terminal.current)).toEqual([true])
  })

  test('a push ticket opens one socket, once', async () => {
    const user = await site.createUser()
    const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
    const page = await PushClient.open(site.url, ticket)
    page.heartbeat()
    await page.find((event) => (event.scene === 'heartbeat' ? true : undefined))
    const again = await PushClient.open(site.url, ticket)
    expect((await again.waitForClose()).code).toBe(4401)
    page.close()
  })

  test('a push ticket of a person who was locked meanwhile opens no socket', async () => {
    const user = await site.createUser()
    const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
    await site.db.updateTable('users').set({ state: 'locked' }).where('id', '=', user.userId).execute()
    const page = await PushClient.open(site.url, ticket)
    expect((await page.waitForClose()).code).toBe(4401)
  })

  test('a push ticket requested while another terminal ends the session is refused as signed out', async () => {
    const user = await site.createUser()
    const ends = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const ending = site.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('sessions').where('id', '=', user.sessionId).execute()
      begun.resolve()
      await ends.promise
    })
    await begun.promise
    const asked = failureOf(site.as(user), accounts.createPushTicket, {})
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%push_tickets%'`.execute(
        site.db,
      )
    await expect.poll(async () => (await waiting()).rows.length, { timeout: 10_000 }).toBe(1)
    ends.resolve()
    await ending
    expect((await asked).code).toBe('113')
  })

  test('a session holds 20 push tickets, the newest', async () => {
    const user = await site.createUser()
    for (let i = 0; i < 22; i++) await site.as(user).call(accounts.createPushTicket, {})
    const held = await site.db
      .selectFrom('push_tickets')
      .select('ticket_hash')
      .where('session_id', '=', user.sessionId)
      .execute()
    expect(held).toHaveLength(20)
  })

  test('a push ticket expires after 30 seconds', async () => {
    const user = await site.createUser()
    const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
    await site.db
      .updateTable('push_tickets')
      .set({ expires_at: new Date(Date.now() - timing.pushTicketMs) })
      .execute()
    const page = await PushClient.open(site.url, ticket)
    expect((await page.waitForClose()).code).toBe(4401)
  })
})
