import type { RequestOf, Route } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { afterAll, beforeAll } from 'vitest'
import * as people from './builders.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import * as enterprises from './enterprise-builders.ts'
import { failureOf, startTestPlatform, type TestPlatform } from './platform.ts'

const builders = { ...people, ...enterprises }

type OnDatabase<Build> = Build extends (db: Database, ...rest: infer Rest) => infer Built
  ? (...rest: Rest) => Built
  : never

/** The builders on one database: `site.createUser()` is `createUser(site.db)`. */
type Builders = { readonly [Name in keyof typeof builders]: OnDatabase<(typeof builders)[Name]> }

function buildersOn(db: Database): Builders {
  type Build = (db: Database, ...rest: unknown[]) => unknown
  const bound = Object.entries(builders).map(([name, build]) => [
    name,
    (...rest: unknown[]) => (build as Build)(db, ...rest),
  ])
  return Object.fromEntries(bound)
}

export type TestSite = TestPlatform &
  Builders & {
    /** The code with which a call is refused; if the call succeeds, the test fails. */
    refusalOf<R extends Route>(
      user: { token: string } | undefined,
      route: R,
      request: RequestOf<R>,
    ): Promise<string>
  }

/** The same platform with the builders on its database. */
export const withBuilders = (site: TestPlatform): TestSite => ({
  ...site,
  ...buildersOn(site.db),
  refusalOf: async (user, route, request) => (await failureOf(site.as(user), route, request)).code,
})

/** The platform of a test file: starts before its tests, and stops after them. */
export function useSite(...settings: Parameters<typeof startTestPlatform>): TestSite {
  const site = {} as TestSite
  beforeAll(async () => {
    Object.assign(site, withBuilders(await startTestPlatform(...settings)))
  })
  afterAll(() => site.stop())
  return site
}

/** The database of a test file, without a platform: made before its tests, and dropped after them. */
export function useDatabase(...settings: Parameters<typeof createTestDatabase>): TestDatabase & Builders {
  const database = {} as TestDatabase & Builders
  beforeAll(async () => {
    const made = await createTestDatabase(...settings)
    Object.assign(database, made, buildersOn(made.db))
  })
  afterAll(() => database.drop())
  return database
}
