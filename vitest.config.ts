import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What a slow machine needs, not what a test should take. */
const patience = { testTimeout: 60_000, hookTimeout: 120_000, teardownTimeout: 20_000 }

const workersMax = 2

/** Suites without a database of their own. */
const plain = ['contract', 'link', 'agent', 'simulator', 'console', 'tools']
/** Suites that clone their databases from one template in one real PostgreSQL. */
const withDatabase = ['platform', 'testkit']

/** A quarter of a minute and more each: begun last, one of them would keep a worker busy while the other idles. */
const longest = [
  'platform/src/rights/histories/histories.test.ts',
  'platform/src/rights/rights-walker.test.ts',
  'platform/src/gateway/kill.test.ts',
  'platform/src/database/postgres-kill.test.ts',
  'platform/src/database/postgres-server.test.ts',
  'platform/src/visit-host/cut-off.test.ts',
  'platform/src/database/backup.test.ts',
  'platform/src/upgrade.test.ts',
  'platform/src/modules/visits/visit-rights.test.ts',
  'tools/start.test.mjs',
  'simulator/src/main.test.ts',
  'agent/build.test.ts',
  'e2e/src/access.test.ts',
  'e2e/src/visit.test.ts',
  'e2e/src/rights-story.test.ts',
  'e2e/src/console.test.ts',
  'e2e/src/agent-page.test.ts',
  'e2e/src/administration.test.ts',
  'e2e/src/enterprise.test.ts',
  'e2e/src/joining.test.ts',
].map((file) => join(import.meta.dirname, file))

/** Vitest knows how long its files take only where it has run them before, which a fresh clone has not. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.indexOf(moduleId)
      return found < 0 ? longest.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

/** They ask for answers within a second while the platform is attacked: beside nothing else. */
const floods = 'platform/src/floods'
const notTests = ['**/node_modules/**', '**/dist/**', '.busbar/**']

const testsOf = (folder: string) => [`${folder}/**/*.test.{ts,tsx,mjs}`]

export default defineConfig({
  test: {
    maxWorkers: workersMax,
    // A worker keeps what it has loaded: half of the time went into loading the platform anew for each file. So a test
    // leaves the process as it found it; what must be alone starts a process of its own.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    exclude: notTests,
    projects: [
      ...plain.map((name) => ({
        extends: true as const,
        test: { name, include: testsOf(name), ...patience },
      })),
      ...withDatabase.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: testsOf(name),
          exclude: [...notTests, ...testsOf(floods)],
          globalSetup: './testkit/src/postgres-setup.ts',
          ...patience,
        },
      })),
      {
        extends: true as const,
        test: {
          name: 'browser',
          include: testsOf('e2e'),
          globalSetup: './testkit/src/data-folder.ts',
          ...patience,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Each a browser and a whole platform: beside nothing else.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true as const,
        test: {
          name: 'faults',
          include: testsOf('bench'),
          ...patience,
          hookTimeout: 180_000,
          // They say how long a recovery takes, and have three platforms of their own.
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true as const,
        test: {
          name: 'floods',
          include: testsOf(floods),
          globalSetup: './testkit/src/postgres-setup.ts',
          ...patience,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
