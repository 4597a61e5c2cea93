import { readFile } from 'node:fs/promises'
import { createClient } from '@busbar/contract'
import { createTestDatabase, signIn, type TestDatabase } from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import {
  closePools,
  type DatabasePools,
  openPools,
  splitConnections,
} from '../../src/kernel/database/pools.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import { createPlatform, type Platform } from '../../src/platform.ts'
import { readAnswers } from './read-answers.ts'
import { releaseFile, releases, upgradeRelease } from './releases.ts'

const upgradeMsMax = 60_000
/** Hundreds of calls, each of which reads an hour of samples. */
const answersMsMax = 240_000
const connectionsMax = 12

describe.each(releases)('the data of $version', (release) => {
  let database: TestDatabase
  let pools: DatabasePools
  let platform: Platform
  let url: string

  beforeAll(async () => {
    database = await createTestDatabase({ empty: true })
    await upgradeRelease(database.db, release)
    pools = openPools(database.connection, splitConnections(connectionsMax))
    platform = await createPlatform({
      pools,
      config: readConfig({ LOG_LEVEL: 'silent' }),
      logger: silentLogger,
      // The clock stands on the day of the backup, so that no data is older than its retention.
      now: () => release.backupAt,
    })
    const { webPort } = await platform.start({ web: 0, mqtt: 0 })
    url = `http://127.0.0.1:${webPort}`
  }, upgradeMsMax)

  afterAll(async () => {
    await platform.stop()
    await closePools(pools)
    await database.drop()
  })

  const readAs = async (email: string) => {
    const { id } = await database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const { token } = await signIn(database.db, id)
    const client = createClient({ baseUrl: url, lang: () => 'cn', token: () => token })
    return JSON.parse(JSON.stringify(await readAnswers(client, release.backupAt)))
  }

  test(
    'answers each person as it did before the upgrade',
    async () => {
      const answers = JSON.parse(await readFile(releaseFile(release, 'answers.json'), 'utf8'))
      expect(Object.keys(answers)).toHaveLength(2)
      for (const [email, before] of Object.entries(answers)) expect(await readAs(email)).toEqual(before)
    },
    answersMsMax,
  )

  test('knows the machines that connected before the upgrade, so that none of them is new', async () => {
    const { rows } = await sql<{ seen: boolean; known: boolean }>`
      select last_seen_at is not null or exists (
          select from machine_connections where machine_id = machines.id) as seen,
        exists (select from first_connections where machine_id = machines.id) as known
      from machines`.execute(database.db)
    expect(rows.some(({ seen }) => seen)).toBe(true)
    expect(rows.filter(({ seen, known }) => seen !== known)).toEqual([])
  })
})
