import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { accounts, alarmContacts, visits } from '@busbar/contract'
import { dialTestTunnel, enterVisit, openTestTunnel, PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { connectAsync } from 'mqtt'
import { describe, expect, it } from 'vitest'
import { createConsoleLogger } from './console-logger.ts'
import type { Logger } from './logger.ts'
import { redactText } from './redact.ts'

const unique = (what: string) => `${what}-${randomBytes(9).toString('base64url')}`

/** The written lines, and the values given to the log: of errors the message only, as the second line cuts the rest. */
const written: string[] = []
const given: string[] = []
const secrets = new Map<string, string>()
const keep = (what: string, secret: string) => {
  secrets.set(what, secret)
  return secret
}
const findSecrets = (texts: readonly string[]) =>
  [...secrets].filter(([, secret]) => texts.some((text) => text.includes(secret))).map(([what]) => what)

const printer = createConsoleLogger('debug', { write: (line) => void written.push(line) })
const note = (level: keyof Logger) => (fields: object, message: string) => {
  const shown = Object.values(fields).map((value) =>
    value instanceof Error ? `${value.name} ${value.message} ${value.stack}` : inspect(value, { depth: 5 }),
  )
  given.push(`${Object.keys(fields)} ${shown.join(' ')} ${message}`)
  printer[level](fields, message)
}
const logger: Logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }

const site = useSite({}, { logger })

