import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { checkout, startSite } from '../e2e/src/site.ts'
import { identify, listFamily } from '../tools/processes.mjs'
import { runCommand } from '../tools/run-command.mjs'
import { describeMachine, printRows, type Row } from './src/report.ts'

/* From `git clone` to the first screen, a second start on the same data, the stop, and the memory of the idle platform
   with its database. The clone is of this checkout's last commit, on the same disk; npm's cache is as it is (warm,
   after any start of the checkout itself). */

const idleMs = 30_000
const idleMbMax = 110
const startTimeoutMs = 600_000

interface Running {
  readonly url: string
  readonly child: ChildProcess
  readonly readyMs: number
}

/** Runs `npm start` until it has printed its last lines. */
async function npmStart(folder: string, env: NodeJS.ProcessEnv): Promise<Running> {
  const beganAt = performance.now()
  const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`npm start was not ready in ${startTimeoutMs} ms`)),
      startTimeoutMs,
    )
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const found = /^\s*Open\s+(\S+)/m.exec(printed)?.[1]
      if (!found || !/^\s*Password\s+\S+\s*$/m.test(printed)) return
      clearTimeout(timer)
      resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}\n${printed}`)))
  })
  return { url, child, readyMs: performance.now() - beganAt }
}

async function npmStop({ child }: Running): Promise<number> {
  const beganAt = performance.now()
  child.kill('SIGINT')
  if (child.exitCode === null) await once(child, 'exit')
  return performance.now() - beganAt
}

/** Until the sign-in form can be used. */
async function openFirstScreen(url: string): Promise<number> {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    const beganAt = performance.now()
    await page.goto(url)
    await page.locator('form button[type="submit"]').waitFor()
    return performance.now() - beganAt
  } finally {
    await browser.close()
  }
}

async function measureStarts(): Promise<Row[]> {
  const parent = await mkdtemp(join(tmpdir(), 'busbar-start-'))
  const folder = join(parent, 'busbar')
  // A separate folder: as root the database runs as another user, who cannot pass through the other one.
  const dataDir = await mkdtemp(join(tmpdir(), 'busbar-start-data-'))
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(await findFreePort('127.0.0.1')),
    MQTT_PORT: String(await findFreePort('127.0.0.1')),
    METRICS_PORT: '0',
    DATA_DIR: dataDir,
    BUSBAR_DEMO: '1',
  }
  let running: Running | undefined
  try {
    const beganAt = performance.now()
    const clone = await runCommand('git', ['clone', '--quiet', `file://${checkout}`, folder])
    if (clone.code !== 0) throw new Error(clone.output)
    running = await npmStart(folder, env)
    await openFirstScreen(running.url)
    const firstScreenMs = performance.now() - beganAt
    const stopMs = await npmStop(running)
    running = await npmStart(folder, env)
    const again = running.readyMs
    await npmStop(running)
    running = undefined
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    return [
      { what: 'clone to first screen, npm cache warm', figure: seconds(firstScreenMs), target: '' },
      {
        what: 'second start, with data, to ready',
        figure: seconds(again),
        target: 'a few seconds',
        met: again < 5_000,
      },
      { what: 'stop after SIGINT', figure: seconds(stopMs), target: '< 10 s', met: stopMs < 10_000 },
    ]
  } finally {
    if (running) await npmStop(running)
    await rm(parent, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Kilobytes of a process: resident, and proportional (shared pages divided among those that share them). */
async function memoryOf(pid: number): Promise<{ rss: number; pss: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN)
  return { rss: field('Rss'), pss: field('Pss') }
}

async function measureMemory(): Promise<Row[]> {
  const site = await startSite()
  try {
    const first = await measureIdle(site.pid, 'its first start')
    await site.start()
    return [...first, ...(await measureIdle(site.pid, 'a later start, with compiled code at hand'))]
  } finally {
    await site.stop()
  }
}

async function measureIdle(pid: number, start: string): Promise<Row[]> {
  await new Promise((resolve) => setTimeout(resolve, idleMs))
  const database = listFamily(identify(pid))
  const sum = async (pids: number[]) => {
    const all = await Promise.all(pids.map(memoryOf))
    return {
      rss: all.reduce((total, { rss }) => total + rss, 0) / 1024,
      pss: all.reduce((total, { pss }) => total + pss, 0) / 1024,
    }
  }
  const platform = await sum([pid])
  const postgres = await sum(database.map(({ pid }) => pid))
  const megabytes = ({ rss, pss }: { rss: number; pss: number }) =>
    `${rss.toFixed(0)} MB resident, ${pss.toFixed(0)} MB proportional`
  return [
    {
      what: `idle platform, ${idleMs / 1000} s after ${start}`,
      figure: megabytes(platform),
      target: `≤ ${idleMbMax} MB`,
      met: platform.rss <= idleMbMax,
    },
    { what: `its PostgreSQL, ${database.length} processes`, figure: megabytes(postgres), target: '' },
    {
      what: 'together',
      figure: megabytes({ rss: platform.rss + postgres.rss, pss: platform.pss + postgres.pss }),
      target: '',
    },
  ]
}

console.log(describeMachine())
const memory = await measureMemory()
// The first part alone: `memory`.
printRows([...(process.argv.includes('memory') ? [] : await measureStarts()), ...memory])
