import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, telemetry } from '@busbar/contract'
import { countLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { createTestDatabase } from '@busbar/testkit'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { checkOutFormer } from '../test-support/processes/former-checkout.ts'
import { type MainFailed, type MainProcess, startMain } from '../test-support/processes/main-process.ts'
import { type Database, openDatabase } from './kernel/database/database.ts'
import { listMigrations, migrate, migrationsDir } from './kernel/database/migrate.ts'
import { findPostgresServer } from './kernel/database/postgres-server.ts'

const checkout = join(import.meta.dirname, '../..')
const hourMs = 3_600_000
const pastSamples = 100
/** Two platforms are started and stopped, with a PostgreSQL each in the longest. */
const twoStartsMsMax = 180_000
const soon = { timeout: 10_000, interval: 100 }
/** The migrations of the last release before this one. */
const releasedMigrations = 2

const code = '1234567890123456789'
const secret = randomBytes(24).toString('base64url')
const token = randomBytes(24).toString('base64url')
const sha256 = (text: string) => createHash('sha256').update(text).digest()

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function start(env: Record<string, string>, program?: string): Promise<MainProcess> {
  const main = await startMain(env, { program })
  cleanups.push(async () => main.child.kill('SIGKILL'))
  return main
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-upgrade-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}

/** A person, signed in, and a machine of theirs, in columns that every version has. */
async function addOwner(db: Database): Promise<number> {
  const owner = await sql<{ id: number }>`
    with person as (
      insert into users (name, email, password_hash) values ('Ming Li', 'ming@example.test', 'none') returning id),
    session as (
      insert into sessions (user_id, token_hash, terminal_uuid, terminal_type, terminal_name, address, expires_at, ends_at)
      select id, ${sha256(token)}, 'upgrade', 1, 'test', '127.0.0.1', now() + interval '1 day', now() + interval '1 day'
      from person),
    machine as (
      insert into machines (code, type, name, secret_hash, owner_user_id)
      select ${code}, 'machine', 'Press 4', ${sha256(secret)}, id from person returning id)
    insert into machine_list_entries (user_id, machine_id, name)
    select person.id, machine.id, 'Press 4' from person, machine returning machine_id as id`.execute(db)
  return owner.rows[0]?.id ?? 0
}

async function post(main: MainProcess, values: { ts: number; values: object }[]): Promise<void> {
  const answer = await fetch(`${main.url}/api/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${code}:${secret}`)}` },
    body: JSON.stringify(values),
  })
  expect(await answer.json()).toMatchObject({ hwdata: { stored: values.length, refused: [] } })
}

/** Reads as the owner, through the API: the newest value and every point of the last hours. */
async function read(main: MainProcess, machineId: number) {
  const client = createClient({ baseUrl: main.url, lang: () => 'en', token: () => token })
  const [tag] = await client.call(telemetry.listTags, { machineId })
  const tagId = tag?.tagId ?? 0
  const [latest] = await client.call(telemetry.listLatest, { machineId })
  const range = { from: Date.now() - 3 * hourMs, to: Date.now() + hourMs }
  const { series } = await client.call(telemetry.getHistory, {
    tagIds: [tagId],
    ...range,
    agg: 'raw',
    points: 500,
  })
  return { latest: latest?.value, values: series[0]?.points.map((point) => point[1]) }
}

async function listApplied(db: Database): Promise<{ number: number; applied: string }[]> {
  const { rows } = await sql<{ number: number; applied: string }>`
    select number, applied_at::text as applied from migrations order by number`.execute(db)
  return rows
}

/** Rows of the last release, and those committed since. */
async function countSamples(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (select count(*) from samples)::int
    + coalesce((select sum(count) from sample_chunks), 0)::int as count`.execute(db)
  return (rows[0]?.count ?? 0) + (await countLogged(db))
}

const past = Array.from({ length: pastSamples }, (_, n) => n)

