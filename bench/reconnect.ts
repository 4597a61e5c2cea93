import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, limits, telemetry } from '@busbar/contract'
import { type Database, openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { createUser } from '@busbar/testkit'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { sql } from 'kysely'
import { type OwnSite, startSite } from '../e2e/src/site.ts'
import { createMachines } from './ingest/machines.ts'
import type { Acknowledged, FleetOrder, Reconnected } from './reconnect/machines.ts'
import { profileEnvironment } from './src/profile.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'
import { Worker } from './src/rpc.ts'

/* 10,000 machines whose platform is killed with -9 and started again, against the same machines before a
   server that only accepts and answers: rounds of both take turns. The time runs from the first connection
   that is accepted to the last CONNACK. Every machine publishes around each kill and keeps one message in
   flight, so that kills meet messages at any point. In the end the history of each machine has to hold every
   message that was acknowledged, and no alarm may stand, though each machine has a rule on its value and one
   on its silence. PostgreSQL is a separate server and keeps running. */

const isShort = process.argv.includes('--short')
const machinesMax = isShort ? 1_000 : 10_000
const rounds = isShort ? 1 : 3
const sendEveryMs = 300
const sendsBeforeKill = 4
const timesMax = 2
const silenceS = 300
const hourMs = 3_600_000
const readsAtOnce = 4

async function createRules(db: Database): Promise<void> {
  const tag = { group: '', name: 'n' }
  const conditions = [
    { kind: 'threshold', tag, op: '<', limit: 0, deadband: 0 },
    { kind: 'noData', tag, seconds: silenceS },
  ]
  for (const condition of conditions)
    await sql`
      insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
      select id, 'major', ${JSON.stringify(condition)}::jsonb, 0, 0,
             '{"en": "{tag} is {value}", "cn": "{tag} 为 {value}"}', now(), now() from machines`.execute(db)
}

/** Publishes some times, with the kill while the last messages are under way. */
async function publishUntil(fleet: Worker, kill: () => Promise<void>): Promise<void> {
  for (let round = 0; round < sendsBeforeKill; round++) {
    await fleet.call('send')
    await sleep(sendEveryMs)
  }
  await fleet.call('send')
  await kill()
}

async function measureBare(fleet: Worker): Promise<Reconnected> {
  const port = await findFreePort('127.0.0.1')
  const start = async () => {
    const server = await Worker.start('reconnect/bare.ts')
    await server.call('listen', { port })
    return server
  }
  const first = await start()
  await fleet.call('open', { port, machines: machinesMax } satisfies FleetOrder)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const back = fleet.call<Reconnected>('comeBack')
  const second = await start()
  const took = await back
  await fleet.call('close')
  await second.stop()
  return took
}

async function measurePlatform(fleet: Worker, site: OwnSite): Promise<Reconnected & { startMs: number }> {
  await publishUntil(fleet, () => site.kill())
  const back = fleet.call<Reconnected>('comeBack')
  const beganAt = performance.now()
  await site.start()
  const startMs = performance.now() - beganAt
  return { ...(await back), startMs }
}

/** Messages that were acknowledged and are not in the history, of all machines. */
async function countMissing(db: Database, site: OwnSite, token: string, all: Acknowledged): Promise<number> {
  const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => token })
  const { rows } = await sql<{ id: number }>`
    select tags.id from tags join machines on machines.id = tags.machine_id
    where tags.name = 'n' order by machines.code`.execute(db)
  let missing = 0
  let next = 0
  const read = async () => {
    for (let from = next; from < rows.length; from = next) {
      next = from + limits.tagsPerHistory
      const tagIds = rows.slice(from, next).map(({ id }) => id)
      const range = { from: Date.now() - hourMs, to: Date.now() }
      const { series } = await client.call(telemetry.getHistory, {
        tagIds,
        ...range,
        agg: 'raw',
        points: 500,
      })
      const times = new Map(
        series.map(({ tagId, points }) => [tagId, new Set(points.map((point) => point[0]))]),
      )
      for (const [place, tagId] of tagIds.entries())
        for (const at of all[from + place] ?? []) if (!times.get(tagId)?.has(at)) missing++
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, read))
  return missing + (rows.length === machinesMax ? 0 : Number.NaN)
}

console.log(describeMachine())
const dir = await mkdtemp(join(tmpdir(), 'busbar-reconnect-'))
const postgres = await startPostgresServer({ dataDir: dir })
const db = openDatabase(postgres.connection, { poolMax: 2 })
const fleet = await Worker.start('reconnect/machines.ts')
let site: OwnSite | undefined
try {
  await migrate(db)
  const owner = await createUser(db)
  await createMachines(db, machinesMax)
  await sql`update machines set owner_user_id = ${owner.userId}`.execute(db)
  await sql`insert into machine_list_entries (user_id, machine_id, name)
            select ${owner.userId}, id, name from machines`.execute(db)
  await createRules(db)
  site = await startSite({ env: { DATABASE_URL: postgres.url, ...profileEnvironment() } })
  const order: FleetOrder = { port: Number(new URL(site.mqttUrl).port), machines: machinesMax }
  const bare: Reconnected[] = []
  const ours: (Reconnected & { startMs: number })[] = []
  const acknowledged: number[][] = Array.from({ length: machinesMax }, () => [])
  for (let round = 1; round <= rounds; round++) {
    bare.push(await measureBare(fleet))
    await fleet.call('open', order)
    ours.push(await measurePlatform(fleet, site))
    await fleet.call('send')
    for (const [place, times] of (await fleet.call<Acknowledged>('settle')).entries())
      acknowledged[place]?.push(...times)
    await fleet.call('close')
    console.error(
      `round ${round}: bare ${bare.at(-1)?.ms.toFixed(0)} ms, platform ${ours.at(-1)?.ms.toFixed(0)} ms, ` +
        `${ours.at(-1)?.failed} attempts failed, started in ${ours.at(-1)?.startMs.toFixed(0)} ms`,
    )
  }
  // Before the history is read: by then machines have been silent for long.
  const { rows } = await sql<{ alarms: number }>`select count(*)::int as alarms from alarms`.execute(db)
  const alarms = rows[0]?.alarms ?? Number.NaN
  const missing = await countMissing(db, site, owner.token, acknowledged)
  const msOf = (list: readonly Reconnected[]) => list.map(({ ms }) => ms)
  const show = (ms: readonly number[]) =>
    `${quantile(ms, 0.5).toFixed(0)} ms (${Math.min(...ms).toFixed(0)} to ${Math.max(...ms).toFixed(0)})`
  const times = quantile(msOf(ours), 0.5) / quantile(msOf(bare), 0.5)
  const count = acknowledged.reduce((sum, list) => sum + list.length, 0)
  printRows([
    {
      what: `${machinesMax} machines before a bare accept loop that answers with a CONNACK`,
      figure: show(msOf(bare)),
      target: '',
    },
    {
      what: 'the same before the platform, signed in',
      figure: `${show(msOf(ours))}: ${times.toFixed(1)} times`,
      target: `≤ ${timesMax} times`,
      met: times <= timesMax,
    },
    {
      what: 'the platform’s start after kill -9, to ready',
      figure: show(ours.map(({ startMs }) => startMs)),
      target: '',
    },
    {
      what: `acknowledged messages missing, of ${count}`,
      figure: String(missing),
      target: '0',
      met: missing === 0,
    },
    { what: 'false alarms', figure: String(alarms), target: '0', met: alarms === 0 },
  ])
} finally {
  await fleet.stop()
  await site?.stop()
  await db.destroy()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
}
