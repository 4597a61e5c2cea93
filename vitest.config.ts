import { defineConfig } from 'vitest/config'

/** What a slow machine needs, not what a test should take. */
const patience = { testTimeout: 60_000, hookTimeout: 120_000, teardownTimeout: 20_000 }

const workersMax = 2

/** Suites without a database of their own. */
const plain = ['contract', 'link', 'agent', 'simulator', 'console', 'tools']
/** Suites that clone their databases from one template in one real PostgreSQL. */
const withDatabase = ['platform', 'testkit']

const testsOf = (folder: string) => [`${folder}/**/*.test.{ts,tsx,mjs}`]

export default defineConfig({
  test: {
    maxWorkers: workersMax,
    exclude: ['**/node_modules/**', '**/dist/**', '.busbar/**'],
    projects: [
      ...plain.map((name) => ({
        extends: true as const,
        test: { name, include: testsOf(name), ...patience },
      })),
      ...withDatabase.map((name) => ({
        extends: true as const,
        test: { name, include: testsOf(name), globalSetup: './testkit/src/postgres-setup.ts', ...patience },
      })),
      {
        extends: true as const,
        test: {
          name: 'browser',
          include: testsOf('e2e'),
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
    ],
  },
})
