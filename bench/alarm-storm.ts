import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { sql } from 'kysely'
import { startSite } from '../e2e/src/site.ts'
import type { StormOrder, StormResult } from './alarm-storm/machines.ts'
import { machineSecretHash } from './ingest/machines.ts'
import { codeOf, valuesPerMessage } from './ingest/messages.ts'
import { type ProviderPorts, payForSms, providersEnvironment } from './src/alarm-people.ts'
import { profileEnvironment } from './src/profile.ts'
import { describeMachine, printRows, quantile, showTimes } from './src/report.ts'
import { Worker } from './src/rpc.ts'

/* Machines that raise one critical alarm each at the same moment, against the acknowledgements of 1,000 other machines that
   publish at an even pace. Stretches without and with a storm take turns in one run. Each machine has an owner with a
   list, who is told of every alarm by push, message, SMS and e-mail; providers are stand-ins on loopback. Platform,
   machines, those with alarms and providers share one machine. */

const isShort = process.argv.includes('--short')
const calmMachines = 1_000
const stormMachines = isShort ? 1_000 : 10_000
const valuesPerSecond = 10_000
const messagesPerSecond = valuesPerSecond / valuesPerMessage
const roundsArgument = process.argv.find((arg) => arg.startsWith('--rounds='))?.slice('--rounds='.length)
const roundsCount = Number(roundsArgument ?? (isShort ? 2 : 3))
const stretchMs = isShort ? 5_000 : 10_000
const stormAfterMs = 500
const warmUpMs = 5_000
const machinesPerOwner = 100
const ratioTarget = 1.5
const keptMin = 0.9
/** Time without progress after which messages are no longer awaited. */
const silentMsMax = 15_000

interface Latency {
  readonly sent: number
  readonly ms: number
  readonly p50: number
  readonly p99: number
}

async function createOwnedMachines(db: Database, count: number): Promise<void> {
  const codes = Array.from({ length: count }, (_, number) => codeOf(number))
  await sql`
    insert into users (name, email, country_code, phone, password_hash)
    select 'Owner ' || n, 'owner' || n || '@example.test', '86', (13000000000 + n)::text, 'none'
    from generate_series(1, ${Math.ceil(count / machinesPerOwner)}::int) n`.execute(db)
  await sql`
    insert into machines (code, type, name, secret_hash, owner_user_id)
    select code, 'bench', code, ${machineSecretHash},
           (select min(id) from users) + place / ${machinesPerOwner}::int
    from unnest(${codes}::text[]) with ordinality as named (code, ordinal), lateral (select ordinal::int - 1 as place) p`.execute(
    db,
  )
  await sql`
    insert into machine_list_entries (user_id, machine_id, name)
    select owner_user_id, id, name from machines`.execute(db)
}

const median = (numbers: readonly number[]) => quantile(numbers, 0.5)

