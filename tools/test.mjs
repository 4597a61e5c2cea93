// `npm test`: sets up and runs everything. The last line says how many tests passed and failed. With
// BUSBAR_TEST_LONG=1 (`npm run test:long`) with more seeds.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensureAllBuilt } from './build.mjs'
import { printCheck, runChecks } from './check.mjs'
import { productEnvironment, productNode, root, stateDir } from './checkout.mjs'
import { ensureInstalled } from './install.mjs'
import { endProcesses, listProcesses } from './processes.mjs'
import { describeFailure, seconds } from './run-command.mjs'
import { stopSignal } from './stop-signal.mjs'
import { ensureTestNeeds, testEnvironment } from './test-needs.mjs'
import { emptyTally, tallyReport } from './test-tally.mjs'

/** @typedef {import('./test-tally.mjs').Tally} Tally */

const signal = stopSignal()
/** @param {string} text */
const say = (text) => console.log(`  ${text}`)
/** @param {string} text */
const heading = (text) => console.log(`\n== ${text}`)

/** Every process of this run has this id in its environment, so that even distant children are found. */
const runId = randomUUID()
const runVariable = 'BUSBAR_TEST_RUN'

/** @type {Tally} */
const total = emptyTally()

/** @param {string} name @param {boolean} ok */
function count(name, ok) {
  if (ok) total.passed += 1
  else total.failures.push(name)
}

/**
 * Runs Vitest and adds its results.
 * @param {string} name
 * @param {string[]} args
 */
async function runSuites(name, args) {
  const report = join(stateDir, 'test', `${name}.json`)
  mkdirSync(join(stateDir, 'test'), { recursive: true })
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(productNode(), [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    env: { ...testEnvironment(productEnvironment()), [runVariable]: runId },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const interrupt = () => child.kill('SIGINT')
  signal.addEventListener('abort', interrupt, { once: true })
  const code = await new Promise((/** @type {(code: number) => void} */ resolve) => {
    child.on('exit', (exitCode, endSignal) =>
      resolve(exitCode ?? 128 + constants.signals[endSignal ?? 'SIGKILL']),
    )
  })
  signal.removeEventListener('abort', interrupt)
  const { passed, failures, skipped } = tallyReport(
    name,
    code,
    existsSync(report) ? readFileSync(report, 'utf8') : undefined,
  )
  total.passed += passed
  total.skipped += skipped
  total.failures.push(...failures.map((failure) => failure.replaceAll(`${root}/`, '')))
}

/**
 * Ends processes that the suites left running; they would spoil the next run.
 * @returns {Promise<string[]>}
 */
async function endLeftovers() {
  const left = listProcesses().filter(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${runVariable}=${runId}`)
    } catch {
      return false
    }
  })
  const names = left.map(({ pid }) => {
    const command = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
    return `${pid} ${command.replaceAll('\0', ' ').slice(0, 100)}`
  })
  await endProcesses(left, 0)
  return names
}

async function buildAll() {
  let isBuilt = true
  try {
    await ensureAllBuilt({ say, signal })
  } catch (error) {
    signal.throwIfAborted()
    console.log(describeFailure(error))
    isBuilt = false
  }
  count('builds', isBuilt)
  return isBuilt
}

async function runEverything() {
  heading('What the tests need')
  const missing = await ensureTestNeeds({ say, signal })
  for (const line of missing) console.log(line)
  count('what the tests need', missing.length === 0)

  heading('Builds')
  const isBuilt = await buildAll()

  heading('Checks and tests')
  // The tests often wait, so that the checks have time beside them.
  const [checks] = await Promise.all([
    runChecks({ signal, onResult: printCheck }),
    runSuites('unit', ['--project=!browser', '--project=!faults', '--project=!nodes']),
  ])
  for (const { name, ok } of checks) count(name, ok)
  signal.throwIfAborted()

  heading('Tests of the whole product, in the browser and through faults')
  const projects = ['--project=browser', '--project=faults', '--project=nodes']
  if (isBuilt) await runSuites('browser', projects)
  else count('the tests of the whole product had nothing to run', false)
}

/** @param {string[]} args what Vitest gets: files, -t */
async function runSome(args) {
  if (args.some((arg) => /^e2e|^bench|browser|faults/.test(arg))) {
    for (const line of await ensureTestNeeds({ say, signal })) console.log(line)
    await ensureAllBuilt({ say, signal })
  }
  await runSuites('some', args)
}

const args = process.argv.slice(2)
const beganAt = Date.now()
try {
  await ensureInstalled({ say, signal, withTools: true })
  if (args.length === 0) await runEverything()
  else await runSome(args)
} catch (error) {
  if (!signal.aborted) console.error(describeFailure(error))
  count(signal.aborted ? 'interrupted' : 'the run itself', false)
}
const left = await endLeftovers()
if (args.length === 0) count('nothing is left running', left.length === 0 || signal.aborted)
if (left.length > 0) console.log(`\nEnded what the tests left running:\n  ${left.join('\n  ')}`)

heading(`Done in ${seconds(Date.now() - beganAt)}`)
if (total.skipped > 0) console.log(`${total.skipped} skipped`)
for (const failure of total.failures) console.log(`failed: ${failure}`)
// A reader that is slow gets the last line too.
process.stdout.write(`${total.passed} passed, ${total.failures.length} failed\n`, () =>
  process.exit(total.failures.length === 0 ? 0 : 1),
)
