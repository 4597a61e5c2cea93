import { isLongRun } from '@busbar/testkit/turns.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeFaults, drawFaults } from '../../../test-support/node-faults/draw-faults.ts'
import { FaultRig } from '../../../test-support/node-faults/fault-rig.ts'

/* Nodes are killed and frozen, NATS and PostgreSQL go, lines lose bytes in one direction or both (rules/operations.md: nodes). */

const runMsMax = 180_000
const again = (seed: number) => `again: npm run bench -- node-faults --runs 1 --seed ${seed}`
const seeds = isLongRun() ? Array.from({ length: 20 }, (_, seed) => seed) : [8, 19]

let rig: FaultRig
beforeAll(async () => {
  rig = await FaultRig.start()
})
afterAll(() => rig.stop())

it.each(seeds.map((seed) => [seed, describeFaults(drawFaults(seed))] as const))(
  'seed %i, %s: nothing acknowledged is lost, newest values are newest, alarms come once, no other process ends',
  async (seed) => {
    const result = await rig.run(drawFaults(seed))
    console.info(`seed ${seed}: ${JSON.stringify(result)}`)
    expect(result.violations, again(seed)).toEqual([])
  },
  runMsMax,
)