async function tellBusyStory(): Promise<void> {
  const password = keep('a password', unique('Password'))
  const person = await site.createUser({ password })
  keep("a session's token", person.token)
  const signIn = (loginPwd: string) =>
    site.as(undefined).call(accounts.login, { loginName: person.email, loginPwd, terminalUUID: 'story' })
  keep("a fresh session's token", (await signIn(password)).token)
  await signIn(keep('a wrong password', unique('Wrong'))).catch(() => undefined)
  await site.as(person).call(accounts.provePassword, { password })

  const machine = await site.createMachine({
    owner: person.userId,
    password: keep('a label', unique('Label')),
  })
  keep("a machine's secret", machine.secret)
  const basic = (secret: string) => Buffer.from(`${machine.code}:${secret}`).toString('base64')
  keep('Basic credentials', basic(machine.secret))
  const wrongSecret = keep('a wrong secret', unique('Wrong'))
  const mqttOptions = { username: machine.code, clientId: machine.code, reconnectPeriod: 0 }
  const client = await connectAsync(site.mqttUrl, { ...mqttOptions, password: machine.secret })
  await connectAsync(site.mqttUrl, { ...mqttOptions, password: wrongSecret }).catch(() => undefined)
  await client.publishAsync(
    'v1/devices/me/telemetry',
    JSON.stringify({ key: keep('a payload', unique('Payload')) }),
    { qos: 1 },
  )
  await client.publishAsync(
    'v1/devices/me/telemetry',
    `{"broken": "${keep('a broken payload', unique('Broken'))}`,
    { qos: 1 },
  )
  await client.publishAsync('v1/devices/me/attributes', '[]', { qos: 1 })
  for (const secret of [machine.secret, wrongSecret]) {
    await fetch(`${site.url}/api/v1/ingest?token=${keep('a query', unique('Query'))}`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic(secret)}` },
      body: '{"posted": 1}',
    })
  }

  await openTestTunnel(site, machine, (stream) => {
    stream.respond({ ':status': 200, 'set-cookie': `hmi=${keep("a page's cookie", unique('Cookie'))}` })
    stream.end('page')
  })
  const denied = dialTestTunnel(site, { code: machine.code, secret: wrongSecret })
  await new Promise<void>((resolve) => denied.once('error', () => resolve()))
  const visit = await enterVisit(site, person, machine)
  keep('a visit cookie', visit.cookie.slice('visit='.length))
  await visit.request(`/settings?pin=${keep("a page's query", unique('Pin'))}`, { method: 'POST', body: 'x' })
  const opened = await site
    .as(person)
    .call(visits.openVisit, { machineID: machine.machineId, terminalID: 'story' })
  keep('the code of a visit', new URL(opened.url).searchParams.get('code') ?? opened.url)
  await fetch(opened.url).catch(() => undefined)

  const { ticket } = await site.as(person).call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, keep('a push ticket', ticket))
  page.watch(machine.machineId)
  await page.find((event) => (event.scene === 'values' ? true : undefined))
  const stranger = await PushClient.open(site.url, keep('a wrong sid', unique('sid')))
  await stranger.waitForClose()

  // The database fails with these very values in hand.
  await sql`alter table sessions rename to sessions_away`.execute(site.db)
  await site
    .as(person)
    .call(accounts.selectInfo, {})
    .catch(() => undefined)
  await signIn(password).catch(() => undefined)
  await sql`alter table sessions_away rename to sessions`.execute(site.db)
  page.close()
  await client.endAsync()
}

describe('logged lines', () => {
  it('a busy story at level debug: no secret that was used is in it', async () => {
    await tellBusyStory()
    expect(secrets.size).toBeGreaterThanOrEqual(16)
    expect(written.length).toBeGreaterThan(10)
    expect(written.join('')).toContain('request.failed')
    expect(findSecrets(given)).toEqual([])
    expect(findSecrets(written)).toEqual([])
  })

  it('a token in the path of a mail’s link is hidden wherever the path is logged', async () => {
    const token = unique('linkLetters')
    const paths = [
      ...Object.values(alarmContacts.linkPages),
      ...[alarmContacts.getContactRequest, alarmContacts.getUnsubscribe, alarmContacts.getAlarmLink].map(
        ({ path }) => path.replace(':token', ''),
      ),
    ]
    for (const path of paths) {
      expect(redactText(`GET ${path}${token} failed`)).toBe(`GET ${path}[hidden] failed`)
      await fetch(`${site.url}${path}${token}`)
    }
    expect(findSecrets([...given, ...written])).toEqual([])
    expect([...given, ...written].some((line) => line.includes(token))).toBe(false)
  })

  it('every line has time, level and msg', () => {
    for (const line of written) {
      const entry = JSON.parse(line) as Record<string, unknown>
      expect(entry).toMatchObject({
        level: expect.stringMatching(/^(debug|info|warn|error)$/),
        msg: expect.any(String),
      })
      expect(new Date(entry.time as string).toISOString()).toBe(entry.time)
    }
    const answered = written.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request.answered')
    expect(Object.keys(answered)).toEqual([
      'level',
      'time',
      'reqId',
      'method',
      'route',
      'status',
      'durationMs',
      'msg',
    ])
  })

  it('the search of this test finds a secret that was logged', () => {
    const lines: string[] = []
    const careless = createConsoleLogger('info', { write: (line) => void lines.push(line) })
    careless.info({ remark: secrets.get('a password') }, 'careless')
    expect(findSecrets(lines)).toEqual(['a password'])
  })

  it('an error of the database drags no row along', async () => {
    const secret = unique('Row')
    const lines: string[] = []
    const log = createConsoleLogger('info', { write: (line) => void lines.push(line) })
    const statements = [
      sql`insert into users (name, email, password_hash, lang) values (${secret}, ${secret}, ${secret}, 'nowhere')`,
      sql`select ${secret}::bigint`,
      sql`do ${sql.lit(`begin raise exception 'no' using detail = '${secret}', hint = '${secret}'; end`)}`,
    ]
    for (const statement of statements) {
      const error = await statement.execute(site.db).catch((reason: unknown) => reason)
      log.error({ err: error }, 'failed')
      log.error({ err: new Error('while storing', { cause: error }) }, 'failed')
    }
    expect(lines).toHaveLength(6)
    expect(lines.join('')).toContain('"code":"22P02"')
    expect(lines.join('')).not.toContain(secret)
  })

  it.each<[string, (secret: string) => [object, string]]>([
    ['under the name of a secret', (secret) => [{ login: { userPassword: secret } }, 'x']],
    ['in headers', (secret) => [{ headers: { Authorization: secret, 'set-cookie': [secret] } }, 'x']],
    [
      'in a query',
      (secret) => [{ url: `/visit/authorize?code=${secret}` }, `GET https://a.example/?code=${secret}`],
    ],
    ['in an address', (secret) => [{ database: `postgres://busbar:${secret}@db/busbar` }, 'x']],
    ['as credentials', (secret) => [{ header: `Basic ${secret}` }, `Bearer ${secret}`]],
    ['in an assignment', (secret) => [{ why: `password=${secret}` }, `token: "${secret}"`]],
    [
      'in an error',
      (secret) => [{ err: Object.assign(new Error('no'), { rawPacket: secret, request: { secret } }) }, 'x'],
    ],
    ['as bytes', (secret) => [{ bytes: Buffer.from(secret) }, 'x']],
  ])('cuts a secret out that stands %s', (_, entry) => {
    const secret = unique('Secret')
    const lines: string[] = []
    const log = createConsoleLogger('debug', { write: (line) => void lines.push(line) })
    log.warn(...entry(secret))
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain(secret)
  })
})
