/**
 * Plays random histories of several people on the rights of a few machines, each compared with the model:
 * `npm run bench -- histories [--runs 50] [--operations 10000] [--seed 1]`. The same seed draws the same one.
 */
import { parseArgs } from 'node:util'
import { openRig, playHistory } from '@busbar/platform/test-support/histories/play.ts'
import { startTestPostgres } from '@busbar/testkit/test-postgres.ts'
import { describeMachine, printRows } from './src/report.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '50' },
    operations: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
  },
})
const runs = Number(values.runs)
const operations = Number(values.operations)
const firstSeed = Number(values.seed)
/** Each run gets a new database, because the data of the previous one would slow it. */
const runsPerRig = 5

console.log(describeMachine())
const stop = await startTestPostgres()
const outcomes = new Map<string, number>()
let done = 0
let rounds = 0
let broken = 0
const startedAt = performance.now()
try {
  for (let run = 0; run < runs; ) {
    const rig = await openRig()
    try {
      for (let place = 0; place < runsPerRig && run < runs; place++, run++) {
        const seed = firstSeed + run
        const played = await playHistory(rig, { seed, operations })
        done += played.operations
        rounds += played.rounds
        for (const [outcome, count] of played.outcomes)
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count)
        if (played.faults.length > 0) broken++
        const tookS = ((performance.now() - startedAt) / 1000).toFixed(0)
        console.log(`history ${seed}: ${played.rounds} rounds, ${played.faults.length} faults (${tookS} s)`)
        for (const fault of played.faults) console.log(fault)
      }
    } finally {
      await rig.stop()
    }
  }
} finally {
  await stop()
}
for (const [outcome, count] of [...outcomes].sort()) console.log(`${outcome}: ${count}`)
const perS = (done / ((performance.now() - startedAt) / 1000)).toFixed(0)
printRows([
  {
    what: `${runs} histories of ${operations} operations, up to four at once (${rounds} rounds)`,
    figure: `${broken} broke a rule; ${done} operations, ${outcomes.size} different outcomes, ${perS} a second`,
    target: '0',
    met: broken === 0,
  },
])
if (broken > 0) process.exitCode = 1
