/**
 * Runs several nodes through faults drawn from seeds: `npm run bench -- node-faults [--runs 200] [--seed 0]`. Every run's
 * result is a line of `.busbar/faults/node-results.jsonl`.
 */
import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeFaults, drawFaults } from '@busbar/platform/test-support/node-faults/draw-faults.ts'
import { type FaultResult, FaultRig } from '@busbar/platform/test-support/node-faults/fault-rig.ts'
import { startTestPostgres } from '@busbar/testkit/test-postgres.ts'
import { checkout } from '../e2e/src/site.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'

const resultsFile = join(checkout, '.busbar/faults/node-results.jsonl')
/** The log of samples grows with each run, and each run reads it: after so many a new platform is made. */
const runsPerRig = 20
const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '200' }, seed: { type: 'string', default: '0' } },
})
const firstSeed = Number(options.seed)

const stopPostgres = await startTestPostgres()
await mkdir(dirname(resultsFile), { recursive: true })
console.log(`${describeMachine()}; results in ${resultsFile}`)
let rig: FaultRig | undefined
const results: (FaultResult & { seed: number })[] = []
for (let seed = firstSeed; seed < firstSeed + Number(options.runs); seed++) {
  if ((seed - firstSeed) % runsPerRig === 0) {
    await rig?.stop()
    rig = await FaultRig.start()
  }
  const faults = drawFaults(seed)
  const run = rig as FaultRig
  const result = await run.run(faults).catch((error: unknown) => ({
    ...{ what: describeFaults(faults), acknowledged: 0, tookMs: 0, repeats: 0, rowsAgain: 0 },
    violations: [`the run itself failed: ${error instanceof Error ? error.stack : error}`],
    recovery: { acknowledged: undefined, visit: undefined },
  }))
  results.push({ seed, ...result })
  await appendFile(resultsFile, `${JSON.stringify({ seed, ...result })}\n`)
  const end = result.violations.length > 0 ? `FAILED\n  - ${result.violations.join('\n  - ')}\n ` : 'passed'
  console.log(`seed ${seed} ${end} ${(result.tookMs / 1_000).toFixed(0)} s: ${result.what}`)
  // A rule that one run broke must not be found broken by the next ones.
  if (result.violations.length > 0) {
    await run.stop()
    rig = await FaultRig.start()
  }
}
await rig?.stop()
await stopPostgres()

const failed = results.filter(({ violations }) => violations.length > 0)
const times = (of: keyof FaultResult['recovery']): string => {
  const ms = results.flatMap(({ recovery }) => recovery[of] ?? [])
  const s = (p: number) => (quantile(ms, p) / 1_000).toFixed(1)
  return `p50 ${s(0.5)} s, p95 ${s(0.95)} s, longest ${s(1)} s`
}
const sum = (of: 'acknowledged' | 'repeats' | 'rowsAgain') =>
  results.reduce((total, result) => total + result[of], 0).toLocaleString('en')
printRows([
  { what: 'runs', figure: String(results.length), target: '' },
  {
    ...{ what: 'runs that broke a rule', figure: String(failed.length), target: '0' },
    met: failed.length === 0,
  },
  { what: 'values acknowledged', figure: sum('acknowledged'), target: '' },
  {
    what: 'requests, and rows, that the project’s system got again',
    figure: `${sum('repeats')}, ${sum('rowsAgain')}`,
    target: '',
  },
  {
    ...{ what: 'faults’ end to a new acknowledgement of each device', figure: times('acknowledged') },
    target: '≤ 10 s',
  },
  { what: 'faults’ end to an answer of the device’s page', figure: times('visit'), target: '≤ 10 s' },
])
for (const { seed, what } of failed)
  console.log(`seed ${seed}: npm run bench -- node-faults --runs 1 --seed ${seed} (${what})`)
// Clients that are still in the middle of a connection would keep the process for minutes.
process.exit(failed.length > 0 ? 1 : 0)
