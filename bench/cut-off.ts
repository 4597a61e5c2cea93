import { setTimeout as sleep } from 'node:timers/promises'
import { access, accounts } from '@busbar/contract'
import { createMachine, createUser, grantMachine, proveSession, signIn } from '@busbar/testkit'
import { steadyNowMs } from './src/clock.ts'
import { openMqtt } from './src/mqtt-socket.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'
import type { HoldOrder, SeenCut } from './tunnel/load.ts'
import { benchTargets, type PageAddress } from './tunnel/names.ts'
import type { CheckOrder } from './tunnel/platform.ts'
import { type BenchMachine, startTunnelSite } from './tunnel/site.ts'

/* How long a person still receives data after losing the right: from the commit of the change, made by the
   real call, to the last byte of a running download (100 Mbit/s) and of a running WebSocket (500 frames/s),
   as the visitor's own process sees them. Four ways to lose a right take turns. Then the same while 5,000
   other streams are held open, and what it takes to cut all of one machine's at once. Last the price of
   asking for the right at every request, and how soon a machine is gone whose secret was reset. Platform,
   agents, page, visitors and database are separate processes; clocks are the machine's one steady clock. */

const repetitions = { idle: 200, crowded: 48, secrets: 200 }
const crowd = { machines: 40, visitors: 5, streamsEach: 25, visitsPerSessionMax: 20 }
const checks = { rounds: 7, checks: 20_000 }
const runMs = { least: 40, spread: 60 }
/**
 * A visit is cut first and its end is written afterwards: a visitor who enters in between meets a visit that
 * is just ending.
 */
const settleMs = 80
/** A lost right is followed within one second. */
const cutMsMax = 1_000

const forever = -1

console.log(describeMachine())
const site = await startTunnelSite()
try {
  const owner = await createUser(site.db)
  await proveSession(site.db, owner.sessionId)
  const visitor = await createUser(site.db)
  const machine = await createMachine(site.db, { owner: owner.userId })
  const grantId = await grantMachine(site.db, visitor.userId, machine.machineId, { role: 'visitor' })
  await site.openTunnels([machine])

  const keys = site.as(owner)
  const { machineId } = machine
  let session = { ...visitor }
  const losses: Loss[] = [
    {
      lose: () => keys.call(access.endVisitTime, { visitAlidTimeID: grantId, machineID: machineId }),
      restore: () => keys.call(access.setVisitTime, { visitTimeId: grantId, visitTime: forever }),
    },
    {
      lose: () =>
        keys.call(access.setReadOnly, { machineID: machineId, userID: visitor.userId, limitRead: 1 }),
      restore: () =>
        keys.call(access.setReadOnly, { machineID: machineId, userID: visitor.userId, limitRead: 0 }),
    },
    {
      lose: () => keys.call(access.setCloudService, { machineID: machineId, state: false }),
      restore: () => keys.call(access.setCloudService, { machineID: machineId, state: true }),
    },
    {
      lose: () => site.as(session).call(accounts.removeTerminal, { id: session.sessionId }),
      async restore() {
        session = { ...session, ...(await signIn(site.db, visitor.userId)) }
      },
    },
  ]
  const measureCuts = async (count: number) => {
    const cuts: Cut[] = []
    for (let round = 0; round < count; round++) {
      const address = await site.enter(session, machine)
      cuts.push(await measureCut(address, losses[round % losses.length] as Loss))
    }
    return cuts
  }

  const alone = await measureCuts(repetitions.idle)
  const rows = [...showCuts(`${repetitions.idle} cuts`, alone), await measureCheck(session, machine)]
  const machines = await createCrowd(owner.userId)
  const held = await site.platform.call<number>('streamCount')
  console.log(`${held} streams are held`)
  const crowded = await measureCuts(repetitions.crowded)
  rows.push(...showCuts(`${repetitions.crowded} cuts beside ${held} open streams`, crowded))
  const wholes: number[] = []
  for (const [place, { machineId: machineID }] of machines.entries()) {
    await site.platform.call('awaitChange')
    await keys.call(access.setCloudService, { machineID, state: false })
    const committedAt = await site.platform.call<number>('committedAt')
    const range = { from: place * crowd.visitors, to: (place + 1) * crowd.visitors }
    const seen = await site.load.call<SeenCut[]>('seenHeldCut', range)
    wholes.push(Math.max(...seen.map(({ closedAt }) => closedAt)) - committedAt)
  }
  const each = crowd.visitors * crowd.streamsEach
  rows.push(showMs(`all ${each} streams of a machine, ${held} open: commit to the last one's end`, wholes))
  rows.push(await measureSecrets(machine, () => keys.call(access.resetSecret, { machineID: machineId })))
  printRows(rows)
} finally {
  await site.stop()
}

