import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeFaults, drawFaults } from '../../../test-support/node-faults/draw-faults.ts'
import { FaultRig } from '../../../test-support/node-faults/fault-rig.ts'

/*
 * Nodes are killed and frozen, NATS and PostgreSQL go, lines lose bytes in one direction or both (rules/operations.md:
 * nodes), and the machines of a node go to another one.
 */

const runMsMax = 300_000
/** A node that ended is known at once: the rest of a weakened run need not come right. */
const weakSettleMs = 1_000
const again = (seed: number) => `again: npm run bench -- node-faults --runs 1 --seed ${seed}`

let rig: FaultRig
beforeAll(async () => {
  rig = await FaultRig.start()
})
afterAll(() => rig.stop())

it.each(pickSeeds(8).map((seed) => [seed, describeFaults(drawFaults(seed))] as const))(
  'seed %i, %s: nothing acknowledged is lost, newest values are newest, alarms come once, a project has each row in the order of its machine, no other process ends',
  async (seed) => {
    const result = await rig.run(drawFaults(seed))
    console.info(`seed ${seed}: ${JSON.stringify(result)}`)
    expect(result.violations, again(seed)).toEqual([])
  },
  runMsMax,
)

/** The suite of killed nodes shows that nodes that acknowledge before the commit are noticed. */
it(
  'the runs above would notice a timer that throws',
  async () => {
    const weakness = new URL('../../../test-support/node-faults/weak/ping-throws.ts', import.meta.url)
    const weak = await FaultRig.start([weakness.href])
    try {
      const faults = [{ kind: 'freeze', node: 'left', atMs: 0, forMs: 6_000 }] as const
      const { violations } = await weak.run(faults, weakSettleMs)
      expect(violations.join('\n')).toContain('the session has been destroyed')
    } finally {
      await weak.stop()
    }
  },
  runMsMax,
)
