import { parseArgs } from 'node:util'
import { accounts, codes } from '@busbar/contract'
import { hashPassword } from '@busbar/platform/modules/accounts/index.ts'
import { createUser, type TestUser } from '@busbar/testkit'
import { type Site, startSite } from '../e2e/src/site.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* The cost of a sign-in, and whom it delays: the processor time of one password hash; the latency of another
   call with 20 sign-ins per second and without any, both at an even pace; and how long a sign-in and a
   request for a code take for an account that exists and one that does not, in turn. Platform and caller are
   two processes. */

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } })
const durationMs = Number(values.seconds) * 1_000
const loginsPerSecond = 20
const callsPerSecond = 100
const hashesCount = 40
const pairsCount = 100
const password = 'correct horse battery'
let addresses = 0

console.log(describeMachine())
printRows([await measureHash(), ...(await measureSite())])

/** One after the other in this process: the processor time of all threads. */
async function measureHash(): Promise<Row> {
  await hashPassword(password)
  const before = process.cpuUsage()
  for (let i = 0; i < hashesCount; i++) await hashPassword(password)
  const { user, system } = process.cpuUsage(before)
  const costMs = (user + system) / 1_000 / hashesCount
  return {
    what: 'argon2id of one sign-in, of a core',
    figure: `${costMs.toFixed(1)} ms`,
    target: 'about 50 ms',
  }
}

async function measureSite(): Promise<Row[]> {
  const site = await startSite({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const db = await site.openDatabase()
  try {
    const people = await createPeople(db, loginsPerSecond * Number(values.seconds))
    const reader = await createUser(db)
    await paced(callsPerSecond, 2_000, () => timed(() => readSelf(site, reader)))
    const alone = await paced(callsPerSecond, durationMs, () => timed(() => readSelf(site, reader)))
    const [besides, logins] = await Promise.all([
      paced(callsPerSecond, durationMs, () => timed(() => readSelf(site, reader))),
      paced(loginsPerSecond, durationMs, (place) => timed(() => signIn(site, people[place]?.email ?? ''))),
    ])
    return [
      { what: 'another call, nobody signing in', figure: spread(alone), target: '' },
      {
        what: `another call, ${loginsPerSecond} sign-ins a second`,
        figure: spread(besides),
        target: 'p99 < 10 ms',
        met: quantile(besides, 0.99) < 10,
      },
      { what: 'a sign-in at that pace', figure: spread(logins), target: '' },
      ...(await measurePairs(site, people)),
    ]
  } finally {
    await db.destroy()
    await site.stop()
  }
}

/** An account that exists and one that does not, in turn. */
async function measurePairs(site: Site, people: readonly TestUser[]): Promise<Row[]> {
  const rows: Row[] = []
  const wrong = (account: string) => signIn(site, account, 'wrong horse battery')
  const recover = (email: string) => send(site, codes.sendEmailCode.path, { email, purpose: 'resetPassword' })
  for (const [what, call] of [
    ['a wrong password', wrong],
    ['asking for a code to recover', recover],
  ] as const) {
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let pair = 0; pair < pairsCount; pair++) {
      times.known.push(await timed(() => call(people[pair]?.email ?? '')))
      times.unknown.push(await timed(() => call(`nobody${pair}@example.test`)))
    }
    const apartMs = Math.abs(quantile(times.known, 0.5) - quantile(times.unknown, 0.5))
    const noiseMs = quantile(times.known, 0.75) - quantile(times.known, 0.25)
    rows.push({
      what: `${what}: an account that exists, one that does not`,
      figure: `p50 ${quantile(times.known, 0.5).toFixed(1)} and ${quantile(times.unknown, 0.5).toFixed(1)} ms; half of all within ${noiseMs.toFixed(1)} ms`,
      target: 'not told apart',
      met: apartMs < noiseMs,
    })
  }
  return rows
}

/** People with one password, hashed once. */
async function createPeople(
  db: Awaited<ReturnType<Site['openDatabase']>>,
  count: number,
): Promise<TestUser[]> {
  const hash = await hashPassword(password)
  const people: TestUser[] = []
  for (let i = 0; i < count; i++) people.push(await createUser(db))
  await db.updateTable('users').set({ password_hash: hash }).where('password_hash', '=', 'none').execute()
  return people
}

/** Calls at an even pace, however long each takes; returns the milliseconds of each. */
async function paced(perSecond: number, forMs: number, call: (place: number) => Promise<number>) {
  const calls: Promise<number>[] = []
  const beganAt = performance.now()
  for (let place = 0; (place * 1_000) / perSecond < forMs; place++) {
    const waitMs = beganAt + (place * 1_000) / perSecond - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    calls.push(call(place))
  }
  return Promise.all(calls)
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now()
  await call()
  return performance.now() - beganAt
}

function readSelf(site: Site, reader: TestUser): Promise<void> {
  return send(site, accounts.selectInfo.path, {}, reader.token)
}

function signIn(site: Site, loginName: string, loginPwd = password): Promise<void> {
  return send(site, accounts.login.path, { loginName, loginPwd, terminalUUID: loginName.slice(0, 60) })
}

/** Each request comes from a different address, so that limits by address do not affect the measurement. */
async function send(site: Site, path: string, body: object, token?: string): Promise<void> {
  addresses++
  const response = await fetch(`${site.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
      ...(token ? { token } : {}),
    },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
}

function spread(times: readonly number[]): string {
  return `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`
}
