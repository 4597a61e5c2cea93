import { createUser, grantMachine, signIn } from '@busbar/testkit'
import { createFleet, fleetCode, fleetSecret } from '../e2e/src/fleet.ts'
import { type OwnSite, startSite } from '../e2e/src/site.ts'
import type { Ages, Page } from './push/pages.ts'
import { proveGenerator, startLoadProcess } from './src/load-process.ts'
import type { LoadResult } from './src/mqtt-load.ts'
import { profileEnvironment } from './src/profile.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'
import { Worker } from './src/rpc.ts'

/* From a machine's PUBLISH to the frame at a page: values of many machines to many pages, and one machine that 5,000
   pages watch beside 5,000 bare writes of the same bytes. Platform, generator and pages are three processes on one
   machine. Every value is the instant it was sent, so each frame tells its own age.
   `npm run bench -- push [hundreds] [thousands] [crowd]` runs some of the three. */

interface Load {
  readonly machines: number
  /** One a second of each machine. */
  readonly messagesPerSecond: number
  readonly machinesPerPage: number
  readonly p50Max: number | undefined
  readonly p99Max: number
}

const loads: Record<string, Load> = {
  hundreds: { machines: 1_000, messagesPerSecond: 1_000, machinesPerPage: 5, p50Max: 1.5, p99Max: 6 },
  thousands: {
    machines: 10_000,
    messagesPerSecond: 10_000,
    machinesPerPage: 10,
    p50Max: undefined,
    p99Max: 25,
  },
}
/** A session may have 10 sockets, a person 30. */
const pagesPerSession = 10
const sessionsPerPerson = 3
const warmUpMs = 10_000
const roundsCount = 5
const durationMs = 10_000
/** For frames that are still on their way when the generator has its last acknowledgement. */
const settleMs = 500
const crowd = { pages: 5_000, rounds: 5, framesPerRound: 10, pauseMs: 150, withinMs: 10_000 }

const labelsOf = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ code: fleetCode(place + 1), secret: fleetSecret }))

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Each page comes from a different address, because there is a limit per address. */
const addressOf = (place: number) => `10.${place >> 16}.${(place >> 8) & 0xff}.${place & 0xff}`

const showRounds = (numbers: readonly number[]) =>
  `${quantile(numbers, 0.5).toFixed(1)} ms (${Math.min(...numbers).toFixed(1)} to ${Math.max(...numbers).toFixed(1)})`

async function withSite<T>(measure: (site: OwnSite, pages: Worker) => Promise<T>): Promise<T> {
  const site = await startSite({ env: { ...profileEnvironment(), TRUSTED_PROXIES: '127.0.0.1' } })
  const pages = await Worker.start('push/pages.ts')
  try {
    return await measure(site, pages)
  } finally {
    await pages.stop()
    await site.stop()
  }
}

const webPort = (site: OwnSite) => Number(new URL(site.tunnelUrl).port)
const mqttPort = (site: OwnSite) => Number(new URL(site.mqttUrl).port)

