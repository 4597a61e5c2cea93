import { describe, expect, test } from 'vitest'
import { openStage, playHistory } from './play.ts'

/** Each is some 20 s of calls; a slow machine needs more. */
const historyMsMax = 300_000

describe.concurrent('what several people do at once to a machine’s rights has happened in some order', () => {
  test.each([1, 2, 3, 4, 5])(
    'history %i',
    async (seed) => {
      const stage = await openStage()
      try {
        const { faults } = await playHistory(stage, { seed, operations: 2_000 })
        expect(faults, faults.join('\n')).toEqual([])
      } finally {
        await stage.stop()
      }
    },
    historyMsMax,
  )
})
