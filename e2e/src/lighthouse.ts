import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findFreePort } from '@busbar/platform/http/listen.ts'
import { browserOptions } from '@busbar/testkit/browser.ts'
import { type BrowserContext, chromium } from 'playwright-core'

export const categories = ['performance', 'accessibility', 'best-practices'] as const
export type Category = (typeof categories)[number]
export type FormFactor = 'desktop' | 'mobile'

/** Whole points out of 100 of the categories asked for, and what cost some of them. */
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

/** A browser that Lighthouse drives by its debugging port, with cookies of its own. */
export interface LighthouseRig {
  readonly context: BrowserContext
  /** Loads the address cold, as a first visit, and rates it. */
  rate(url: string, formFactor: FormFactor, asked?: readonly Category[]): Promise<Report>
  close(): Promise<void>
}

const host = '127.0.0.1'
const triesMax = 3

/** Starts the browser. The caller closes it. */
export async function startLighthouse(): Promise<LighthouseRig> {
  const folder = process.env.BUSBAR_LIGHTHOUSE
  if (!folder) throw new Error('BUSBAR_LIGHTHOUSE is not set: the tests run by npm test')
  const program = join(folder, 'node_modules', 'lighthouse', 'core', 'index.js')
  const lighthouse = (await import(pathToFileURL(program).href)) as LighthouseModule
  const userDir = await mkdtemp(join(tmpdir(), 'busbar-lighthouse-'))
  const port = await findFreePort(host)
  const context = await chromium.launchPersistentContext(
    userDir,
    browserOptions([`--remote-debugging-port=${port}`, `--remote-debugging-address=${host}`]),
  )
  return {
    context,
    async rate(url, formFactor, asked = categories) {
      const flags = {
        port,
        logLevel: 'error',
        output: 'json',
        onlyCategories: asked,
        disableFullPageScreenshot: true,
        throttlingMethod: 'simulate',
      }
      const config = formFactor === 'desktop' ? lighthouse.desktopConfig : undefined
      // On a busy machine a browser now and then misses the start of its own trace.
      for (let tries = 1; ; tries++) {
        const result = await lighthouse.default(url, flags, config)
        const error = result?.lhr.runtimeError?.message
        if (result && !error) return toReport(result.lhr)
        if (tries === triesMax) throw new Error(`Lighthouse failed: ${error}`)
      }
    },
    async close() {
      await context.close()
      await rm(userDir, { recursive: true, force: true })
    },
  }
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
