import { fromBinary } from '@bufbuild/protobuf'
import { DeviceInformSchema, Scene } from '@busbar/contract/push'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser } from '@busbar/testkit'
import { sql } from 'kysely'
import type { WebSocket } from 'ws'
import { createFleet, fleetCode, fleetSecret } from '../e2e/src/fleet.ts'
import { startSite } from '../e2e/src/site.ts'
import type { Accepted } from './alarm-messages/providers.ts'
import { type ProviderPorts, payForSms, providersEnvironment } from './src/alarm-people.ts'
import { steadyNowMs } from './src/clock.ts'
import { startLoadProcess } from './src/load-process.ts'
import { openPageSocket } from './src/page-socket.ts'
import { profileEnvironment } from './src/profile.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'
import { Worker } from './src/rpc.ts'

/* From a sample that passes a rule's limit to the acceptance of the SMS and of the e-mail, and to the frame in the owner's
   browser: 50 alarms a second, each of another machine, so that each is a first and goes by every channel at once. Beside
   them other machines publish values that pages watch. Providers are stand-ins on loopback that accept at once; platform,
   PostgreSQL, machines, providers and pages share one machine. */

const isShort = process.argv.includes('--short')
const alarmsPerSecond = 50
const roundsCount = isShort ? 1 : 3
const roundS = 10
const warmUpS = 5
const machinesPerPerson = 50
const valueMachines = 500
const valuesPerSecond = 500
const machinesPerSocket = 5
/** A session may have 10 sockets. */
const socketsPerPerson = 10
const settleMsMax = 10_000
const acceptedMsMax = 500
const frameMsMax = 25

const alarmMachines = alarmsPerSecond * (warmUpS + roundS * roundsCount)
const firstValueMachine = alarmMachines + 1

interface Person {
  readonly token: string
  readonly machineIds: readonly number[]
}

async function createPeople(db: Database, from: number, count: number, each: number): Promise<Person[]> {
  const people: Person[] = []
  for (let first = from; first < from + count; first += each) {
    const person = await createUser(db)
    await createFleet(db, person.userId, Math.min(each, from + count - first), first)
    const mine = await db
      .selectFrom('machines')
      .select('id')
      .where('owner_user_id', '=', person.userId)
      .orderBy('id')
      .execute()
    people.push({ token: person.token, machineIds: mine.map(({ id }) => id) })
  }
  return people
}

const createRules = (db: Database, machineIds: readonly number[]) =>
  sql`
  insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
  select id, 'critical', ${JSON.stringify({
    kind: 'threshold',
    op: '>',
    limit: 50,
    deadband: 0,
    tag: { group: '', name: 'pressure' },
  })}::jsonb, 0, 0, '{"en": "Pressure {value} too high", "cn": "压力 {value} 过高"}', now(), now()
  from unnest(${[...machineIds]}::bigint[]) as id`.execute(db)