describe('a database of the last release', () => {
  it(
    'is upgraded by the start, keeps its data and goes on; a second start changes nothing',
    async () => {
      const database = await createTestDatabase({ empty: true })
      cleanups.push(() => database.drop())
      const { db } = database
      const migrations = await listMigrations()
      await migrate(db, await linkReleased())
      const machineId = await addOwner(db)
      await sql`
      with tag as (
        insert into tags (machine_id, group_name, name, type) values (${machineId}, '', 'n', 'float64') returning id),
      newest as (
        insert into tag_latest (tag_id, at, received_at, quality, num)
        select id, date_trunc('second', now()) - interval '1 s', now(), 0, ${pastSamples - 1} from tag),
      flushed as (insert into telemetry_state (latest_flushed_at) values (now()))
      insert into samples (tag_id, at, received_at, quality, late, num)
      select id, date_trunc('second', now()) - make_interval(secs => ${pastSamples} - n), now(), 0, false, n
      from tag, generate_series(0, ${pastSamples - 1}::int) as n`.execute(db)
      await sql`update users set event_seq = 41`.execute(db)
      const before = await listApplied(db)
      expect(before).toHaveLength(releasedMigrations)

      const first = await start({ DATABASE_URL: database.url })
      const applied = await listApplied(db)
      expect(applied).toHaveLength(migrations.length)
      expect(applied.slice(0, releasedMigrations)).toEqual(before)
      const numbers = await db.selectFrom('user_event_counts').select('last_id').execute()
      expect(numbers.map((row) => row.last_id)).toEqual([41])
      expect(await read(first, machineId)).toEqual({ latest: pastSamples - 1, values: past })
      await post(first, [{ ts: Date.now(), values: { n: 1_000 } }])
      expect(await read(first, machineId)).toEqual({ latest: 1_000, values: [...past, 1_000] })
      expect(await first.stop()).toBe(0)

      const second = await start({ DATABASE_URL: database.url })
      expect(await listApplied(db)).toEqual(applied)
      // Rows of a partition that is being moved are in chunks as well until it goes.
      await expect.poll(() => countSamples(db), soon).toBe(pastSamples + 1)
      expect(await read(second, machineId)).toEqual({ latest: 1_000, values: [...past, 1_000] })
      expect(await second.stop()).toBe(0)
    },
    twoStartsMsMax,
  )

  it('that is newer than the code is refused with an explanation, and not changed', async () => {
    const database = await createTestDatabase()
    cleanups.push(() => database.drop())
    await sql`insert into migrations (number, name, checksum) select max(number) + 1, 'later', 'x' from migrations`.execute(
      database.db,
    )
    const applied = await listApplied(database.db)
    const failure = await start({ DATABASE_URL: database.url }).catch((error: MainFailed) => error)
    expect(failure).toMatchObject({ name: 'MainFailed', exitCode: 1 })
    expect((failure as MainFailed).message).toContain('newer than this Busbar')
    expect((failure as MainFailed).message).toContain('restore a backup')
    expect(await listApplied(database.db)).toEqual(applied)
  })
})

describe("the previous commit's data folder", () => {
  const commit = previousCommit()

  it.skipIf(commit === undefined)(
    'is opened by this code: data readable, telemetry goes on',
    async () => {
      const former = await makeFolder()
      await checkOutFormer(commit ?? '', former)
      const dataDir = await makeFolder()

      const old = await start({ DATA_DIR: dataDir }, join(former, 'platform/src/main.ts'))
      const machineId = await withEmbedded(dataDir, addOwner)
      const firstAt = Date.now() - pastSamples * 1_000
      await post(
        old,
        past.map((n) => ({ ts: firstAt + n * 1_000, values: { n } })),
      )
      const before = await read(old, machineId)
      expect(before).toEqual({ latest: pastSamples - 1, values: past })
      expect(await old.stop()).toBe(0)

      const main = await start({ DATA_DIR: dataDir })
      expect(await read(main, machineId)).toEqual(before)
      await post(main, [{ ts: Date.now(), values: { n: 1_000 } }])
      expect(await read(main, machineId)).toEqual({ latest: 1_000, values: [...past, 1_000] })
      await expect.poll(() => withEmbedded(dataDir, countSamples), soon).toBe(pastSamples + 1)
      expect(await main.stop()).toBe(0)
    },
    twoStartsMsMax,
  )
})

/** A folder with the released migrations alone. */
async function linkReleased(): Promise<string> {
  const folder = await makeFolder()
  const files = (await readdir(migrationsDir)).sort().slice(0, releasedMigrations)
  for (const file of files) await symlink(join(migrationsDir, file), join(folder, file))
  return folder
}

async function withEmbedded<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const connection = await findPostgresServer(dataDir)
  if (!connection) throw new Error('no PostgreSQL runs on the data folder')
  const db = openDatabase(connection, { poolMax: 1 })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** The commit before the tested code: HEAD while the platform has changes, else its parent. */
function previousCommit(): string | undefined {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: checkout, encoding: 'utf8' })
  const changes = git('status', '--porcelain', '--', 'platform', 'contract', 'link')
  if (changes.status !== 0) return undefined
  const found = git('rev-parse', '--verify', '--quiet', changes.stdout === '' ? 'HEAD~1' : 'HEAD')
  return found.status === 0 ? found.stdout.trim() : undefined
}
