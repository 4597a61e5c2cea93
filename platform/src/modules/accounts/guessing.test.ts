import { accounts, codes, type RequestOf, type Route, registration } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { HashThreads } from './hash-threads.ts'

/*
 * A stranger who guesses must not learn anything from an answer or its duration, which follows the
 * work behind it: hashes and rows.
 */

const aheadMs = 0
const site = useSite(
  { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'http://busbar.localhost' },
  { now: () => Date.now() + aheadMs },
)

const password = 'correct horse'
const hash = vi.spyOn(HashThreads.prototype, 'hash')
let calls = 0

async function send<R extends Route>(route: R, body: RequestOf<R>, headers: Record<string, string> = {}) {
  calls++
  const response = await fetch(`${site.url}${route.path}`, {
    method: route.method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.1.${(calls >> 8) & 255}.${calls & 255}`,
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return { text: await response.text(), cookies: response.headers.getSetCookie() }
}

/** Rows of every table. */
async function countRows(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select table_name as name,
           (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', table_name), false, true, '')))[1]::text::int as count
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
    site.db,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** The work that a call caused, and its answer. */
async function workOf(call: () => Promise<{ text: string }>) {
  const before = await countRows()
  const hashesBefore = hash.mock.calls.length
  const { text } = await call()
  const after = await countRows()
  const grown = Object.entries(after).filter(([name, count]) => count !== before[name])
  return {
    text,
    hashes: hash.mock.calls.length - hashesBefore,
    rows: Object.fromEntries(grown.map(([name, count]) => [name, count - (before[name] ?? 0)])),
  }
}

describe('an account that exists and one that does not take the same work and get the same answer', () => {
  const login = (loginName: string) =>
    send(accounts.login, { loginName, loginPwd: 'wrong horse', terminalUUID: 'terminal' })

  test('signing in with a wrong password: one hash, one failure, one entry of the audit log', async () => {
    const user = await site.createUser({ password })
    const known = await workOf(() => login(user.email))
    expect(known).toEqual(await workOf(() => login('nobody-1@example.test')))
    expect(known).toMatchObject({ hashes: 1, rows: { login_failures: 1, audit_entries: 1 } })
  })

  test('signing in to an account that was guessed at: the same question for a code', async () => {
    const user = await site.createUser({ password })
    const guess = async (name: string) => {
      for (let i = 0; i < 20; i++) await login(name)
      const work = await workOf(() => login(name))
      return { ...work, text: work.text.replace(/"challenge":"[\w-]+"/, '') }
    }
    const known = await guess(user.email)
    expect(known).toEqual(await guess('nobody-2@example.test'))
    expect(known.text).toContain('07010111')
  })

  test('asking for a code to recover, by e-mail and by SMS: a code and a message, kept or withheld', async () => {
    const user = await site.createUser({ phone: '13812345001' })
    const mail = (email: string) => () => send(codes.sendEmailCode, { email, purpose: 'resetPassword' })
    const known = await workOf(mail(user.email))
    expect(known).toEqual(await workOf(mail('nobody-3@example.test')))
    expect(known.rows).toMatchObject({ codes: 1, outgoing: 1 })
    const text = (phone: string) => () => send(codes.sendPhoneCode, { phone, purpose: 'resetPassword' })
    expect(await workOf(text('13812345001'))).toEqual(await workOf(text('13812345002')))
  })

  test('setting a password without a ticket: one hash', async () => {
    const user = await site.createUser({ password })
    const reset = (email: string) => () =>
      send(registration.resetPassword, { email, password: 'another horse' })
    const known = await workOf(reset(user.email))
    expect(known).toEqual(await workOf(reset('nobody-4@example.test')))
    expect(known.hashes).toBe(1)
  })
})

describe('guessing codes', () => {
  test('10,000 times, from ten addresses, opens nothing, is recorded, and delays nobody else', async () => {
    const [victim, other] = [await site.createUser(), await site.createUser()]
    const purpose = 'resetPassword' as const
    for (const { email } of [victim, other]) await send(codes.sendEmailCode, { email, purpose })
    const [right, others] = [await codeTo(victim.email), await codeTo(other.email)]
    const guess = (code: string, place: number) =>
      site.platform.app.inject({
        method: 'POST',
        url: codes.checkEmailCode.path,
        remoteAddress: `10.2.0.${place % 10}`,
        payload: { email: victim.email, code, purpose },
      })
    for (let i = 0; i < 5; i++) expect((await guess(wrongCode(i, right), i)).body).toContain('CODE_WRONG')

    const answers: { statusCode: number; headers: object }[] = []
    for (let wave = 0; wave < 100; wave++) {
      // The right one is among them.
      const guesses = Array.from({ length: 100 }, (_, i) =>
        i === 0 ? right : wrongCode(wave * 100 + i, right),
      )
      answers.push(...(await Promise.all(guesses.map(guess))))
    }
    expect(answers.filter(({ headers }) => 'set-cookie' in headers)).toEqual([])
    expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(9_000)
    const check = await send(codes.checkEmailCode, { email: other.email, code: others, purpose })
    expect(check.cookies).toHaveLength(1)
    const entries = await site.db
      .selectFrom('audit_entries')
      .select('result')
      .where('action', '=', 'user.code')
      .execute()
    expect(entries.map(({ result }) => result)).toEqual(Array(5).fill('refused'))
  })
})

test('a session that a stranger planted is not the one that a sign-in uses', async () => {
  const user = await site.createUser({ password })
  const planted = 'x'.repeat(43)
  const credentials = { loginName: user.email, loginPwd: password, terminalUUID: 'terminal' }
  const { text, cookies } = await send(accounts.login, credentials, { cookie: `token=${planted}` })
  const { token } = (JSON.parse(text) as { hwdata: { token: string } }).hwdata
  expect(token).not.toBe(planted)
  expect(cookies.join()).toContain(`token=${token}`)
  expect((await send(accounts.selectInfo, {}, { token: planted })).text).toContain('113')
  const again = await send(accounts.login, credentials, { token })
  expect(again.text).not.toContain(token)
})

describe('a QR code', () => {
  test('confirmed and redeemed ten times at the same moment lets one browser in, once', async () => {
    const person = await site.createUser()
    const shown = await send(accounts.createQrToken, { terminalUUID: 'browser' })
    const { qrToken } = (JSON.parse(shown.text) as { hwdata: { qrToken: string } }).hwdata
    const cookie = shown.cookies[0]?.split(';')[0] ?? ''
    await send(accounts.scanQrLogin, { qrToken }, { token: person.token })
    const ten = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, call))
    const confirmed = await ten(() =>
      send(accounts.confirmQrLogin, { qrToken, ok: true }, { token: person.token }),
    )
    expect(confirmed.filter(({ text }) => !text.includes('QR_OVER'))).toHaveLength(1)
    const redeemed = await ten(() =>
      send(accounts.checkQrLogin, { qrToken, terminalUUID: 'browser' }, { cookie }),
    )
    expect(redeemed.filter(({ text }) => text.includes('"token"'))).toHaveLength(1)
  })
})

/** Never the right one. */
function wrongCode(place: number, right: string): string {
  const letters = codes.codeAlphabet
  const code = [0, 1, 2, 3].map(
    (digit) => letters[Math.floor(place / letters.length ** digit) % letters.length],
  )
  return code.join('') === right ? '????' : code.join('')
}

async function codeTo(recipient: string): Promise<string> {
  const { text } = await site.db
    .selectFrom('outgoing')
    .select('text')
    .where('recipient', '=', recipient)
    .executeTakeFirstOrThrow()
  return /^ {4}(\S{4})$/m.exec(text)?.[1] ?? ''
}
