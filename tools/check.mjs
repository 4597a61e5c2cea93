// `npm run check`: static checks of the code.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { productEnvironment, productNode, root } from './checkout.mjs'
import { generate } from './generate.mjs'
import { ensureInstalled } from './install.mjs'
import { runCommand, seconds } from './run-command.mjs'

/** @typedef {{ name: string, ok: boolean, output: string, durationMs: number }} CheckResult */

/**
 * @param {string} name
 * @param {string} program
 * @param {string[]} args
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<CheckResult>}
 */
async function checkByCommand(name, program, args, signal) {
  const options = { cwd: root, env: productEnvironment(), signal }
  const { code, output, durationMs } = await runCommand(program, args, options)
  return { name, ok: code === 0, output, durationMs }
}

/** @param {string[]} path below node_modules */
const packaged = (...path) => join(root, 'node_modules', ...path)

// The program itself, not the package around it: that one names binaries for every system, and `npm ci` fails
// if a registry lacks one of them.
const biome = packaged('@biomejs', `cli-linux-${process.arch}`, 'biome')

/**
 * Runs every check, whatever the ones before it said.
 * @param {{ onResult: (result: CheckResult) => void, signal?: AbortSignal | undefined }} options
 * @returns {Promise<CheckResult[]>}
 */
export async function runChecks({ onResult, signal }) {
  /** @type {CheckResult[]} */
  const results = []
  /** @param {CheckResult} result */
  const add = (result) => {
    results.push(result)
    onResult(result)
  }
  const tsc = packaged('typescript', 'bin', 'tsc')
  add(await checkByCommand('types', productNode(), [tsc, '--project', root], signal))
  add(
    await checkByCommand(
      'types of the console',
      productNode(),
      [tsc, '--project', join(root, 'console')],
      signal,
    ),
  )
  add(
    await checkByCommand(
      "types of the agent's page",
      productNode(),
      [tsc, '--project', join(root, 'agent', 'src', 'page', 'static')],
      signal,
    ),
  )
  add(
    await checkByCommand('style (Biome)', biome, ['ci', '--colors=off', '--error-on-warnings', root], signal),
  )
  const beganAt = Date.now()
  for (const { name, ok, output } of await generate(true)) {
    add({ name: `generated: ${name}`, ok, output, durationMs: Date.now() - beganAt })
  }
  return results
}

/** @param {CheckResult} result */
export function printCheck({ name, ok, output, durationMs }) {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}, ${seconds(durationMs)}`)
  if (!ok) console.log(`${output.trimEnd()}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureInstalled({ say: console.log, withTools: true })
  const results = await runChecks({ onResult: printCheck })
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
}
