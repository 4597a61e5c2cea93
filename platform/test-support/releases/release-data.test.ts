import { readFile } from 'node:fs/promises'
import { createClient } from '@busbar/contract'
import { createTestDatabase, signIn, type TestDatabase } from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { placeOf } from '../../src/kernel/database/place-of.ts'
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

/** Where a machine was before places had a table. */
interface FormerPlace {
  readonly id: number
  readonly lat: number | null
  readonly lng: number | null
  readonly address: string | null
  readonly location_type: number
  readonly location_way: number | null
}

/** Half a place, an address alone, ways of every kind, and a machine that changed hands. */
const oddPlaces = `
  with numbered as (select id, row_number() over (order by id) as n from machines)
  update machines set
    lng = case when n in (1, 2) then null else lng end,
    lat = case when n = 2 then null else lat end,
    address = case when n = 3 then '' when n = 2 then 'Hall 3' else address end,
    location_type = case when n in (4, 5) then 1 when n = 6 then 3 else location_type end,
    location_way = case when n = 4 then 2 when n = 5 then null else location_way end,
    owned_since = case when n = 7 then now() else owned_since end
  from numbered where numbered.id = machines.id`

describe.each(releases)('the data of $version', (release) => {
  let database: TestDatabase
  let pools: DatabasePools
  let platform: Platform
  let url: string
  let places: readonly FormerPlace[]

  beforeAll(async () => {
    database = await createTestDatabase({ empty: true })
    await upgradeRelease(database.db, release, async () => {
      await sql.raw(oddPlaces).execute(database.db)
      const { rows } = await sql<FormerPlace>`
        select id, lat, lng, address, location_type, location_way from machines order by id`.execute(
        database.db,
      )
      places = rows
    })
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

  test('has every machine where it was', async () => {
    expect(places.length).toBeGreaterThan(7)
    const { rows } = await sql`
      select machines.id, place.lat, place.lng, place.address, coalesce(place.location_type, 2) as location_type,
             place.location_way, place.place_source as source
      from machines left join lateral ${placeOf({ userId: 1, lang: 'cn' })} on true order by id`.execute(
      database.db,
    )
    const sources = { 1: { 1: 'gps', 2: 'wifi' } as Record<number, string>, 2: 'manual', 3: 'search' }
    expect(rows).toEqual(
      places.map(({ lat, lng, address, ...place }) => {
        const isKnown = lat !== null && lng !== null
        const type = sources[place.location_type as keyof typeof sources]
        const source = typeof type === 'string' ? type : (type[place.location_way ?? 0] ?? 'cells')
        return {
          ...place,
          lat: isKnown ? lat : null,
          lng: isKnown ? lng : null,
          address: address || null,
          source: isKnown ? source : null,
        }
      }),
    )
  })

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
