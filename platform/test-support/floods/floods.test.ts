import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { alarmLimits } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  createMachine,
  createUser,
  type TestDatabase,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { isLongRun } from '@busbar/testkit/seeds.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AttackTarget } from './attack-target.ts'
import type { AttackKind, AttackReport } from './attacks.ts'
import { type FloodSite, openFloodSite } from './flood-site.ts'
import { measureShare } from './machine-share.ts'

/** A flood does its harm within a second or two; in a long run it also goes on. */
const attackSeconds = isLongRun() ? 10 : 3
/** The platform cuts silent connections only after some seconds. */
const silenceSeconds = 10
const attackingMachines = 4
const historyTags = 16
const samplesOfTag = 20_000
/**
 * People notice a longer wait for an answer, and an agent sends its values again after it. On a machine that does other
 * work, too, it is as much longer as the platform's process waits for a core.
 */
const answeredMsMax = 1_000
const setUpMsMax = 120_000
/** With the attacker's own preparations, on a machine that does other work. */
const floodMsMax = 120_000

let site: FloodSite
let attacker: ChildProcess
let attackingPerson: TestUser
let attacked: TestMachine
/** People with calls left, however many the other floods made, and a device of each. */
let others: Partial<Record<AttackKind, Partial<AttackTarget>>>
/** For destinations that never read. */
let receiverPort: number
let tagIds: number[]
let machines: TestMachine[]

