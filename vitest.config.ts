import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { browserProject, testsInBrowser } from './console/test-support/browser-project.ts'

/** What a slow machine needs, not what a test should take. */
const patience = { testTimeout: 60_000, hookTimeout: 120_000, teardownTimeout: 20_000 }

/** One for each core of the machine that CI has. */
const workersMax = 2

/** Suites without a database of their own. */
const plain = ['contract', 'link', 'agent', 'connect', 'simulator', 'console', 'tools']
/** Suites that clone their databases from one template in one real PostgreSQL. */
const withDatabase = ['platform', 'testkit']

/** Seconds of each file in the last run that was recorded: `npm run durations` writes them after a run of everything. */
const durations: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'tools/test-durations.json'), 'utf8'),
)
const durationOf = ({ moduleId }: TestSpecification): number =>
  durations[relative(import.meta.dirname, moduleId)] ?? 0

/**
 * One project after the other, since a worker ends where the next file is of another project, and with it all that it has
 * loaded. The longest first, of files and of projects by their longest: begun last, one would keep a worker busy while the
 * others idle.
 * Vitest knows how long its files take only where it has run them before, which a fresh clone has not.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).sort((a, b) => durationOf(b) - durationOf(a))
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return sorted.sort((a, b) => place(a) - place(b))
  }
}

/** The whole product, in the browser and through faults, which mostly wait until their outages are over: beside nothing else. */
const wholeProduct = { sequence: { groupOrder: 1 } }

/** The stories in which processes matter: values, entering, messages, writes, cut-off, alarms and boards. */
const storiesOverNodes = ['first-day', 'visit', 'alarms', 'boards']

/** They ask for answers within a second of a core while a platform is attacked: beside nothing but each other. */
const floods = 'platform/test-support/floods'
const notTests = ['**/node_modules/**', '**/dist/**', '.busbar/**']

const testsOf = (folder: string) => [`${folder}/**/*.test.{ts,tsx,mjs}`]

export default defineConfig({
  test: {
    maxWorkers: workersMax,
    // A worker keeps what it has loaded: half of the time went into loading the platform anew for each file. So a test
    // leaves the process as it found it; what must be alone starts a process of its own.
    isolate: false,
    // For an event that a test waits for; the usual second is too short on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    setupFiles: ['./testkit/src/patience.ts'],
    sequence: { sequencer: LongestFirst },
    exclude: notTests,
    projects: [
      ...plain.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: testsOf(name),
          exclude: [...notTests, testsInBrowser],
          ...patience,
        },
      })),
      ...withDatabase.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: testsOf(name),
          exclude: [...notTests, ...testsOf(floods)],
          globalSetup: './testkit/src/postgres-setup.ts',
          setupFiles: ['./testkit/src/remember-statements.ts'],
          ...patience,
        },
      })),
      browserProject,
      {
        extends: true as const,
        test: {
          name: 'browser',
          include: testsOf('e2e'),
          globalSetup: ['./testkit/src/postgres-setup.ts', './e2e/src/shared-site.ts'],
          ...patience,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          ...wholeProduct,
        },
      },
      {
        extends: true as const,
        test: {
          name: 'nodes',
          include: storiesOverNodes.map((story) => `e2e/src/${story}.test.ts`),
          globalSetup: ['./testkit/src/postgres-setup.ts', './e2e/src/shared-nodes.ts'],
          env: { BUSBAR_TEST_OVER_NODES: '1' },
          ...patience,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          ...wholeProduct,
        },
      },
      {
        extends: true as const,
        test: {
          name: 'faults',
          include: testsOf('bench'),
          ...patience,
          hookTimeout: 180_000,
          ...wholeProduct,
        },
      },
      {
        extends: true as const,
        test: {
          name: 'floods',
          include: testsOf(floods),
          globalSetup: './testkit/src/postgres-setup.ts',
          ...patience,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
