// Runs one of the project's scripts that needs the built product and the tests' programs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ensureAllBuilt } from './build.mjs'
import { productEnvironment, productNode, root } from './checkout.mjs'
import { ensureInstalled } from './install.mjs'
import { describeFailure } from './run-command.mjs'
import { stopSignal } from './stop-signal.mjs'
import { ensureTestNeeds, testEnvironment } from './test-needs.mjs'

/**
 * @param {string} script a place below the checkout
 * @param {string[]} args
 */
export async function runScript(script, args) {
  const signal = stopSignal()
  const say = console.log
  try {
    await ensureInstalled({ say, signal, withTools: true })
    for (const line of await ensureTestNeeds({ say, signal })) console.log(line)
    await ensureAllBuilt({ say, signal })
  } catch (error) {
    console.error(describeFailure(error))
    process.exitCode = 1
    return
  }
  const child = spawn(productNode(), [join(root, script), ...args], {
    cwd: root,
    env: testEnvironment(productEnvironment()),
    stdio: 'inherit',
  })
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
}
