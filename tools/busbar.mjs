// `npm run busbar -- …`: administration on the command line.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { productEnvironment, productNode, root } from './checkout.mjs'
import { ensureInstalled } from './install.mjs'
import { describeFailure } from './run-command.mjs'

try {
  await ensureInstalled({ say: (text) => console.error(text) })
} catch (error) {
  console.error(describeFailure(error))
  process.exit(1)
}
const main = join(root, 'platform', 'src', 'cli', 'main.ts')
// npm runs a script in the checkout; a person's file names are relative to their own folder.
const cwd = process.env.INIT_CWD ?? process.cwd()
const child = spawn(productNode(), [main, ...process.argv.slice(2)], {
  env: productEnvironment(),
  cwd,
  stdio: 'inherit',
})
// The terminal's Ctrl-C reaches the child directly; signals sent only to this process are passed on.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)))
