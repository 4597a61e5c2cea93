import makeDataFolder from '@busbar/testkit/data-folder.ts'
import { isLongRun } from '@busbar/testkit/turns.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { KillRig } from './kill-rig.ts'
import { type KillSite, openKillSite, type SmsWay } from './run-kills.ts'

/** Of each way; `npm run test:long` runs all of them. */
const runs = isLongRun() ? 100 : 10
/** Runs that follow one another on one database. */
const runsOfSite = 20

let removeMade: () => Promise<void>
let site: KillSite | undefined
beforeAll(async () => {
  removeMade = await makeDataFolder()
})
afterEach(async () => {
  await site?.close()
  site = undefined
})
afterAll(() => removeMade?.())

const open = async (way: SmsWay, { sendsEarly = false, faulty = true } = {}) => {
  site = await openKillSite(await KillRig.open(sendsEarly), { way, faulty, runs: runsOfSite })
  return site
}

test.each([
  ['smpp', 0],
  ['http', 1_000],
] as const)(
  `alarms by %s reach everybody once, or say why not, through ${runs} runs of kill -9 and faulty providers`,
  async (way, firstSeed) => {
    const sum = { kills: 0, alarms: 0, messages: 0, digests: 0, maybeTwice: 0, takenTwice: 0 }
    const found: string[] = []
    for (let first = 0; first < runs; first += runsOfSite) {
      const { run } = await open(way)
      for (let place = first; place < Math.min(first + runsOfSite, runs); place++) {
        const { violations, ...counts } = await run(firstSeed + place)
        found.push(...violations.map((violation) => `seed ${firstSeed + place}: ${violation}`))
        for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += counts[key]
      }
      await site?.close()
      site = undefined
    }
    expect(found).toEqual([])
    console.info(`${way}: ${runs} runs, ${JSON.stringify(sum)}`)
  },
  runs * 30_000,
)

test('a pipeline that sends before its commit sends twice: the runs above would notice', async () => {
  const { run } = await open('smpp', { sendsEarly: true, faulty: false })
  let found: string[] = []
  for (let seed = 0; seed < 6 && found.length === 0; seed++)
    found = (await run(seed)).violations.filter((violation) => /was taken \d+ times, at most/.test(violation))
  expect(found).not.toEqual([])
}, 120_000)
