import { accounts, timing } from '@busbar/contract'
import {
  createUser,
  failureOf,
  PushClient,
  signIn,
  startTestPlatform,
  type TestPlatform,
} from '@busbar/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform()
})
afterAll(() => site.stop())

const terminal = { terminalUUID: 'terminal-of-the-test' }

describe('login', () => {
  test('signs in by e-mail, in any case, and by mainland phone with or without its prefix', async () => {
    const user = await createUser(site.db, { password: 'correct horse', phone: '13812345678' })
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
    const user = await createUser(site.db, { password: 'correct horse' })
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
    const user = await createUser(site.db, { password: 'correct horse' })
    const attempt = (loginPwd: string) =>
      failureOf(site.as(undefined), accounts.login, { loginName: user.email, loginPwd, ...terminal })
    for (let i = 0; i < 5; i++) expect((await attempt('wrong one')).code).toBe('07010109')
    const locked = await attempt('correct horse')
    expect(locked.code).toBe('07010110')
    expect(locked.data).toEqual({ minutes: 15 })
  })

  test('sets the session as an HttpOnly cookie and tells scripts only that there is one', async () => {
    const user = await createUser(site.db, { password: 'correct horse' })
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

  test('a second sign-in on the same terminal ends the first and tells its page', async () => {
    const user = await createUser(site.db, { password: 'correct horse' })
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
    const user = await createUser(site.db)
    await site.as(user).call(accounts.logout, {})
    for (const caller of [undefined, { token: 'wrong' }, user]) {
      const failure = await failureOf(site.as(caller), accounts.selectInfo, {})
      expect([failure.http, failure.hwcode]).toEqual([401, 113])
    }
  })

  test('an expired session is nobody', async () => {
    const user = await createUser(site.db)
    await site.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', user.sessionId)
      .execute()
    expect((await failureOf(site.as(user), accounts.selectInfo, {})).hwcode).toBe(113)
  })

  test('two session cookies are refused: one of them was planted', async () => {
    const user = await createUser(site.db)
    const response = await fetch(`${site.url}/api/user/v1/tokenInfo`, {
      headers: { cookie: `token=x; token=${user.token}` },
    })
    expect(response.status).toBe(400)
  })

  test('a cookie from another site cannot change anything', async () => {
    const user = await createUser(site.db)
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
    const user = await createUser(site.db)
    const other = await signIn(site.db, user.userId)
    const stranger = await createUser(site.db)
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
    const user = await createUser(site.db)
    const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
    const page = await PushClient.open(site.url, ticket)
    page.heartbeat()
    await page.find((event) => (event.scene === 'heartbeat' ? true : undefined))
    const again = await PushClient.open(site.url, ticket)
    expect((await again.waitForClose()).code).toBe(4401)
    page.close()
  })

  test('a push ticket is worth nothing after 30 seconds', async () => {
    const user = await createUser(site.db)
    const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
    await site.db
      .updateTable('push_tickets')
      .set({ expires_at: new Date(Date.now() - timing.pushTicketMs) })
      .execute()
    const page = await PushClient.open(site.url, ticket)
    expect((await page.waitForClose()).code).toBe(4401)
  })
})
