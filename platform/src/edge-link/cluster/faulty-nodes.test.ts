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

/** Each takes a minute: the suite of killed nodes shows the first one in every run. */
it.skipIf(!isLongRun()).each([
  {
    what: 'nodes that acknowledge before the commit',
    weakness: '../../../test-support/processes/acknowledge-early.ts',
    faults: [
      { kind: 'line', node: 'left', line: 'database', way: 'silent', atMs: 0, forMs: 2_500 },
      { kind: 'kill', node: 'left', atMs: 2_000, forMs: 500 },
    ],
    found: 'are not stored',
  },
  {
    what: 'a timer that throws',
    weakness: '../../../test-support/node-faults/weak/ping-throws.ts',
    faults: [{ kind: 'freeze', node: 'left', atMs: 0, forMs: 6_000 }],
    found: 'the session has been destroyed',
  },
] as const)(
  'the runs above would notice $what',
  async ({ weakness, faults, found }) => {
    const weak = await FaultRig.start([new URL(weakness, import.meta.url).href])
    try {
      expect((await weak.run(faults)).violations.join('\n')).toContain(found)
    } finally {
      await weak.stop()
    }
  },
  runMsMax,
)