async function addTags(db: Database, machineId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into tags (machine_id, group_name, name, type)
    select ${machineId}, '', 't' || n, 'float64' from generate_series(1, ${historyTags}) n returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

async function addHistory(db: Database, machineId: number): Promise<number[]> {
  const ids = await addTags(db, machineId)
  await sql`
    insert into samples (tag_id, at, received_at, quality, late, num)
    select id, now() - n * interval '5 s', now() - n * interval '5 s', 0, false, sin(n)
    from unnest(${ids}::bigint[]) id, generate_series(1, ${samplesOfTag}::int) n`.execute(db)
  return ids
}

/** As many rules as a machine may have, each on a separate variable. */
async function addRules(db: Database, machineId: number): Promise<void> {
  const count = alarmLimits.alarmRulesPerMachine
  await sql`
    insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
    select ${machineId}, 'major', jsonb_build_object('kind', 'threshold', 'tag',
        jsonb_build_object('group', '', 'name', 'v' || n), 'op', '>', 'limit', 100000, 'deadband', 0),
      0, 0, '{"cn": "{tag} 过高", "en": "{tag} is too high"}'::jsonb, now(), now()
    from generate_series(0, ${count - 1}::int) n`.execute(db)
}

async function addPerson(db: Database): Promise<Partial<AttackTarget>> {
  const { userId, token } = await createUser(db)
  const machine = await createMachine(db, { owner: userId })
  const { machineId } = machine
  return { token, machineId, machines: [machine], tagIds: await addTags(db, machineId) }
}

async function prepare({ db }: TestDatabase): Promise<void> {
  attackingPerson = await createUser(db)
  attacked = await createMachine(db, { owner: attackingPerson.userId })
  tagIds = await addHistory(db, attacked.machineId)
  others = { rules: await addPerson(db), unreadRows: await addPerson(db), tests: await addPerson(db) }
  for (const kind of ['halfOpen', 'unreadStreams', 'shortStreams'] as const)
    others[kind] = await addPerson(db)
  machines = []
  for (let n = 0; n < attackingMachines; n++)
    machines.push(await createMachine(db, { owner: attackingPerson.userId }))
  for (const { machineId } of machines) await addRules(db, machineId)
}

beforeAll(async () => {
  receiverPort = await findFreePort('127.0.0.1')
  site = await openFloodSite(
    {
      SMS_RECEIPT_TOKEN: 'token-of-the-flooded-sms-service',
      OUTGOING_ALLOWED_NETWORKS: `* 127.0.0.1:${receiverPort}`,
    },
    { prepare },
  )
  attacker = fork(join(import.meta.dirname, 'attacker.ts'))
}, setUpMsMax)

afterAll(async () => {
  attacker.kill('SIGKILL')
  await site.close()
})

async function attack(kind: AttackKind, seconds: number): Promise<AttackReport> {
  attacker.send({
    kind,
    durationMs: seconds * 1_000,
    url: site.main.url,
    webPort: site.webPort,
    mqttPort: site.main.mqttPort,
    token: attackingPerson.token,
    machineId: attacked.machineId,
    tagIds,
    ...{ machines, receiverPort },
    ...others[kind],
  })
  const [report] = (await once(attacker, 'message')) as [AttackReport]
  return report
}

/**
 * `sentMin`: less than the platform deals with in a second while it has a core for itself, and enough to be a flood; one that
 * is busy with each part takes less. The first document of all is also made and packed.
 */
const floods: readonly { kind: AttackKind; name: string; sentMin: number; seconds?: number }[] = [
  { kind: 'documents', name: 'GETs of the API document', sentMin: 20 },
  { kind: 'bodies', name: 'bodies with 110,000 fields, sent without a session', sentMin: 20 },
  { kind: 'history', name: '48 history queries of one person at a time', sentMin: 2 },
  { kind: 'watches', name: '50 push sockets that watch and unwatch', sentMin: 100 },
  { kind: 'pings', name: 'PINGREQ packets', sentMin: 0.4 },
  { kind: 'values', name: 'values from a few machines', sentMin: 30 },
  { kind: 'crossings', name: 'values that cross the limits of 800 rules', sentMin: 1 },
  { kind: 'alarms', name: 'critical alarms with long texts', sentMin: 0.4 },
  {
    kind: 'links',
    name: 'tokens of mail links, setup links and SMS receipts, guessed by strangers',
    sentMin: 50,
  },
  { kind: 'registrations', name: 'machines that one person registers', sentMin: 5 },
  { kind: 'rules', name: 'rules that one person adds and removes', sentMin: 5 },
  { kind: 'files', name: 'files of rules, as long as they may be', sentMin: 0.5 },
  { kind: 'projectKeys', name: 'keys of projects, guessed by strangers', sentMin: 50 },
  { kind: 'unreadRows', name: 'rows that nobody reads', sentMin: 2 },
  { kind: 'tests', name: 'tests of a silent destination', sentMin: 20 },
  { kind: 'tickets', name: 'tickets of ports, guessed by strangers', sentMin: 50 },
  { kind: 'halfOpen', name: '1,000 half-open streams to ports', sentMin: 30 },
  { kind: 'unreadStreams', name: 'streams to a port that their program never reads', sentMin: 10 },
  { kind: 'shortStreams', name: 'streams to a port that are opened and ended at once', sentMin: 5 },
  {
    kind: 'unfinished',
    name: 'packets that never end and connections that say nothing',
    sentMin: 200,
    seconds: silenceSeconds,
  },
]

describe('others are served during a flood of', () => {
  test.each(floods)(
    '$name',
    async ({ kind, sentMin, seconds = attackSeconds }) => {
      const bystanders = site.createBystanders()
      await bystanders.start()
      const share = await measureShare(site.main.child.pid ?? 0)
      const { sent } = await attack(kind, seconds)
      const fate = await bystanders.stop()
      const slowed = await share()
      expect((sent / seconds) * slowed).toBeGreaterThanOrEqual(sentMin)
      expect(fate).toMatchObject({ visit: 'open', port: 'open', failedCalls: [] })
      expect(fate.lines).toBeGreaterThan(0)
      expect(fate.slowestCallMs).toBeLessThan(answeredMsMax * slowed)
      expect(fate.slowestAcknowledgementMs).toBeLessThan(answeredMsMax * slowed)
      expect(fate.slowestAnswerMs).toBeLessThan(answeredMsMax * slowed)
    },
    floodMsMax,
  )
})
