import { drawSeed, isLongRun } from '@busbar/testkit/turns.ts'
import { describe, expect, test } from 'vitest'
import { openRig, playHistory } from './play.ts'

const operations = 2_000
/** Each is some 20 s of calls; a slow machine needs more. */
const historyMsMax = 300_000

/** Another one with each commit. */
const seeds = isLongRun() ? [1, 2, 3, 4, 5] : [1 + drawSeed(1_000)]

describe.concurrent('simultaneous changes of a machine’s rights by several people have the result of some order', () => {
  test.each(seeds)(
    'history %i',
    async (seed) => {
      const rig = await openRig()
      try {
        const { faults } = await playHistory(rig, { seed, operations })
        const again = `again: npm run bench -- histories --runs 1 --operations ${operations} --seed ${seed}`
        expect(faults, [...faults, again].join('\n')).toEqual([])
      } finally {
        await rig.stop()
      }
    },
    historyMsMax,
  )
})