interface Loss {
  lose(): Promise<unknown>
  restore(): Promise<unknown>
}

/** Milliseconds from the commit, and from before the call. */
interface Cut {
  readonly download: number
  readonly socket: number
  readonly fromCall: number
}

async function measureCut(address: PageAddress, { lose, restore }: Loss): Promise<Cut> {
  await site.load.call('watch', { address })
  await sleep(runMs.least + Math.random() * runMs.spread)
  await site.platform.call('awaitChange')
  const calledAt = steadyNowMs()
  await lose()
  const { download, socket } = await site.load.call<{ download: SeenCut; socket: SeenCut }>('seenCut')
  const committedAt = await site.platform.call<number>('committedAt')
  await sleep(settleMs)
  await restore()
  return {
    download: download.lastByteAt - committedAt,
    socket: socket.lastByteAt - committedAt,
    fromCall: Math.max(download.lastByteAt, socket.lastByteAt) - calledAt,
  }
}

function showCuts(title: string, cuts: readonly Cut[]): Row[] {
  return [
    showMs(
      `${title}: commit to the last byte of a download`,
      cuts.map(({ download }) => download),
    ),
    showMs(
      `${title}: commit to the last frame of a WebSocket`,
      cuts.map(({ socket }) => socket),
    ),
    showMs(
      `${title}: from before the call to the last byte of both`,
      cuts.map(({ fromCall }) => fromCall),
    ),
  ]
}

function showMs(what: string, took: readonly number[]): Row {
  const most = Math.max(...took)
  const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)].map((ms) => ms.toFixed(1))
  return {
    what,
    figure: `p50 ${p50} ms, p99 ${p99} ms, max ${most.toFixed(1)} ms`,
    target: `≤ ${cutMsMax / 1_000} s`,
    met: most <= cutMsMax,
  }
}

/** Opens the streams of many machines' visitors, who watch. */
async function createCrowd(ownerId: number): Promise<BenchMachine[]> {
  const machines: BenchMachine[] = []
  for (let made = 0; made < crowd.machines; made++)
    machines.push(await createMachine(site.db, { owner: ownerId }))
  await site.openTunnels(machines)
  const people = await Promise.all(Array.from({ length: crowd.visitors }, () => createUser(site.db)))
  const sessions = new Map(people.map((person) => [person.userId, person.sessionId]))
  const addresses: PageAddress[] = []
  for (const [place, machine] of machines.entries()) {
    for (const { userId } of people) {
      if (place > 0 && place % crowd.visitsPerSessionMax === 0)
        sessions.set(userId, (await signIn(site.db, userId)).sessionId)
      await grantMachine(site.db, userId, machine.machineId, { role: 'visitor' })
      const sessionId = sessions.get(userId) ?? 0
      addresses.push(await site.enter({ userId, sessionId }, machine, benchTargets.watch))
    }
  }
  await site.load.call('hold', { addresses, streamsEach: crowd.streamsEach } satisfies HoldOrder)
  return machines
}

async function measureCheck(
  user: { userId: number; sessionId: number },
  machine: BenchMachine,
): Promise<Row> {
  const { cookie = '', host = '' } = await site.enter(user, machine)
  const order: CheckOrder = { cookie, host: host.replace(/:\d+$/, ''), ...checks }
  const took = await site.platform.call<number[]>('measureCheck', order)
  const [p50, least, most] = [quantile(took, 0.5), Math.min(...took), Math.max(...took)].map((us) =>
    us.toFixed(2),
  )
  return {
    what: `the right of a request, from memory: visit found, stream held and released; ${checks.rounds} rounds`,
    figure: `${p50} µs (${least} to ${most})`,
    target: '',
  }
}

/** From the commit of a new secret to the end of the machine's MQTT connection under the old one. */
async function measureSecrets(machine: BenchMachine, reset: () => Promise<{ secret: string }>): Promise<Row> {
  const took: number[] = []
  let { secret } = machine
  for (let round = 0; round < repetitions.secrets; round++) {
    const closedAt = await openMqtt(site.mqttPort, machine.code, secret)
    await site.platform.call('awaitChange')
    secret = (await reset()).secret
    const at = await closedAt()
    took.push(at - (await site.platform.call<number>('committedAt')))
  }
  return showMs(
    `${repetitions.secrets} secrets reset: commit to the end of the machine's MQTT connection`,
    took,
  )
}
