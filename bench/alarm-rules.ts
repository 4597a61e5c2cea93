import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { sql } from 'kysely'
import { startSite } from '../e2e/src/site.ts'
import { cpuSecondsOfTree } from './ingest/cpu.ts'
import { createMachines } from './ingest/machines.ts'
import { valuesPerMessage } from './ingest/messages.ts'
import { profileEnvironment } from './src/profile.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'
import { Worker } from './src/rpc.ts'

/* The processor time of the platform and its PostgreSQL at 50,000 points a second, without rules and with one on each
   variable of every machine. No rule raises an alarm: what is measured is the evaluation. Stretches without and with
   rules take turns; between them the platform starts anew, because rules that were not made by a call are found then. */

const isShort = process.argv.includes('--short')
const roundsCount = isShort ? 1 : 3
const rulesMax = 10_000
const machines = Math.ceil(rulesMax / valuesPerMessage)
const pointsPerSecond = 50_000
const messagesPerSecond = pointsPerSecond / valuesPerMessage
const warmUpMs = 4_000
const stretchMs = 8_000
const shareMax = 0.1

const conditionOn = (name: string, more: object) => ({ tag: { group: '', name }, ...more })
/** In turns over the machines, so that every kind of rule is among them. */
const conditions = {
  temp: [
    conditionOn('temp', { kind: 'threshold', op: '>', limit: 80, deadband: 2 }),
    conditionOn('temp', { kind: 'rate', perSecond: 5, overSeconds: 10 }),
  ],
  rpm: [
    conditionOn('rpm', { kind: 'threshold', op: '<', limit: 100, deadband: 10 }),
    conditionOn('rpm', { kind: 'noData', seconds: 300 }),
    {
      kind: 'all',
      rules: [
        conditionOn('rpm', { kind: 'threshold', op: '>', limit: 3_000, deadband: 50 }),
        conditionOn('temp', { kind: 'threshold', op: '>', limit: 70, deadband: 1 }),
      ],
    },
  ],
  running: [conditionOn('running', { kind: 'state', equals: 0 })],
}

async function createRules(db: Database): Promise<void> {
  for (const ofTag of Object.values(conditions))
    await sql`
      insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
      select id, 'major', ${JSON.stringify(ofTag)}::jsonb -> (id % ${ofTag.length}::int)::int, id % 3 * 5, 0,
             '{"en": "{tag} is {value}", "cn": "{tag} 为 {value}"}', now(), now()
      from machines order by id limit ${machines}`.execute(db)
  await sql`
    delete from alarm_rules where id in (select id from alarm_rules order by id desc offset ${rulesMax})`.execute(
    db,
  )
}

console.log(describeMachine())
const site = await startSite({ env: profileEnvironment() })
const load = await Worker.start('ingest/generator.ts')
const db = await site.openDatabase()
try {
  const port = Number(new URL(site.mqttUrl).port)
  await createMachines(db, machines)

  async function measure(): Promise<{ cpuS: number; points: number }> {
    await load.call('open', { port, connections: machines, topic: 'own' })
    await load.call('sendOpen', { messagesPerSecond, ms: warmUpMs })
    const before = cpuSecondsOfTree(site.pid)
    const { sent } = await load.call<{ sent: number }>('sendOpen', { messagesPerSecond, ms: stretchMs })
    const cpuS = cpuSecondsOfTree(site.pid) - before
    await load.call('close')
    await sleep(500)
    return { cpuS, points: sent * valuesPerMessage }
  }

  // A first stretch only creates the variables and warms them up.
  await measure()
  const without: number[] = []
  const withRules: number[] = []
  let points = 0
  for (let round = 1; round <= roundsCount; round++) {
    await site.start()
    const plain = await measure()
    await createRules(db)
    await site.start()
    const ruled = await measure()
    await sql`truncate alarm_rules cascade`.execute(db)
    without.push((plain.cpuS * 1e6) / plain.points)
    withRules.push((ruled.cpuS * 1e6) / ruled.points)
    points = ruled.points
    console.error(
      `round ${round}: ${plain.cpuS.toFixed(2)} s of processor for ${plain.points} points without rules, ` +
        `${ruled.cpuS.toFixed(2)} s for ${ruled.points} with`,
    )
  }
  const { rows } = await sql<{ alarms: number }>`select count(*)::int as alarms from alarms`.execute(db)
  const show = (each: readonly number[]) =>
    `${quantile(each, 0.5).toFixed(2)} µs (${Math.min(...each).toFixed(2)} to ${Math.max(...each).toFixed(2)})`
  const more = quantile(withRules, 0.5) / quantile(without, 0.5) - 1
  printRows([
    {
      what: 'points a second',
      figure: ((points * 1_000) / stretchMs).toFixed(0),
      target: String(pointsPerSecond),
    },
    { what: 'processor time a point without rules', figure: show(without), target: '' },
    {
      what: `the same with ${rulesMax.toLocaleString('en')} rules`,
      figure: show(withRules),
      target: '',
    },
    {
      what: 'more with rules',
      figure: `${(more * 100).toFixed(1)} %`,
      target: `at most ${shareMax * 100} %`,
      met: more <= shareMax,
    },
    { what: 'alarms', figure: String(rows[0]?.alarms), target: '0', met: rows[0]?.alarms === 0 },
  ])
} finally {
  await db.destroy()
  await load.stop()
  await site.stop()
}
