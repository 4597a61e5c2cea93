import makeDataFolder from '@busbar/testkit/data-folder.ts'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { KillRig } from './kill-rig.ts'
import { type KillSite, openKillSite, type SmsWay } from './run-kills.ts'

/** Seeds of each way. */
const seedsOfWay = pickSeeds().length
/** Seeds that share the lives and deaths of one platform: starting it takes longer than anything else. */
const seedsOfRun = Math.min(5, seedsOfWay)
/** Seeds within which a weakened pipeline is found out. */
const seedsOfWeak = 20
/** Seeds on one database. */
const seedsOfSite = 20

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

const open = async (way: SmsWay, { sendsEarly = false, faulty = true, seeds = seedsOfWay } = {}) => {
  site = await openKillSite(await KillRig.open(sendsEarly), {
    way,
    faulty,
    seeds: Math.min(seedsOfSite, seeds),
  })
  return site
}

const seedsFrom = (first: number) => Array.from({ length: seedsOfRun }, (_, place) => first + place)

const ways = [
  ['smpp', 0],
  ['http', 1_000],
] as const

test.each(ways)(
  `alarms by %s reach everybody once, or say why not, through kill -9 and faulty providers: ${seedsOfWay} seeds`,
  async (way, firstSeed) => {
    const sum = { kills: 0, alarms: 0, messages: 0, digests: 0, maybeTwice: 0, takenTwice: 0 }
    const found: string[] = []
    for (let done = 0; done < seedsOfWay; done += seedsOfRun) {
      if (done % seedsOfSite === 0) {
        await site?.close()
        await open(way)
      }
      const seeds = seedsFrom(firstSeed + done)
      const { violations = [], ...counts } = (await site?.run(seeds)) ?? {}
      found.push(...violations.map((violation) => `seeds from ${firstSeed + done}: ${violation}`))
      for (const [key, count] of Object.entries(counts)) sum[key as keyof typeof sum] += count
    }
    expect(found).toEqual([])
    console.info(`${way}: ${seedsOfWay} seeds, ${JSON.stringify(sum)}`)
  },
  120_000 + seedsOfWay * 20_000,
)

test('a pipeline that sends before its commit sends twice: the runs above would notice', async () => {
  const { run } = await open('smpp', { sendsEarly: true, faulty: false, seeds: seedsOfWeak })
  let found: string[] = []
  for (let first = 0; first < seedsOfWeak && found.length === 0; first += seedsOfRun)
    found = (await run(seedsFrom(first))).violations.filter((violation) =>
      /was taken \d+ times, at most/.test(violation),
    )
  expect(found).not.toEqual([])
}, 300_000)