console.log(describeMachine())
const providers = await Worker.start('alarm-messages/providers.ts')
const ports = await providers.call<ProviderPorts>('listen')
const site = await startSite({ env: { ...providersEnvironment(ports), ...profileEnvironment() } })
const load = await Worker.start('ingest/generator.ts')
const storm = await Worker.start('alarm-storm/machines.ts')
try {
  const db = await site.openDatabase()
  await createOwnedMachines(db, calmMachines + stormMachines)
  await payForSms(db)
  const port = Number(new URL(site.mqttUrl).port)
  await load.call('open', { port, connections: calmMachines, topic: 'own' })
  const order: StormOrder = { port, from: calmMachines, count: stormMachines }
  await storm.call('open', order)
  const listen = (ms: number) => load.call<Latency>('sendOpen', { messagesPerSecond, ms })
  const raise = async (key: string) => {
    await sleep(stormAfterMs)
    return storm.call<StormResult>('raise', { key })
  }
  let messages = 0
  /** Waits until everyone has every message; returns when that was, from a moment on. */
  const tell = async (from: number) => {
    messages += 2 * stormMachines
    let accepted = 0
    let movedAt = performance.now()
    while (accepted < messages && performance.now() - movedAt < silentMsMax) {
      await sleep(20)
      const counts = await providers.call<{ sms: number; email: number }>('counts')
      if (counts.sms + counts.email > accepted) movedAt = performance.now()
      accepted = counts.sms + counts.email
    }
    return movedAt - from
  }

  // A first round warms the compilers up.
  await Promise.all([listen(warmUpMs), raise('E0')])
  await tell(performance.now())
  const rounds: { before: Latency; during: Latency; storm: StormResult; toldMs: number }[] = []
  for (let round = 1; round <= roundsCount; round++) {
    const before = await listen(stretchMs)
    const beganAt = performance.now() + stormAfterMs
    const [during, told, toldMs] = await Promise.all([listen(stretchMs), raise(`E${round}`), tell(beganAt)])
    rounds.push({ before, during, storm: told, toldMs })
    console.error(
      `round ${round}: p50 ${before.p50.toFixed(1)} and ${during.p50.toFixed(1)} ms, p99 ${before.p99.toFixed(1)} and ` +
        `${during.p99.toFixed(1)} ms, alarms p50 ${told.p50.toFixed(0)} ms, last after ${told.lastMs.toFixed(0)} ms, ` +
        `last message after ${(toldMs / 1_000).toFixed(1)} s`,
    )
  }
  const { rows } = await sql<{ alarms: number }>`
    select count(*)::int as alarms from alarms where key like 'E%' and cleared_at is null`.execute(db)
  const { rows: eventRows } = await sql<{ events: number }>`
    select count(*)::int as events from alarm_events where kind = 'raised'`.execute(db)
  const { rows: notes } = await sql<{ channel: string; state: string; reason: string; count: number }>`
    select channel, state, reason, count(*)::int as count from notifications group by 1, 2, 3 order by 1, 2, 3`.execute(
    db,
  )
  const { rows: again } = await sql<{ count: number }>`
    select count(*)::int as count from outgoing_attempts where attempt > 1`.execute(db)
  const accepted = await providers.call<{ sms: number; email: number }>('counts')
  await db.destroy()
  const wished = stormMachines * (roundsCount + 1)
  const stored = rows[0]?.alarms ?? 0
  const events = eventRows[0]?.events ?? 0
  const written = (channel: string, state?: string) =>
    notes
      .filter((row) => row.channel === channel && (state === undefined || row.state === state))
      .reduce((sum, { count }) => sum + count, 0)
  const isExplained =
    ['push', 'message', 'sms', 'email'].every((channel) => written(channel) === wished) &&
    notes.every(
      ({ state, reason }) => ['sent', 'delivered'].includes(state) || (state === 'skipped' && reason !== ''),
    )
  const isOnce =
    accepted.sms === written('sms', 'sent') &&
    accepted.email === written('email', 'sent') &&
    again[0]?.count === 0
  const rateOf = ({ sent, ms }: Latency) => (sent * 1_000) / ms
  const kept = quantile(
    rounds.map((round) => rateOf(round.during) / rateOf(round.before)),
    0.5,
  )

  const before = rounds.map((round) => round.before.p99)
  const during = rounds.map((round) => round.during.p99)
  const ratio = median(during) / median(before)
  const count = stormMachines.toLocaleString('en')
  printRows([
    { what: 'PUBACK p99 of the others without alarms', figure: showTimes(before), target: '' },
    { what: `the same while ${count} machines raise an alarm`, figure: showTimes(during), target: '' },
    {
      what: 'ratio',
      figure: `${ratio.toFixed(2)}×`,
      target: `at most ${ratioTarget}×`,
      met: ratio <= ratioTarget,
    },
    {
      what: 'alarms stored',
      figure: `${stored.toLocaleString('en')} of ${wished.toLocaleString('en')}`,
      target: 'all',
      met: stored === wished,
    },
    {
      what: 'their events',
      figure: `${events.toLocaleString('en')} of ${wished.toLocaleString('en')}`,
      target: 'all',
      met: events === wished,
    },
    {
      what: 'messages by channel, state and reason',
      figure: notes
        .map(({ channel, state, reason, count }) => `${channel} ${state}${reason && ` (${reason})`} ${count}`)
        .join(', '),
      target: 'each of 4 channels for every alarm, sent or with its reason',
      met: isExplained,
    },
    {
      what: 'SMS and e-mails that providers accepted',
      figure: `${accepted.sms} and ${accepted.email}`,
      target: 'as many as were sent, none twice',
      met: isOnce,
    },
    {
      what: 'until the last person is told by SMS and e-mail',
      figure: rounds.map(({ toldMs }) => `${(toldMs / 1_000).toFixed(1)} s`).join(', '),
      target: '',
    },
    {
      what: 'values acknowledged a second during a storm, of those without',
      figure: `${(kept * 100).toFixed(0)} %`,
      target: `at least ${keptMin * 100} %`,
      met: kept >= keptMin,
    },
    {
      what: 'until half of the alarms of a storm are stored, and the last',
      figure: `${showTimes(rounds.map((round) => round.storm.p50))}; ${showTimes(rounds.map((round) => round.storm.lastMs))}`,
      target: '',
    },
  ])
} finally {
  await load.stop()
  await storm.stop()
  await site.stop()
  await providers.stop()
}
