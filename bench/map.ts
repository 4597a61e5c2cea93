import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { landFiles } from '../console/build/land-files.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* The console's map in a real Chromium beside deck.gl's ScatterplotLayer and supercluster alone, with the same machines:
   frames a second while it moves, tasks of the main thread, the heap after many moves. WebGL is drawn by the processor
   (SwiftShader), so frames say little; tasks of the main thread do not draw. The peers are fetched into a folder that is
   removed. Names counts to measure (5000 100000). */

const peers = ['supercluster@9.1.0', '@deck.gl/core@9.4.0', '@deck.gl/layers@9.4.0']
const kinds = ['busbar', 'deck', 'supercluster'] as const
const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [5_000, 100_000]
const taskMaxMs = { 5000: 16, 100000: 50 } as Readonly<Record<number, number>>
/** Drawing a hundred thousand points takes this machine's processor a second each time. */
const stepsOf = (count: number): number => (count > 20_000 ? 60 : 240)
const pansOf = (count: number): number => (count > 20_000 ? 100 : 1_000)

/** Builds the page; answers the folder. */
async function buildPage(folder: string): Promise<string> {
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', ...peers], {
    stdio: 'inherit',
  })
  const outDir = join(folder, 'dist')
  const packages = join(folder, 'node_modules')
  await build({
    root: join(import.meta.dirname, 'map'),
    configFile: false,
    logLevel: 'warn',
    plugins: [landFiles()],
    resolve: {
      alias: {
        '@console': join(import.meta.dirname, '..', 'console', 'src'),
        '@deck.gl': join(packages, '@deck.gl'),
        supercluster: join(packages, 'supercluster'),
      },
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 4_000,
    },
  })
  return outDir
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

async function serve(folder: string) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = join(folder, path === '/' ? 'index.html' : path)
    readFile(file).then(
      (body) => {
        response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
        response.end(body)
      },
      () => {
        response.statusCode = 404
        response.end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/**
 * The tasks of the page's main thread while something runs, in milliseconds of its own: waits for pixels, which here the
 * processor draws, are left out.
 */
async function tasksOf(browser: Browser, page: Page, act: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, {
    categories: ['toplevel', '__metadata', 'disabled-by-default-devtools.timeline'],
  })
  await act()
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: {
      name: string
      ph: string
      pid: number
      tid: number
      tdur?: number
      args: { name?: string }
    }[]
  }
  const { traceEvents } = trace
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  return traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && mains.has(`${pid}/${tid}`))
    .flatMap(({ tdur }) => (tdur === undefined ? [] : tdur / 1_000))
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 2 ** 20
}

async function measure(
  browser: Browser,
  url: string,
  kind: (typeof kinds)[number],
  count: number,
): Promise<Row[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.on('pageerror', (error) => console.error(error))
  await page.goto(url)
  await page.waitForFunction('window.isReady')
  await page.evaluate(`begin('${kind}', ${count})`)
  const [steps, pans] = [stepsOf(count), pansOf(count)]
  let frames = 0
  const moving = await tasksOf(browser, page, async () => {
    frames = await page.evaluate<number>(`pan(${steps})`)
  })
  const changing = await tasksOf(browser, page, () => page.evaluate(`change(${count})`))
  const before = await heapOf(page)
  if (kind === 'busbar') await page.evaluate(`pan(${pans})`)
  const after = await heapOf(page)
  await page.evaluate('end()')
  await page.close()
  const limit = taskMaxMs[count]
  const row = (what: string, tasks: readonly number[]): Row => {
    const longest = Math.max(...tasks)
    const figure = `longest task ${longest.toFixed(1)} ms, p99 ${quantile(tasks, 0.99).toFixed(1)} ms`
    if (kind !== 'busbar' || limit === undefined) return { what, figure, target: '' }
    return { what, figure, target: `≤ ${limit} ms`, met: longest <= limit }
  }
  const name = `${count.toLocaleString('en')} machines, ${kind}`
  const rows = [
    row(`${name}: ${steps} steps of pan and zoom, ${frames.toFixed(0)} frames/s`, moving),
    row(`${name}: ten changes of 50 states`, changing),
  ]
  if (kind === 'busbar')
    rows.push({
      what: `${name}: heap before and after ${pans.toLocaleString('en')} more steps`,
      figure: `${before.toFixed(1)} MB, ${after.toFixed(1)} MB`,
      target: 'flat (10 %)',
      met: after < before * 1.1,
    })
  return rows
}

const folder = await mkdtemp(join(tmpdir(), 'busbar-map-'))
try {
  const { url, server } = await serve(await buildPage(folder))
  const browser = await launchBrowser({
    args: ['--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader'],
  })
  try {
    console.log(describeMachine())
    const rows: Row[] = []
    for (const count of counts)
      for (const kind of kinds) rows.push(...(await measure(browser, url, kind, count)))
    printRows(rows)
  } finally {
    await browser.close()
    server.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
