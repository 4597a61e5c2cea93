import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureAgentBuilt, ensurePlatformBuilt } from '../../tools/build.mjs'
import { keepOutput } from './results.ts'
import type { Rig, Weakness } from './rig.ts'
import { RigPool } from './rig-pool.ts'
import { runSchedule } from './run.ts'
import {
  describeSchedule,
  drawSchedule,
  type Fault,
  runsPerCycle,
  type Schedule,
  type Subject,
} from './schedule.ts'
import { removeAbandoned } from './small-disk.ts'

/** A run takes 3 to 15 s, after waiting for a rig. */
const runMsMax = 300_000
/** Weakened builds never deliver the data that they lost, so their runs wait for it less. */
const lostMsMax = 5_000
const weakTriesMax = 3
const weak = (file: string) => new URL(`weak/${file}`, import.meta.url).pathname

const rigs = new RigPool({ embedded: 2, external: 1 })

beforeAll(async () => {
  await ensurePlatformBuilt()
  await ensureAgentBuilt()
  await removeAbandoned()
})

afterAll(() => rigs.close())

// Runs with a separate server share one rig, so they begin early.
const aboutValues = Array.from({ length: runsPerCycle }, (_, seed) =>
  drawSchedule('values', seed, 'short'),
).sort((a, b) => (a.seed % 4) - (b.seed % 4) || b.seed - a.seed)
const aboutRows = pickSeeds(0).map((seed) => drawSchedule('rows', seed, 'short'))

/** Runs a schedule on a rig of the pool, and expects that no rule is broken. */
async function expectNothingBroken(schedule: Schedule, skip: (why: string) => void): Promise<void> {
  const { subject, seed } = schedule
  const result = await rigs.use(schedule.flavour, async (rig) => {
    const run = await runSchedule(rig, schedule)
    if (run.violations.length > 0) await keepOutput(schedule, rig.output())
    return run
  })
  if (result.skipped) skip(result.skipped)
  console.info(`${subject} ${seed}: ${JSON.stringify(result.recovery)}, ${result.tookMs} ms`)
  const again = `again: npm run bench -- faults ${subject === 'rows' ? '--rows ' : ''}--runs 1 --seed ${seed} --short`
  expect(result.violations, again).toEqual([])
}
const cases = (schedules: readonly Schedule[]) =>
  schedules.map((schedule) => [schedule.seed, describeSchedule(schedule), schedule] as const)

describe.concurrent('stored values reach the system of a project, in the order of each machine, and again only after a process ended', () => {
  it.for(cases(aboutRows))('seed %i: %s', { timeout: runMsMax }, ([, , schedule], { skip }) =>
    expectNothingBroken(schedule, skip),
  )
})

describe.concurrent('acknowledged data is neither lost nor doubled, online states are right, and recovery takes 10 s', () => {
  it.for(cases(aboutValues))('seed %i: %s', { timeout: runMsMax }, ([, , schedule], { skip }) =>
    expectNothingBroken(schedule, skip),
  )
})

describe.concurrent('the runs above would notice', () => {
  /** Runs a weakened build until its loss is found: on a busy machine a fault may come while nothing is sent. */
  async function expectLoss(
    subject: Subject,
    weakness: Weakness,
    faults: readonly Fault[],
    loss: string,
  ): Promise<void> {
    const schedule = { subject, seed: 0, flavour: 'embedded', faults } as const
    let found = ''
    for (let tries = 0; tries < weakTriesMax && !found.includes(loss); tries++) {
      const run = (rig: Rig) => runSchedule(rig, schedule, { agentMsMax: lostMsMax, rowsMsMax: lostMsMax })
      found = (await rigs.use('embedded', run, weakness)).violations.join('\n')
    }
    expect(found).toContain(loss)
  }

  it(
    'a gateway that acknowledges before the commit',
    () =>
      expectLoss(
        'values',
        { platformImports: [weak('early-acknowledge.ts')] },
        [
          { kind: 'freeze', target: 'postgres', atMs: 500, forMs: 1_500 },
          { kind: 'kill', target: 'platform', atMs: 1_200, restartMs: 200 },
        ],
        'acknowledged but not stored',
      ),
    runMsMax,
  )

  it(
    'a lane of a destination that moves before the answer',
    () =>
      expectLoss(
        'rows',
        { platformImports: [weak('early-place.ts')] },
        [{ kind: 'receiver', target: 'receiver', way: 'failing', atMs: 500, forMs: 1_500 }],
        "stored, but the project's system never got it",
      ),
    runMsMax,
  )

  it(
    'an agent that forgets what it has sent',
    () =>
      expectLoss(
        'values',
        { agentImports: [weak('forget-at-send.ts')] },
        [{ kind: 'noRequests', target: 'agent', atMs: 300, forMs: 1_500, delayMs: 0, ends: 'reset' }],
        'read by the agent but neither stored nor told to be lost',
      ),
    runMsMax,
  )
})
