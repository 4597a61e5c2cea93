import { createTestDatabase, type TestDatabase } from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLogger } from '../../src/kernel/logger.ts'
import { listBuckets, listRawPoints } from '../../src/modules/telemetry/history-store.ts'
import { DamagedChunks } from '../../src/modules/telemetry/store/damaged-chunks.ts'
import { Folding } from '../../src/modules/telemetry/store/fold.ts'
import { RowMover } from '../../src/modules/telemetry/store/row-mover.ts'
import type { TypedTag } from '../../src/modules/telemetry/store/sample-reads.ts'
import { plainReads } from '../../src/modules/telemetry/store/sample-store.ts'
import { releases, upgradeRelease } from './releases.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const pointsMax = 1_000_000
const msMax = 120_000
/** Tags that are read at each look; all of them before and after. */
const tagsPerLook = 12

/** Later versions store samples in chunks only, which `release-data.test.ts` reads. */
const withRows = releases.filter(({ version }) => version === '1.5.0')

describe.each(withRows)('the samples of $version', (release) => {
  let database: TestDatabase
  let tags: TypedTag[]
  const span = { from: release.backupAt - 30 * dayMs, to: release.backupAt + hourMs }

  beforeAll(async () => {
    database = await createTestDatabase({ empty: true })
    await upgradeRelease(database.db, release)
    const { rows } = await sql<TypedTag>`select id, type from tags order by id`.execute(database.db)
    tags = rows
  }, msMax)
  afterAll(() => database.drop())

  /** Every sample, and their sums and numbers by minutes and hours. */
  async function read(some: readonly TypedTag[]) {
    const reads = plainReads(database.db)
    const seen = new Map<string, unknown>()
    const raw = await listRawPoints(reads, some, span, pointsMax)
    for (const [id, rows] of raw.rows) seen.set(`${id} raw`, rows)
    for (const agg of ['sum', 'count', 'max'] as const) {
      const numbers = some.filter(({ type }) => type !== 'string').map((tag) => ({ ...tag, agg }))
      const buckets = await listBuckets(reads, numbers, span, agg === 'sum' ? hourMs : 60_000)
      const told = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(10)) : value)
      for (const [id, rows] of buckets.rows)
        seen.set(
          `${id} ${agg}`,
          rows.map(({ at, value }) => [at, told(value)]),
        )
    }
    return seen
  }

  const countRows = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from samples`.execute(database.db)).rows[0]
      ?.count ?? 0

  test(
    'read alike before they are moved, while they are, afterwards and when they are folded',
    async () => {
      const before = await read(tags)
      const rows = await countRows()
      expect(rows).toBeGreaterThan(10_000)
      const options = { db: database.db, samplesDb: database.db, logger: silentLogger }
      let isMoved = false
      const moved = new RowMover({ ...options, now: () => release.backupAt })
        .run({ signal: new AbortController().signal, progress: async () => {} })
        .finally(() => {
          isMoved = true
        })
      let looks = 0
      for (; !isMoved; looks++) {
        const from = (looks * tagsPerLook) % tags.length
        for (const [what, told] of await read(tags.slice(from, from + tagsPerLook)))
          expect(told, what).toEqual(before.get(what))
      }
      await moved
      expect(looks).toBeGreaterThan(1)
      expect(await countRows()).toBe(0)
      expect(await read(tags)).toEqual(before)
      const folding = new Folding({ ...options, damaged: new DamagedChunks(silentLogger) })
      await folding.run(release.backupAt + 3 * dayMs)
      const { rows: parts } = await sql`select from sample_chunks where part <> 0`.execute(database.db)
      expect(parts).toHaveLength(0)
      expect(await read(tags)).toEqual(before)
    },
    msMax,
  )
})
