// `npm run bench -- NAME`: one measurement, or the list of them without a name.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './checkout.mjs'
import { runScript } from './run-script.mjs'

const names = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
const [name, ...args] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  console.log(`npm run bench -- NAME, one of: ${names.join(', ')}`)
  process.exitCode = name === undefined ? 0 : 2
} else {
  await runScript(`bench/${name}.ts`, args)
}
