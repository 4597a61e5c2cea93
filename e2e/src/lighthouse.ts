import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { browserOptions } from '@busbar/testkit/browser.ts'
import { type BrowserContext, chromium } from 'playwright-core'

export const categories = ['performance', 'accessibility', 'best-practices'] as const
export type Category = (typeof categories)[number]
export type FormFactor = 'desktop' | 'mobile'

/** Whole points out of 100 of the requested categories, and the causes of losses. */
export interface Report {
  readonly scores: Readonly<Partial<Record<Category, number>>>
  /** Audits below full marks that count, with what they measured. */
  readonly losses: readonly string[]
}

interface Audit {
  readonly title: string
  readonly score: number | null
  readonly displayValue?: string
}

interface LighthouseResult {
  readonly runtimeError?: { readonly message: string }
  readonly audits: Readonly<Record<string, Audit>>
  readonly categories: Readonly<
    Partial<
      Record<
        Category,
        { readonly score: number | null; readonly auditRefs: readonly { id: string; weight: number }[] }
      >
    >
  >
}

interface LighthouseModule {
  readonly default: (
    url: string,
    flags: object,
    config?: object,
  ) => Promise<{ readonly lhr: LighthouseResult } | undefined>
  readonly desktopConfig: object
}

type Cookies = Parameters<BrowserContext['addCookies']>[0]

/** A browser of Lighthouse's own, by its debugging port. */
export interface LighthouseRig {
  /** Replaces the cookies it sends. */
  setCookies(cookies: Cookies): Promise<void>
  /** Loads the address cold, as a first visit, and rates it. */
  rate(url: string, formFactor: FormFactor, asked?: readonly Category[]): Promise<Report>
  close(): Promise<void>
}

const host = '127.0.0.1'
const triesMax = 3
const startTimeoutMs = 30_000

/** Starts the browser. The caller closes it. */
export async function startLighthouse(): Promise<LighthouseRig> {
  const folder = process.env.BUSBAR_LIGHTHOUSE
  if (!folder) throw new Error('BUSBAR_LIGHTHOUSE is not set: the tests run by npm test')
  const program = join(folder, 'node_modules', 'lighthouse', 'core', 'index.js')
  const lighthouse = (await import(pathToFileURL(program).href)) as LighthouseModule
  const browser = await startBrowser()
  return {
    async setCookies(cookies) {
      const connected = await chromium.connectOverCDP(`http://${host}:${browser.port}`)
      const [context] = connected.contexts()
      await context?.clearCookies()
      await context?.addCookies(cookies)
      await connected.close()
    },
    async rate(url, formFactor, asked = categories) {
      const flags = {
        port: browser.port,
        logLevel: 'error',
        output: 'json',
        onlyCategories: asked,
        disableFullPageScreenshot: true,
        throttlingMethod: 'simulate',
      }
      const config = formFactor === 'desktop' ? lighthouse.desktopConfig : undefined
      // On a busy machine a browser sometimes misses the start of its trace.
      for (let tries = 1; ; tries++) {
        const result = await lighthouse.default(url, flags, config)
        const error = result?.lhr.runtimeError?.message
        if (result && !error) return toReport(result.lhr)
        if (tries === triesMax) throw new Error(`Lighthouse failed: ${error}`)
      }
    },
    close: browser.stop,
  }
}

/** Chromium without a debugger attached: watching a page's network and scripts would slow the page. */
async function startBrowser(): Promise<{ port: number; stop(): Promise<void> }> {
  const userDir = await mkdtemp(join(tmpdir(), 'busbar-lighthouse-'))
  const { executablePath, args } = browserOptions([
    '--headless',
    '--disable-gpu',
    '--remote-debugging-port=0',
    `--remote-debugging-address=${host}`,
    `--user-data-dir=${userDir}`,
    'about:blank',
  ])
  const child = spawn(executablePath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill()
    await exited
    await rm(userDir, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    return { port: await readDebuggingPort(child.stderr), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Chromium chooses a free port and prints it; its output has to be read, or a full pipe would block it. */
function readDebuggingPort(output: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => reject(new Error(`Chromium did not start: ${said}`)), startTimeoutMs)
    output.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000)
      const port = /DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(said)?.[1]
      if (port === undefined) return
      clearTimeout(timer)
      resolve(Number(port))
    })
  })
}

function toReport({ categories: rated, audits }: LighthouseResult): Report {
  const found = categories.flatMap((category) => {
    const result = rated[category]
    return result ? [{ category, ...result }] : []
  })
  const counting = found.flatMap(({ auditRefs }) => auditRefs).filter(({ weight }) => weight)
  return {
    scores: Object.fromEntries(
      found.map(({ category, score }) => [category, Math.round((score ?? 0) * 100)]),
    ),
    losses: counting.flatMap(({ id }) => {
      const audit = audits[id]
      if (!audit || audit.score === null || audit.score === 1) return []
      return [`${id} ${Math.round(audit.score * 100)} ${audit.displayValue ?? audit.title}`]
    }),
  }
}