async function measureLoad(load: Load): Promise<Row[]> {
  const { machines, messagesPerSecond, machinesPerPage } = load
  const provenRate = await proveGenerator(labelsOf(machines), 2 * messagesPerSecond, 5_000)
  return withSite(async (site, pages) => {
    const opened = await createPages(site, load)
    await pages.call('open', { port: webPort(site), pages: opened })
    const generator = startLoadProcess()
    try {
      await generator.open({ port: mqttPort(site), machines: labelsOf(machines) })
      await generator.run({ messagesPerSecond, durationMs: warmUpMs })
      const rounds: { ages: Ages; result: LoadResult }[] = []
      for (let round = 0; round < roundsCount; round++) {
        await sleep(settleMs)
        await pages.call('take')
        const result = await generator.run({ messagesPerSecond, durationMs })
        await sleep(settleMs)
        const ages = await pages.call<Ages>('take')
        rounds.push({ ages, result })
        console.log(
          `round ${round + 1}: ${result.published} published, ${ages.count} updates at ${opened.length} pages, ` +
            `p50 ${ages.p50.toFixed(1)} ms, p99 ${ages.p99.toFixed(1)} ms, at most ${ages.max.toFixed(0)} ms; ` +
            `the generator was at most ${result.latenessMaxMs.toFixed(1)} ms behind its plan`,
        )
      }
      const [p50, p99] = [rounds.map(({ ages }) => ages.p50), rounds.map(({ ages }) => ages.p99)]
      const published = rounds.reduce((sum, { result }) => sum + result.published, 0)
      const arrived = rounds.reduce((sum, { ages }) => sum + ages.count, 0)
      const what = `${messagesPerSecond} messages/s, ${opened.length} pages of ${machinesPerPage} devices`
      return [
        {
          what: `${what}: p50`,
          figure: showRounds(p50),
          target: load.p50Max === undefined ? '' : `≤ ${load.p50Max} ms`,
          ...(load.p50Max !== undefined && { met: quantile(p50, 0.5) <= load.p50Max }),
        },
        {
          what: 'the same: p99',
          figure: showRounds(p99),
          target: `≤ ${load.p99Max} ms`,
          met: quantile(p99, 0.5) <= load.p99Max,
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
      ]
    } finally {
      await generator.stop()
    }
  })
}

async function createPages(site: OwnSite, { machines, machinesPerPage }: Load): Promise<Page[]> {
  const db = await site.openDatabase()
  const pages: Page[] = []
  const perPerson = pagesPerSession * machinesPerPage
  for (let from = 1; from <= machines; from += perPerson) {
    const person = await createUser(db)
    await createFleet(db, person.userId, perPerson, from)
    const mine = await db
      .selectFrom('machine_list_entries')
      .select('machine_id')
      .where('user_id', '=', person.userId)
      .orderBy('machine_id')
      .execute()
    for (let first = 0; first < mine.length; first += machinesPerPage) {
      const machineIds = mine.slice(first, first + machinesPerPage).map((row) => row.machine_id)
      pages.push({ token: person.token, address: addressOf(pages.length), machineIds })
    }
  }
  await db.destroy()
  return pages
}

async function createCrowd(site: OwnSite): Promise<Page[]> {
  const db = await site.openDatabase()
  const owner = await createUser(db)
  await createFleet(db, owner.userId, 1)
  const { id } = await db.selectFrom('machines').select('id').executeTakeFirstOrThrow()
  const pages: Page[] = []
  while (pages.length < crowd.pages) {
    const person = await createUser(db)
    await grantMachine(db, person.userId, id, { role: 'visitor' })
    const sessions = [person.token]
    while (sessions.length < sessionsPerPerson) sessions.push((await signIn(db, person.userId)).token)
    for (const token of sessions)
      for (let page = 0; page < pagesPerSession && pages.length < crowd.pages; page++)
        pages.push({ token, address: addressOf(pages.length), machineIds: [id] })
  }
  await db.destroy()
  return pages
}

/** The time to the last of all sockets, through the platform and by bare writes in turn. */
async function measureCrowd(): Promise<Row[]> {
  return withSite(async (site, pages) => {
    await pages.call('open', { port: webPort(site), pages: await createCrowd(site) })
    const bare = await Worker.start('push/bare.ts')
    const generator = startLoadProcess()
    try {
      await pages.call('openBare', { port: await bare.call('listen'), count: crowd.pages })
      await generator.open({ port: mqttPort(site), machines: labelsOf(1) })
      const publish = () => generator.run({ messagesPerSecond: 1_000, durationMs: 1 })
      const toAll = async (send: () => Promise<unknown>): Promise<number> => {
        await sleep(crowd.pauseMs)
        await pages.call('take')
        await send()
        const wish = { count: crowd.pages, withinMs: crowd.withinMs }
        if (!(await pages.call('arrived', wish)))
          throw new Error(`${(await pages.call<Ages>('take')).count} of ${crowd.pages} pages got a frame`)
        return (await pages.call<Ages>('take')).max
      }
      // The first value makes the tag, and shows that every page has its right.
      for (let warmUp = 0; warmUp < crowd.framesPerRound; warmUp++) {
        await toAll(publish)
        await toAll(() => bare.call('write'))
      }
      const [ours, theirs]: [number[], number[]] = [[], []]
      for (let round = 0; round < crowd.rounds; round++) {
        const took = { platform: [] as number[], bare: [] as number[] }
        for (let frame = 0; frame < crowd.framesPerRound; frame++) {
          took.platform.push(await toAll(publish))
          took.bare.push(await toAll(() => bare.call('write')))
        }
        ours.push(quantile(took.platform, 0.5))
        theirs.push(quantile(took.bare, 0.5))
        console.log(
          `round ${round + 1}: ${ours.at(-1)?.toFixed(1)} ms by the platform, ${theirs.at(-1)?.toFixed(1)} ms bare`,
        )
      }
      const ratio = quantile(ours, 0.5) / quantile(theirs, 0.5)
      return [
        {
          what: `one device, ${crowd.pages} pages: publish to the last page`,
          figure: showRounds(ours),
          target: '',
        },
        {
          what: `${crowd.pages} bare writes of the same bytes, from the first to the last page`,
          figure: showRounds(theirs),
          target: '',
        },
        { what: 'beside bare writes', figure: `${ratio.toFixed(2)}×`, target: '' },
      ]
    } finally {
      await generator.stop()
      await bare.stop()
    }
  })
}

console.log(describeMachine())
const wished = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const rows: Row[] = []
for (const [name, load] of Object.entries(loads))
  if (wished.length === 0 || wished.includes(name)) rows.push(...(await measureLoad(load)))
if (wished.length === 0 || wished.includes('crowd')) rows.push(...(await measureCrowd()))
printRows(rows)
