import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { connectBrowser, serveBrowser } from '@busbar/testkit/browser.ts'
import type { Browser } from 'playwright-core'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { openSite, type Site, type SiteFacts, startSite } from './site.ts'

/** The facts about its own site that a worker gets. */
interface SharedFacts {
  readonly site: SiteFacts
  /** The endpoint that drives its browser. */
  readonly browser: string
}

declare module 'vitest' {
  interface ProvidedContext {
    sharedSites: readonly SharedFacts[]
  }
}

/** A platform, its database and a browser, for one test file after the other. Their makers end them. */
export interface Shared {
  readonly site: Site
  readonly browser: Browser
  readonly db: Database
}

/** Vitest's global setup of the browser tests: a platform and a browser for each worker. Answers the teardown. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return provideSites(project, Number(project.config.maxWorkers), false)
}

/** Starts the sites; `nodes`: each as several processes. */
export async function provideSites(
  project: TestProject,
  count: number,
  nodes: boolean,
): Promise<() => Promise<void>> {
  const started = await Promise.all(Array.from({ length: count }, () => startShared(nodes)))
  project.provide(
    'sharedSites',
    started.map(({ facts }) => facts),
  )
  return async () => {
    await Promise.all(started.map(({ stop }) => stop()))
  }
}

async function startShared(nodes: boolean) {
  const [site, browser] = await Promise.all([
    startSite({ nodes, env: { TRUSTED_PROXIES: '127.0.0.1' } }),
    serveBrowser(),
  ])
  return {
    facts: { site: site.facts, browser: browser.wsEndpoint() },
    stop: () => Promise.all([site.stop(), browser.close()]),
  }
}

// Vitest keeps modules from one test file of a worker to the next.
let shared: Promise<Shared> | undefined

/**
 * This worker's platform and browser, with the data of earlier files: a test makes its own people and
 * machines, and counts only those. A test that kills or configures its platform starts its own with
 * `startSite`.
 */
export function shareSite(): Promise<Shared> {
  shared ??= openShared()
  return shared
}

async function openShared(): Promise<Shared> {
  const sites = inject('sharedSites')
  // The workers of the stories over nodes share one.
  const facts = sites[Number(process.env.VITEST_POOL_ID) - 1] ?? sites[0]
  if (!facts) throw new Error('No site for this worker: run it in the browser project of vitest.config.ts.')
  const site = openSite(facts.site)
  return { site, browser: await connectBrowser(facts.browser), db: await site.openDatabase() }
}
