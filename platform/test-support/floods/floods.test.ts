import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@busbar/agent/clock.ts'
import { startAgentTunnel } from '@busbar/agent/tunnel/agent-tunnel.ts'
import type { PageHandler } from '@busbar/agent/tunnel/page-handler.ts'
import { alarmLimits, createClient } from '@busbar/contract'
import {
  createMachine,
  createTestDatabase,
  createUser,
  enterVisit,
  type TestDatabase,
  type TestMachine,
  type TestUser,
  type VisitClient,
} from '@busbar/testkit'
import { isLongRun, pickTurns } from '@busbar/testkit/turns.ts'
import { sql } from 'kysely'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MainProcess, startMain } from '../processes/main-process.ts'
import type { AttackKind, AttackReport } from './attacks.ts'
import { Bystanders } from './bystanders.ts'
import { measureShare } from './machine-share.ts'

/** A flood does its harm within a second or two; in a long run it also goes on. */
const attackSeconds = isLongRun() ? 10 : 3
/** The platform cuts silent connections only after some seconds. */
const silenceSeconds = 10
const attackingMachines = 4
const historyTags = 16
const samplesOfTag = 20_000
const lineEveryMs = 100
/**
 * People notice a longer wait for an answer, and an agent sends its values again after it. On a machine that does other
 * work, too, it is as much longer as the platform's process waits for a core.
 */
const answeredMsMax = 1_000
const setUpMsMax = 120_000
const enterTriesMax = 100

let database: TestDatabase
let main: MainProcess
let attacker: ChildProcess
let tunnel: { stop(): void }
let mqtt: MqttClient
let visit: VisitClient
let person: TestUser
let attackingPerson: TestUser
let attacked: TestMachine
/** The person who floods with rules, and their device. */
let rules: { readonly token: string; readonly machineId: number; readonly tagIds: readonly number[] }
let tagIds: number[]
let machines: TestMachine[]

/** A page that sends lines for as long as they are read. */
const page: PageHandler = (request, answer) => {
  const out = answer.begin(200, { 'content-type': 'text/plain' })
  if (request.path !== '/lines') return void out.end('page')
  const timer = setInterval(() => {
    if (out.destroyed) clearInterval(timer)
    else out.write('line\n')
  }, lineEveryMs)
}

async function addTags(machineId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into tags (machine_id, group_name, name, type)
    select ${machineId}, '', 't' || n, 'float64' from generate_series(1, ${historyTags}) n returning id`.execute(
    database.db,
  )
  return rows.map(({ id }) => id)
}

async function addHistory(machineId: number): Promise<number[]> {
  const ids = await addTags(machineId)
  await sql`
    insert into samples (tag_id, at, received_at, quality, late, num)
    select id, now() - n * interval '5 s', now() - n * interval '5 s', 0, false, sin(n)
    from unnest(${ids}::bigint[]) id, generate_series(1, ${samplesOfTag}::int) n`.execute(database.db)
  return ids
}

/** As many rules as a machine may have, each on a separate variable. */
async function addRules(machineId: number): Promise<void> {
  const count = alarmLimits.alarmRulesPerMachine
  await sql`
    insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
    select ${machineId}, 'major', jsonb_build_object('kind', 'threshold', 'tag',
        jsonb_build_object('group', '', 'name', 'v' || n), 'op', '>', 'limit', 100000, 'deadband', 0),
      0, 0, '{"cn": "{tag} 过高", "en": "{tag} is too high"}'::jsonb, now(), now()
    from generate_series(0, ${count - 1}::int) n`.execute(database.db)
}

/** Enters after the machine's tunnel is connected. */
async function enter(user: TestUser, machine: TestMachine): Promise<VisitClient> {
  const webPort = Number(new URL(main.url).port)
  for (let tries = 1; ; tries++) {
    try {
      const entered = await enterVisit({ webPort }, user, machine)
      if ((await entered.request('/')).status === 200) return entered
    } catch (error) {
      if (tries >= enterTriesMax) throw error
    }
    await sleep(100)
  }
}

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  person = await createUser(db)
  attackingPerson = await createUser(db)
  const visited = await createMachine(db, { owner: person.userId })
  const other = await createMachine(db, { owner: person.userId })
  attacked = await createMachine(db, { owner: attackingPerson.userId })
  tagIds = await addHistory(attacked.machineId)
  // With calls left, however many the other floods made.
  const ruleMaker = await createUser(db)
  const { machineId } = await createMachine(db, { owner: ruleMaker.userId })
  rules = { token: ruleMaker.token, machineId, tagIds: await addTags(machineId) }
  machines = []
  for (let n = 0; n < attackingMachines; n++)
    machines.push(await createMachine(db, { owner: attackingPerson.userId }))

  for (const { machineId } of machines) await addRules(machineId)
  main = await startMain({
    DATABASE_URL: database.url,
    SMS_RECEIPT_TOKEN: 'token-of-the-flooded-sms-service',
  })
  attacker = fork(join(import.meta.dirname, 'attacker.ts'))
  const url = main.url.replace(/^http/, 'ws')
  tunnel = startAgentTunnel(
    {
      cloud: {
        url: '',
        code: visited.code,
        secret: visited.secret,
        outboxSamplesMax: 1_000,
        tunnel: `${url}/tunnel`,
      },
      targets: [],
      tcp: [],
    },
    { page, clock: systemClock, log: () => undefined, random: Math.random },
  )
  visit = await enter(person, visited)
  mqtt = await connectAsync(`mqtt://127.0.0.1:${main.mqttPort}`, {
    username: other.code,
    password: other.secret,
    clientId: other.code,
  })
}, setUpMsMax)