console.log(describeMachine())
const providers = await Worker.start('alarm-messages/providers.ts')
const ports = await providers.call<ProviderPorts>('listen')
const site = await startSite({ env: { ...providersEnvironment(ports), ...profileEnvironment() } })
const machines = await Worker.start('alarm-messages/machines.ts')
const load = startLoadProcess()
const sockets: WebSocket[] = []
try {
  const db = await site.openDatabase()
  const owners = await createPeople(db, 1, alarmMachines, machinesPerPerson)
  const watchers = await createPeople(
    db,
    firstValueMachine,
    valueMachines,
    machinesPerSocket * socketsPerPerson,
  )
  await payForSms(db)
  await createRules(
    db,
    owners.flatMap(({ machineIds }) => machineIds),
  )
  await sql`vacuum (analyze) users, machines, machine_list_entries, alarms, tags, sms_stocks, alarm_rules`.execute(
    db,
  )
  // Rules inserted directly are loaded at a start.
  await site.start()

  const port = Number(new URL(site.mqttUrl).port)
  // Its public address does not exist.
  const url = `http://127.0.0.1:${site.facts.env.PORT}`
  const ages: number[] = []
  const framed = new Map<number, number>()
  for (const { token, machineIds } of watchers)
    for (let first = 0; first < machineIds.length; first += machinesPerSocket)
      sockets.push(
        await openPageSocket(url, token, machineIds.slice(first, first + machinesPerSocket), (age) =>
          ages.push(age),
        ),
      )
  for (const { token } of owners)
    sockets.push(
      await openPageSocket(
        url,
        token,
        [],
        () => {},
        (push) => {
          if (push.scene !== Scene.DEVICE_ALARM) return
          const number = Number(/1\d{5}/.exec(fromBinary(DeviceInformSchema, push.body).text)?.[0] ?? 0)
          if (!framed.has(number)) framed.set(number, steadyNowMs())
        },
      ),
    )
  await load.open({
    port,
    machines: Array.from({ length: valueMachines }, (_, place) => ({
      code: fleetCode(firstValueMachine + place),
      secret: fleetSecret,
    })),
  })
  await machines.call('open', { port, from: 1, count: alarmMachines })

  const alarmsOf = async (from: number, seconds: number) => {
    const order = { from, count: alarmsPerSecond * seconds, perSecond: alarmsPerSecond }
    const [sentAt] = await Promise.all([
      machines.call<[number, number][]>('raise', order),
      load.run({ messagesPerSecond: valuesPerSecond, durationMs: seconds * 1_000 }),
    ])
    const until = performance.now() + settleMsMax
    let counts = { sms: 0, email: 0 }
    while (Math.min(counts.sms, counts.email) < order.count && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      counts = await providers.call<typeof counts>('counts')
    }
    return { sentAt, accepted: await providers.call<Record<'sms' | 'email', Accepted[]>>('take') }
  }

  await alarmsOf(0, warmUpS)
  const times: Record<'sms' | 'email' | 'frames' | 'values', number[][]> = {
    sms: [],
    email: [],
    frames: [],
    values: [],
  }
  let missing = 0
  let twice = 0
  for (let round = 0; round < roundsCount; round++) {
    ages.length = 0
    const { sentAt, accepted } = await alarmsOf(alarmsPerSecond * (warmUpS + roundS * round), roundS)
    const atOf = (of: readonly Accepted[]) => new Map(of.map(({ number, at }) => [number, at]))
    const found = { sms: atOf(accepted.sms), email: atOf(accepted.email), frames: framed }
    for (const kind of ['sms', 'email', 'frames'] as const) {
      const took = sentAt.flatMap(([number, at]) => {
        const end = found[kind].get(number)
        return end === undefined ? [] : [end - at]
      })
      missing += sentAt.length - took.length
      times[kind].push(took)
    }
    // The second part of a long SMS names no alarm.
    for (const kind of ['sms', 'email'] as const)
      twice +=
        accepted[kind].filter(({ number }) => number > 0).length -
        [...found[kind].keys()].filter(Boolean).length
    times.values.push([...ages])
    console.error(
      `round ${round + 1}: ${(['sms', 'email', 'frames', 'values'] as const)
        .map(
          (kind) =>
            `${kind} p50 ${quantile(times[kind].at(-1) ?? [], 0.5).toFixed(0)}, p99 ${quantile(times[kind].at(-1) ?? [], 0.99).toFixed(0)} ms`,
        )
        .join('; ')}`,
    )
  }
  await db.destroy()

  const ofRounds = (kind: keyof typeof times, p: number) => times[kind].map((took) => quantile(took, p))
  const show = (kind: keyof typeof times, p: number) => {
    const each = ofRounds(kind, p)
    return `${quantile(each, 0.5).toFixed(0)} ms (${Math.min(...each).toFixed(0)} to ${Math.max(...each).toFixed(0)})`
  }
  const p99 = (kind: keyof typeof times) => quantile(ofRounds(kind, 0.99), 0.5)
  const behind = p99('frames') - p99('values')
  printRows([
    ...(['sms', 'email'] as const).map((kind) => ({
      what: `sample to the acceptance of the ${kind === 'sms' ? 'SMS' : 'e-mail'}: p50, p99`,
      figure: `${show(kind, 0.5)}, ${show(kind, 0.99)}`,
      target: `p99 at most ${acceptedMsMax} ms`,
      met: p99(kind) <= acceptedMsMax,
    })),
    {
      what: 'sample to the frame in the owner’s browser: p50, p99',
      figure: `${show('frames', 0.5)}, ${show('frames', 0.99)}`,
      target: '',
    },
    {
      what: 'a value in the same run: p50, p99',
      figure: `${show('values', 0.5)}, ${show('values', 0.99)}`,
      target: '',
    },
    {
      what: 'the frame behind the value at p99',
      figure: `${behind.toFixed(0)} ms`,
      target: `at most ${frameMsMax} ms`,
      met: behind <= frameMsMax,
    },
    {
      what: 'messages and frames that are missing, messages that came twice',
      figure: `${missing}, ${twice}`,
      target: '0, 0',
      met: missing === 0 && twice === 0,
    },
  ])
} finally {
  for (const socket of sockets) socket.terminate()
  await load.stop()
  await machines.stop()
  await site.stop()
  await providers.stop()
}
