// A checkout for the tests of the commands: the real tools, and programs that start immediately in place of
// the product's.
import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './checkout.mjs'
import { endProcesses, identify, isRunning, listProcesses } from './processes.mjs'

/** @typedef {import('./processes.mjs').ProcessId} ProcessId */

const platform = `
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
const stubborn = existsSync('stubborn')
const database = spawn(process.execPath, ['-e', 'process.title="database";process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'])
const stop = () => { if (!stubborn) { database.kill('SIGKILL'); process.exit(0) } }
for (const name of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(name, stop)
if (existsSync('broken')) process.send({ type: 'failed', message: 'the disk is on fire' })
else {
  process.send({ type: 'progress', text: 'starting the database' })
  const demo = { account: 'demo@busbar.test', password: 'pa55word', simulatorConfig: 'sim.json', agentConfig: 'agent.json' }
  const rest = process.env.BUSBAR_DEMO === '1' ? { demo } : {}
  process.send({ type: 'ready', url: 'http://localhost:8480', mqttUrl: 'mqtt://127.0.0.1:1883', notices: ['port 8080 is taken'], ...rest })
}
setInterval(() => {}, 1000)
`
const worker = `
console.log('hello')
process.on('disconnect', () => process.exit(0))
process.send?.({ type: 'ready', modbusPort: 5020 })
setInterval(() => {}, 1000)
`
const build = `
import { mkdirSync, writeFileSync } from 'node:fs'
export const buildAgent = () => {
  mkdirSync('dist', { recursive: true })
  writeFileSync('dist/busbar-agent.mjs', ${JSON.stringify(worker)})
}
`
const buildOfConnect = `
import { mkdirSync, writeFileSync } from 'node:fs'
export const buildConnect = () => {
  mkdirSync('dist', { recursive: true })
  writeFileSync('dist/busbar-connect.mjs', '')
}
`
const buildOfPlatform = `
import { cpSync } from 'node:fs'
export const buildPlatform = (folder) => cpSync('src', folder, { recursive: true })
`
const vite = `
const { mkdirSync, writeFileSync, appendFileSync } = require('node:fs')
const out = process.argv[process.argv.indexOf('--outDir') + 1]
mkdirSync(out, { recursive: true })
writeFileSync(out + '/index.html', 'the console '.repeat(200))
appendFileSync('../builds.log', 'built\\n')
`

/** @returns the checkout's folder, with a space in its path */
export function createFakeCheckout() {
  const folder = join(mkdtempSync(join(tmpdir(), 'busbar start ')), 'check out')
  /** @type {Record<string, string>} */
  const files = {
    'package.json':
      '{ "name": "fake", "type": "module", "scripts": { "start": "exec node tools/start.mjs" } }',
    'package-lock.json': '{ "packages": {} }',
    'tsconfig.json': '{}',
    'platform/src/main.mjs': platform,
    'platform/build.mjs': buildOfPlatform,
    'simulator/src/main.ts': worker,
    'agent/build.mjs': build,
    'connect/build.mjs': buildOfConnect,
    'console/app.ts': 'one',
    'node_modules/vite/package.json': '{ "type": "commonjs" }',
    'node_modules/vite/bin/vite.js': vite,
    'node_modules/@busbar/note': '',
  }
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  for (const file of readdirSync(join(root, 'tools'))) {
    if (!file.includes('.test.')) cpSync(join(root, 'tools', file), join(folder, 'tools', file))
  }
  const bin = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin')
  mkdirSync(bin, { recursive: true })
  symlinkSync(process.execPath, join(bin, 'node'))
  return folder
}

/** @param {string} folder @returns {ProcessId[]} the processes that run a program of this checkout */
export function listProcessesOf(folder) {
  return listProcesses().filter(({ pid }) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      return environment.includes(`FAKE_CHECKOUT=${folder}`)
    } catch {
      return false
    }
  })
}

/** @param {string} folder */
export async function removeFakeCheckout(folder) {
  await endProcesses(listProcessesOf(folder), 0)
  rmSync(dirname(folder), { recursive: true, force: true })
}

/**
 * Runs npm as a person does.
 * @param {string} folder
 * @param {string[]} args
 */
export function runNpm(folder, ...args) {
  const env = {
    ...process.env,
    FAKE_CHECKOUT: folder,
    BUSBAR_DEMO: undefined,
    DATABASE_URL: undefined,
    NODE_ENV: undefined,
  }
  const child = spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  /** @type {(() => void)[]} */
  const listeners = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise((/** @type {(code: number | null) => void} */ resolve) =>
    child.on('exit', resolve),
  )
  return {
    id: identify(child.pid ?? 0),
    output: () => output,
    ended,
    /** @param {string} text @returns {Promise<void>} once the output holds it */
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && resolve()
        listeners.push(look)
        look()
        void ended.then(() => reject(new Error(`ended without saying "${text}":\n${output}`)))
      }),
  }
}

/** @param {string} folder @param {string} script @returns {ProcessId} the one process that runs it */
export function findProcess(folder, script) {
  const found = listProcessesOf(folder).find(({ pid }) => {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    // The shell that npm runs a script with names it too, further on.
    return words[1]?.endsWith(script)
  })
  if (!found || !isRunning(found)) throw new Error(`${script} does not run`)
  return found
}
