import { drawSeed, isLongRun } from '@busbar/testkit/turns.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRig, playHistories, type Rig } from './play.ts'

const steps = 2_000
const runMsMax = 600_000
/** Another one with each commit. */
const seeds = isLongRun() ? Array.from({ length: 10 }, (_, place) => place + 1) : [1 + drawSeed(1_000)]

let rig: Rig
beforeAll(async () => {
  rig = await openRig()
})
afterAll(() => rig.site.stop())

test(
  'alarms, notified people, stocks and messages of random histories equal those of the model',
  async () => {
    const played = await playHistories(rig, { seeds, steps })
    for (const { seed, faults } of played) expect(faults, `seed ${seed}`).toEqual([])
    expect(played.map((one) => one.steps)).toEqual(seeds.map(() => steps))
  },
  runMsMax,
)