afterAll(async () => {
  await mqtt.endAsync(true)
  tunnel.stop()
  attacker.kill('SIGKILL')
  main.child.kill('SIGKILL')
  await once(main.child, 'exit')
  await database.drop()
})

async function attack(kind: AttackKind, seconds: number): Promise<AttackReport> {
  attacker.send({
    kind,
    durationMs: seconds * 1_000,
    url: main.url,
    webPort: Number(new URL(main.url).port),
    mqttPort: main.mqttPort,
    token: attackingPerson.token,
    machineId: attacked.machineId,
    tagIds,
    machines,
    ...(kind === 'rules' ? rules : {}),
  })
  const [report] = (await once(attacker, 'message')) as [AttackReport]
  return report
}

/**
 * `sentMin`: how much of a flood the platform deals with in a second while it has a core for itself; one that is busy with
 * each part takes less.
 */
const floods: readonly { kind: AttackKind; name: string; sentMin: number; seconds?: number }[] = [
  { kind: 'documents', name: 'GETs of the API document', sentMin: 200 },
  { kind: 'bodies', name: 'bodies with 110,000 fields, sent without a session', sentMin: 20 },
  { kind: 'history', name: '48 history queries of one person at a time', sentMin: 2 },
  { kind: 'watches', name: '50 push sockets that watch and unwatch', sentMin: 100 },
  { kind: 'pings', name: 'PINGREQ packets', sentMin: 0.4 },
  { kind: 'values', name: 'values from a few machines', sentMin: 30 },
  { kind: 'crossings', name: 'values that cross the limits of 800 rules', sentMin: 1 },
  { kind: 'alarms', name: 'critical alarms with long texts', sentMin: 0.4 },
  { kind: 'links', name: 'tokens of mail links and SMS receipts, guessed by strangers', sentMin: 50 },
  { kind: 'rules', name: 'rules that one person adds and removes', sentMin: 5 },
  { kind: 'files', name: 'files of rules, as long as they may be', sentMin: 0.5 },
  {
    kind: 'unfinished',
    name: 'packets that never end and connections that say nothing',
    sentMin: 200,
    seconds: silenceSeconds,
  },
]

describe('others are served during a flood of', () => {
  test.each(pickTurns('floods', floods, 4))('$name', async ({ kind, sentMin, seconds = attackSeconds }) => {
    const client = createClient({ baseUrl: main.url, lang: () => 'en', token: () => person.token })
    const bystanders = new Bystanders({ visit, client, machine: mqtt })
    await bystanders.start()
    const share = await measureShare(main.child.pid ?? 0)
    const { sent } = await attack(kind, seconds)
    const fate = await bystanders.stop()
    const slowed = await share()
    expect((sent / seconds) * slowed).toBeGreaterThanOrEqual(sentMin)
    expect(fate).toMatchObject({ visit: 'open', failedCalls: [] })
    expect(fate.lines).toBeGreaterThan(0)
    expect(fate.slowestCallMs).toBeLessThan(answeredMsMax * slowed)
    expect(fate.slowestAcknowledgementMs).toBeLessThan(answeredMsMax * slowed)
  })
})
