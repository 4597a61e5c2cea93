import { isLongRun, pickSeeds } from '@busbar/testkit/seeds.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureAgentBuilt, ensurePlatformBuilt } from '../../tools/build.mjs'
import { keepOutput } from './results.ts'
import type { Rig, Weakness } from './rig.ts'
import { RigPool } from './rig-pool.ts'
import { runSchedule } from './run.ts'
import {
  coverFaults,
  describeSchedule,
  drawSchedule,
  type Fault,
  runsPerCycle,
  type Schedule,
  type Subject,
} from './schedule.ts'
import { removeAbandoned } from './small-disk.ts'

/** A run takes 3 to 15 s, and waits until the rig is done with those before it. */
const runMsMax = 900_000
/** Weakened builds never deliver the data that they lost, so their runs wait for it less. */
const lostMsMax = 5_000
const weakTriesMax = 3
const weak = (file: string) => new URL(`weak/${file}`, import.meta.url).pathname

// Stories run beside them: more at once would leave the recovery of each too little of the machine.
const rigs = new RigPool({ embedded: 1, external: 1 })

beforeAll(async () => {
  await ensurePlatformBuilt()
  await ensureAgentBuilt()
  await removeAbandoned()
})

afterAll(() => rigs.close())

const drawValues = (seed: number) => drawSchedule('values', seed, 'short')
/** Runs that once found a fault of the product. */
const foundValues = [1_348].map(drawValues)
const cycleOfValues = Array.from({ length: runsPerCycle }, (_, seed) => drawValues(seed))
// Runs with a separate server share one rig, so they begin early.
const aboutValues = (
  isLongRun() ? [...foundValues, ...cycleOfValues] : coverFaults(foundValues, cycleOfValues)
).toSorted((a, b) => Number(b.flavour === 'external') - Number(a.flavour === 'external') || b.seed - a.seed)
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

interface Loss {
  readonly of: string
  readonly subject: Subject
  readonly faults: readonly Fault[]
  readonly said: string
}

const weakness: Weakness = {
  platformImports: [weak('early-place.ts'), weak('early-acknowledge.ts')],
  agentImports: [weak('forget-at-send.ts')],
}

/** In this order none is due to the faults of an earlier one. */
const losses: readonly Loss[] = [
  {
    of: 'a lane of a destination that moves before the answer',
    subject: 'rows',
    faults: [{ kind: 'receiver', target: 'receiver', way: 'failing', atMs: 500, forMs: 1_500 }],
    said: "stored, but the project's system never got it",
  },
  {
    of: 'an agent that forgets what it has sent',
    subject: 'values',
    faults: [{ kind: 'noRequests', target: 'agent', atMs: 300, forMs: 1_500, delayMs: 0, ends: 'reset' }],
    said: 'read by the agent but neither stored nor told to be lost',
  },
  {
    of: 'a gateway that acknowledges before the commit',
    subject: 'values',
    faults: [
      { kind: 'freeze', target: 'postgres', atMs: 500, forMs: 1_500 },
      { kind: 'kill', target: 'platform', atMs: 1_200, restartMs: 200 },
    ],
    said: 'acknowledged but not stored',
  },
]

/** Runs the faults until their loss is found: on a busy machine they may come while nothing is sent. */
async function findWhyMissed(rig: Rig, { of, subject, faults, said }: Loss): Promise<string[]> {
  const schedule = { subject, seed: 0, flavour: 'embedded', faults } as const
  let found = ''
  for (let tries = 0; tries < weakTriesMax; tries++) {
    const run = await runSchedule(rig, schedule, { agentMsMax: lostMsMax, rowsMsMax: lostMsMax })
    found = run.violations.join('\n')
    if (found.includes(said)) return []
  }
  return [`${of}, of which the last run says: ${found}`]
}

// It takes longest, so it begins first.
describe.concurrent('the runs below would notice', () => {
  it(
    losses.map(({ of }) => of).join(', '),
    async () => {
      // One rig for all: to start a weakened build takes longer than its runs.
      const { violations: missed } = await rigs.use(
        'embedded',
        async (rig) => {
          const violations: string[] = []
          for (const loss of losses) violations.push(...(await findWhyMissed(rig, loss)))
          return { violations }
        },
        weakness,
      )
      expect(missed).toEqual([])
    },
    losses.length * runMsMax,
  )
})

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
