/**
 * Runs the product through faults drawn from seeds: `npm run bench -- faults [--rows] [--runs 200] [--seed 0] [--short]
 * [--resume]`. With `--rows` they are those between a project and its system as well. Every run's result is a line of
 * `.busbar/faults/results.jsonl`; `--resume` goes on where it broke off.
 */
import { parseArgs } from 'node:util'
import { appendResult, keepOutput, readResults, resultsFile, startResults } from './faults/results.ts'
import { type Rig, startRig } from './faults/rig.ts'
import { type RunResult, runSchedule } from './faults/run.ts'
import { describeSchedule, drawSchedule, type Scale, type Schedule, type Subject } from './faults/schedule.ts'
import { removeAbandoned } from './faults/small-disk.ts'
import { printSummary } from './faults/summary.ts'
import { describeMachine } from './src/report.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '0' },
    /** Runs about what projects' systems get. */
    rows: { type: 'boolean', default: false },
    /** Short outages, as in CI. */
    short: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
  },
})
const scale: Scale = options.short ? 'short' : 'full'
const subject: Subject = options.rows ? 'rows' : 'values'
const firstSeed = Number(options.seed)
const schedules = Array.from({ length: Number(options.runs) }, (_, place) =>
  drawSchedule(subject, firstSeed + place, scale),
)
const commandOf = (seed: number) =>
  `npm run bench -- faults${options.rows ? ' --rows' : ''} --runs 1 --seed ${seed}${options.short ? ' --short' : ''}`

let rig: Rig | undefined
let isStopping = false
const stop = async () => {
  isStopping = true
  await rig?.close()
  process.exit(130)
}
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())

/** A rig serves the runs of its flavour in a row; one that broke a rule is not used again. */
async function run(schedule: Schedule): Promise<RunResult> {
  if (rig && rig.flavour !== schedule.flavour) {
    await rig.close()
    rig = undefined
  }
  rig ??= await startRig(schedule.flavour)
  const result = await runSchedule(rig, schedule).catch((error: unknown) => ({
    seed: schedule.seed,
    what: describeSchedule(schedule),
    violations: [`the run itself failed: ${error instanceof Error ? error.stack : error}`],
  }))
  if (result.violations.length > 0) {
    console.log(`what the programs said is in ${await keepOutput(schedule, rig.output())}`)
    await rig.close()
    rig = undefined
  }
  return result
}

await removeAbandoned()
if (!options.resume) await startResults()
const known = options.resume ? await readResults({ subject, scale }) : new Map<number, RunResult>()
console.log(`${describeMachine()}; results in ${resultsFile}`)
const results: RunResult[] = []
for (const [place, schedule] of schedules.entries()) {
  if (isStopping) break
  const before = known.get(schedule.seed)
  const result = before ?? (await run(schedule))
  if (!before) await appendResult(result, { subject, scale })
  results.push(result)
  const end = result.skipped
    ? `skipped: ${result.skipped}`
    : result.violations.length > 0
      ? 'FAILED'
      : 'passed'
  console.log(
    `${place + 1}/${schedules.length} seed ${schedule.seed} ${before ? 'was ' : ''}${end}` +
      `${result.tookMs ? `, ${(result.tookMs / 1000).toFixed(0)} s` : ''}: ${result.what}`,
  )
}
await rig?.close()
printSummary(results, commandOf)
if (results.some(({ violations }) => violations.length > 0)) process.exitCode = 1
