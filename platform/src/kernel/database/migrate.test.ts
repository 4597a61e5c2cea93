import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './database.ts'
import { listAppliedMigrations, listMigrations, migrate } from './migrate.ts'

let folder: string
let database: TestDatabase
let versions = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-migrations-'))
  database = await createTestDatabase({ empty: true })
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const createPumps = `export async function up(db) {
  await db.schema.createTable('pumps').addColumn('id', 'integer').execute()
}
`
const addName = `export async function up(db) {
  await db.schema.alterTable('pumps').addColumn('name', 'text').execute()
}
`

/** Writes a folder of migrations; each in a new one, because a module is loaded once per path. */
async function write(files: Record<string, string>): Promise<string> {
  const dir = join(folder, String(++versions))
  await mkdir(dir)
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text)
  return dir
}

async function tables(): Promise<string[]> {
  const found = await database.db.introspection.getTables()
  return found.map((table) => table.name).sort()
}

describe('migrate', () => {
  it('runs the missing migrations, in order, once', async () => {
    const one = await write({ '0001-pumps.ts': createPumps })
    const two = await write({ '0001-pumps.ts': createPumps, '0002-pump-names.ts': addName })
    expect(await migrate(database.db, one)).toEqual([1])
    expect(await migrate(database.db, two)).toEqual([2])
    expect(await migrate(database.db, two)).toEqual([])
    expect(await listAppliedMigrations(database.db)).toMatchObject([
      { number: 1, name: 'pumps' },
      { number: 2, name: 'pump-names' },
    ])
    await sql`insert into pumps (id, name) values (1, 'east')`.execute(database.db)
  })

  it('does not run a migration that needs to be alone while another node lives, and says which', async () => {
    const dir = await write({ '0001-pumps.ts': `export const needsAlone = true\n${createPumps}` })
    await sql`create table nodes (id text, heartbeat_at timestamptz)`.execute(database.db)
    await sql`insert into nodes values ('old', now()), ('gone', now() - interval '1 minute')`.execute(
      database.db,
    )
    await expect(migrate(database.db, dir)).rejects.toThrow(
      'Migration 0001-pumps cannot run beside nodes of the version before. Stop them, then start this one again: old.',
    )
    expect(await tables()).not.toContain('pumps')
    await sql`delete from nodes where id = 'old'`.execute(database.db)
    expect(await migrate(database.db, dir)).toEqual([1])
  })

  it('runs once when two nodes start at the same time', async () => {
    const dir = await write({
      '0001-pumps.ts': createPumps.replace(
        '{\n',
        "{\n  await db.executeQuery({ sql: 'select pg_sleep(0.1)', parameters: [], query: { kind: 'RawNode' } })\n",
      ),
    })
    const other = openDatabase(database.connection, { poolMax: 1 })
    try {
      const ran = await Promise.all([migrate(database.db, dir), migrate(other, dir)])
      expect(ran.flat()).toEqual([1])
    } finally {
      await other.destroy()
    }
  })

  it('undoes a migration that fails, keeps those before it, and names it', async () => {
    const failing = `export async function up(db) {
      await db.schema.createTable('valves').addColumn('id', 'integer').execute()
      await db.schema.alterTable('nowhere').addColumn('id', 'integer').execute()
    }`
    const dir = await write({ '0001-pumps.ts': createPumps, '0002-valves.ts': failing })
    await expect(migrate(database.db, dir)).rejects.toThrow(
      'Migration 0002-valves failed and was undone: relation "nowhere"',
    )
    expect(await tables()).toEqual(['migrations', 'pumps'])
    expect(await listAppliedMigrations(database.db)).toHaveLength(1)
    const mended = await write({ '0001-pumps.ts': createPumps, '0002-valves.ts': addName })
    expect(await migrate(database.db, mended)).toEqual([2])
  })

  it('refuses a past that was edited, but not one with other line ends', async () => {
    await migrate(database.db, await write({ '0001-pumps.ts': createPumps }))
    expect(
      await migrate(database.db, await write({ '0001-pumps.ts': createPumps.replaceAll('\n', '\r\n') })),
    ).toEqual([])
    const edited = await write({ '0001-pumps.ts': createPumps.replace('integer', 'bigint') })
    await expect(migrate(database.db, edited)).rejects.toThrow(
      'Migration 1 (pumps) has already run on this database',
    )
    const renamed = await write({ '0001-valves.ts': createPumps })
    await expect(migrate(database.db, renamed)).rejects.toThrow('Migration 1 (pumps) has already run')
  })

  it('takes a database of the whole development of a release as one of the release, and no earlier one', async () => {
    const steps = { '0001-pumps.ts': createPumps, '0002-pump-names.ts': addName }
    const closing = `export const replaces = { number: 3, name: 'valves' }
export async function up() { throw new Error('it has run already') }`
    const closed = await write({ '0001-pumps.ts': createPumps, '0002-release.ts': closing })
    await migrate(database.db, await write(steps))
    await expect(migrate(database.db, closed)).rejects.toThrow('Migration 2 (pump-names) has already run')
    await migrate(database.db, await write({ ...steps, '0003-valves.ts': 'export async function up() {}' }))
    expect(await migrate(database.db, closed)).toEqual([])
    expect(await listAppliedMigrations(database.db)).toMatchObject([{ name: 'pumps' }, { name: 'release' }])
    expect(await migrate(database.db, closed)).toEqual([])
  })

  it('refuses a database newer than the code', async () => {
    await migrate(database.db, await write({ '0001-pumps.ts': createPumps, '0002-pump-names.ts': addName }))
    await expect(migrate(database.db, await write({ '0001-pumps.ts': createPumps }))).rejects.toThrow(
      'The database is at version 2, newer than this Busbar, which knows 1',
    )
  })

  it('gives its lock and its settings back', async () => {
    await migrate(database.db, await write({ '0001-pumps.ts': createPumps }))
    const { rows } = await sql<{ locks: number; timeout: string; transaction: string }>`
      select (select count(*) from pg_locks where locktype = 'advisory' and database =
               (select oid from pg_database where datname = current_database()))::int as locks,
             current_setting('statement_timeout') as timeout,
             current_setting('transaction_timeout') as transaction`.execute(database.db)
    expect(rows).toEqual([{ locks: 0, timeout: '1min', transaction: '2min' }])
  })
})

describe('a folder of migrations', () => {
  it('has numbers without a gap, names of one form, and an up in each', async () => {
    await expect(listMigrations(await write({ '0002-pumps.ts': createPumps }))).rejects.toThrow(
      'has number 1',
    )
    const twice = await write({ '0001-pumps.ts': createPumps, '0001-valves.ts': createPumps })
    await expect(listMigrations(twice)).rejects.toThrow('has number 2')
    await expect(listMigrations(await write({ 'pumps.ts': createPumps }))).rejects.toThrow('NNNN-name.ts')
    const wayDown = await write({ '0001-pumps.ts': 'export const down = 1' })
    await expect(migrate(database.db, wayDown)).rejects.toThrow('up(db)')
  })

  it('of the platform is complete', async () => {
    expect((await listMigrations()).length).toBeGreaterThan(0)
  })
})
