import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { listKept } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { isLongRun } from '@busbar/testkit/seeds.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { IngestProcessOptions, IngestProcessReady } from '../../test-support/gateway/ingest-process.ts'
import { LoadClient } from '../../test-support/gateway/load-client.ts'

const secret = 'a secret of this test'
const codes = ['1', '2', '3', '4'].map((digit) => digit.repeat(19))
const victims = ['platform', 'postgres', 'both'] as const
type Victim = (typeof victims)[number] | 'samples'
/** Acknowledged from one kill to the next. */
const messagesOfLife = 200
/** Kills of each kind. */
const killsOfEach = isLongRun() ? 7 : 1

let dataDir: string
let child: ChildProcess | undefined
let ready: IngestProcessReady
let samplesDir: string | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'busbar-kill-'))
  samplesDir = undefined
})

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  if (samplesDir) await rm(samplesDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

async function startPlatform(acknowledgesEarly: boolean): Promise<void> {
  const options: IngestProcessOptions = {
    dataDir,
    codes,
    secret,
    acknowledgesEarly,
    ...(samplesDir ? { samplesDir } : {}),
  }
  child = fork(
    join(import.meta.dirname, '../../test-support/gateway/ingest-process.ts'),
    [JSON.stringify(options)],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  await nextReady()
}

async function nextReady(): Promise<void> {
  if (!child) throw new Error('no platform')
  const ended = once(child, 'exit').then(() => {
    throw new Error('the platform ended before it was ready')
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [IngestProcessReady]
  // Its end is expected from now on.
  ended.catch(() => {})
  ready = message
}

async function kill(victim: Victim, acknowledgesEarly: boolean): Promise<void> {
  if (!child) throw new Error('no platform')
  if (victim === 'postgres' || victim === 'samples') {
    process.kill(victim === 'samples' ? ready.samplesPid : ready.postgresPid, 'SIGKILL')
    return nextReady()
  }
  if (victim === 'both')
    for (const pid of new Set([ready.postgresPid, ready.samplesPid])) process.kill(pid, 'SIGKILL')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await startPlatform(acknowledgesEarly)
}

type Acknowledged = Pick<LoadClient, 'code' | 'acknowledged'>

async function startLoad(acknowledgesEarly: boolean, factsEvery?: number) {
  await startPlatform(acknowledgesEarly)
  const firstAt = Date.now()
  const clients = codes.map(
    (code) =>
      new LoadClient({
        code,
        secret,
        port: ready.port,
        window: 25,
        firstAt,
        ...(factsEvery ? { factsEvery } : {}),
      }),
  )
  /** Kills one under load; answers the messages acknowledged before. */
  const killOne = async (victim: Victim): Promise<Acknowledged[]> => {
    const before = countAcknowledged(clients)
    // Under load means that it has been taking messages since the last kill.
    while (countAcknowledged(clients) < before + messagesOfLife) await sleep(5)
    await sleep(Math.random() * 100)
    const known = clients.map(({ code, acknowledged }) => ({ code, acknowledged: new Set(acknowledged) }))
    await kill(victim, acknowledgesEarly)
    for (const client of clients) client.moveTo(ready.port)
    return known
  }
  return { clients, killOne, listStored: () => listStored(firstAt) }
}

const countAcknowledged = (clients: readonly Acknowledged[]): number =>
  clients.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)

/** By machine and number: how often it is kept, and how often a reader sees it. */
type Stored = ReadonlyMap<string, ReadonlyMap<number, { readonly rows: number; readonly read: number }>>

async function listStored(firstAt: number): Promise<Stored> {
  const db = openDatabase(ready.databaseUrl, { poolMax: 1 })
  const { rows: tags } = await sql<{ id: number; code: string }>`
    select tags.id, code from tags join machines on machines.id = machine_id`.execute(db)
  const kept = await listKept(db)
  await db.destroy()
  const codeOf = new Map(tags.map(({ id, code }) => [id, code]))
  const seen = new Map<string, { code: string; number: number; offset: number; rows: number }>()
  for (const { tagId, at, value } of kept) {
    const key = `${tagId} ${at}`
    const code = codeOf.get(tagId) ?? ''
    const row = seen.get(key) ?? { code, number: Number(value), offset: at - firstAt, rows: 0 }
    seen.set(key, row)
    row.rows++
  }
  const stored = new Map<string, Map<number, { rows: number; read: number }>>()
  for (const row of seen.values()) {
    expect(row.offset).toBe(row.number)
    const ofMachine = stored.get(row.code) ?? new Map<number, { rows: number; read: number }>()
    stored.set(row.code, ofMachine)
    const before = ofMachine.get(row.number)
    ofMachine.set(row.number, { rows: row.rows + (before?.rows ?? 0), read: 1 + (before?.read ?? 0) })
  }
  return stored
}

const countMissing = (clients: readonly Acknowledged[], stored: Stored): number =>
  clients.reduce((sum, { code, acknowledged }) => {
    const ofMachine = stored.get(code)
    return sum + [...acknowledged].filter((number) => !ofMachine?.has(number)).length
  }, 0)

it('kill -9 of platform, PostgreSQL and both, again and again under load: nothing acknowledged is lost or stored twice', async () => {
  const { clients, killOne, listStored } = await startLoad(false)
  for (let round = 0; round < killsOfEach; round++) for (const victim of victims) await killOne(victim)
  const kills = killsOfEach * victims.length
  await Promise.all(clients.map((client) => client.drain()))
  const stored = await listStored()
  const acknowledged = countAcknowledged(clients)
  expect(acknowledged).toBeGreaterThan(messagesOfLife * kills)
  expect(countMissing(clients, stored)).toBe(0)
  for (const client of clients) {
    for (const [number, { rows, read }] of stored.get(client.code) ?? []) {
      expect(read).toBe(1)
      // A message sent once is stored once; only repeated sending can make a second row, which no reader sees.
      expect(rows).toBeLessThanOrEqual(client.sends.get(number) ?? 0)
    }
  }
  console.info(`${acknowledged} messages acknowledged through ${kills} kills, none missing, none double`)
}, 240_000)

it('kill -9 of the platform and of each of two servers: no sample, tag or alarm that was acknowledged is lost or double', async () => {
  samplesDir = await mkdtemp(join(tmpdir(), 'busbar-kill-samples-'))
  const { clients, killOne } = await startLoad(false, 50)
  for (let round = 0; round < killsOfEach; round++)
    for (const victim of [...victims, 'samples'] as const) await killOne(victim)
  await Promise.all(clients.map((client) => client.drain()))
  const db = openDatabase(ready.databaseUrl, { poolMax: 1 })
  const samplesDb = openDatabase(ready.samplesUrl, { poolMax: 1 })
  onTestFinished(() => Promise.all([db.destroy(), samplesDb.destroy()]).then(() => {}))
  const { rows: tags } = await sql<{ id: number; name: string; code: string }>`
    select tags.id, tags.name, code from tags join machines on machines.id = machine_id`.execute(db)
  const { rows: alarms } = await sql<{ key: string; code: string; count: number }>`
    select key, code, count from alarms join machines on machines.id = machine_id`.execute(db)
  const { rows: told } = await sql<{ count: number }>`
    select count(*)::int as count from facts where kind = 'alarm.raised'`.execute(db)
  const { rows: inMain } = await sql`select from sample_log limit 1`.execute(db)
  const tagById = new Map(tags.map((tag) => [tag.id, tag]))
  const kept = new Set<string>()
  for (const { tagId, value } of await listKept(samplesDb)) {
    const tag = tagById.get(tagId)
    expect(tag).toBeDefined()
    kept.add(`${tag?.code} ${tag?.name} ${Number(value)}`)
  }
  expect(inMain).toEqual([])
  expect(new Set(tags.map(({ code, name }) => `${code} ${name}`)).size).toBe(tags.length)
  const raised = new Map(alarms.map(({ key, code, count }) => [`${code} ${key}`, count]))
  expect(raised.size).toBe(alarms.length)
  expect(told[0]?.count).toBe(alarms.length)
  for (const client of clients) {
    for (const number of client.acknowledged) {
      if (client.isAlarm(number)) expect(raised.get(`${client.code} A${number}`)).toBe(1)
      else expect(kept.has(`${client.code} n ${number}`)).toBe(true)
      if (number % 50 === 0) expect(kept.has(`${client.code} n${number} ${number}`)).toBe(true)
    }
  }
  expect(countAcknowledged(clients)).toBeGreaterThan(messagesOfLife * killsOfEach * 4)
  console.info(
    `${countAcknowledged(clients)} acknowledged, ${alarms.length} of them alarms, ${tags.length} tags`,
  )
}, 240_000)

it('a store that acknowledges early loses: the test above would notice', async () => {
  const { clients, killOne, listStored } = await startLoad(true)
  let missing = 0
  for (let round = 0; round < 6 && missing === 0; round++)
    missing = countMissing(await killOne('platform'), await listStored())
  for (const client of clients) client.abandon()
  expect(missing).toBeGreaterThan(0)
}, 120_000)
