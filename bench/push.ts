import { createUser } from '@busbar/testkit'
import type { WebSocket } from 'ws'
import { createFleet, fleetCode, fleetSecret } from '../e2e/src/fleet.ts'
import { startSite } from '../e2e/src/site.ts'
import { proveGenerator, startLoadProcess } from './src/load-process.ts'
import type { LoadResult } from './src/mqtt-load.ts'
import { openPageSocket } from './src/page-socket.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'

/* From a machine's PUBLISH to the frame at a WebSocket client: 1,000 machines, one message a second each, 200 sockets
   that watch five machines each and so get five updates a second. Platform, generator and clients are three processes
   on one machine. Every value is the instant it was sent, so each frame tells its own age. */

const machines = 1_000
const messagesPerSecond = 1_000
const machinesPerSocket = 5
/** A session may have 10 sockets. */
const socketsPerPerson = 10
const warmUpMs = 5_000
const roundsCount = 5
const durationMs = 10_000
/** For frames that are still on their way when the generator has its last acknowledgement. */
const settleMs = 500
const p99TargetMs = 25

const labels = Array.from({ length: machines }, (_, place) => ({
  code: fleetCode(place + 1),
  secret: fleetSecret,
}))

console.log(describeMachine())
const provenRate = await proveGenerator(labels, 2 * messagesPerSecond, 5_000)
console.log(`generator alone: ${provenRate.toFixed(0)} messages/s`)

const site = await startSite()
const load = startLoadProcess()
const sockets: WebSocket[] = []
try {
  const db = await site.openDatabase()
  const ages: number[] = []
  const perPerson = socketsPerPerson * machinesPerSocket
  for (let from = 1; from <= machines; from += perPerson) {
    const person = await createUser(db)
    await createFleet(db, person.userId, perPerson, from)
    const mine = await db
      .selectFrom('machine_list_entries')
      .select('machine_id')
      .where('user_id', '=', person.userId)
      .orderBy('machine_id')
      .execute()
    for (let first = 0; first < mine.length; first += machinesPerSocket) {
      const watched = mine.slice(first, first + machinesPerSocket).map((row) => row.machine_id)
      sockets.push(await openPageSocket(site.url, person.token, watched, (age) => ages.push(age)))
    }
  }
  await db.destroy()
  await load.open({ port: Number(new URL(site.mqttUrl).port), machines: labels })

  await load.run({ messagesPerSecond, durationMs: warmUpMs })
  const rounds: { ages: number[]; result: LoadResult }[] = []
  for (let round = 0; round < roundsCount; round++) {
    ages.length = 0
    const result = await load.run({ messagesPerSecond, durationMs })
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    rounds.push({ ages: [...ages], result })
    console.log(
      `round ${round + 1}: ${result.published} published, ${ages.length} updates at ${sockets.length} sockets, ` +
        `p99 ${quantile(ages, 0.99).toFixed(1)} ms; the generator was at most ${result.latenessMaxMs.toFixed(1)} ms behind its plan`,
    )
  }

  const published = rounds.reduce((sum, { result }) => sum + result.published, 0)
  const arrived = rounds.reduce((sum, round) => sum + round.ages.length, 0)
  const ofRounds = (p: number) => rounds.map((round) => quantile(round.ages, p)).sort((x, y) => x - y)
  const median = (numbers: readonly number[]) => numbers[Math.floor(numbers.length / 2)] ?? Number.NaN
  const show = (numbers: readonly number[]) =>
    `${median(numbers).toFixed(1)} ms (${numbers[0]?.toFixed(1)} to ${numbers.at(-1)?.toFixed(1)})`
  const p99 = ofRounds(0.99)
  printRows([
    {
      what: `publish to frame, ${messagesPerSecond} messages/s, 5 updates/s a socket: p50 of ${roundsCount} rounds`,
      figure: show(ofRounds(0.5)),
      target: '',
    },
    {
      what: 'the same: p99',
      figure: show(p99),
      target: `< ${p99TargetMs} ms`,
      met: median(p99) < p99TargetMs,
    },
    {
      what: 'updates that arrived, of those published',
      figure: `${arrived} of ${published}`,
      target: 'all',
      met: arrived >= published,
    },
    {
      what: 'generator alone',
      figure: `${provenRate.toFixed(0)} messages/s`,
      target: `≥ ${2 * messagesPerSecond * 0.98}`,
      met: provenRate >= 2 * messagesPerSecond * 0.98,
    },
  ])
} finally {
  for (const socket of sockets) socket.terminate()
  await load.stop()
  await site.stop()
}
