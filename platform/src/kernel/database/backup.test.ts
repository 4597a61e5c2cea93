import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { backup, restore } from './backup.ts'
import { BackupEncoder, type BackupRecord, DamagedBackup, decodeRecords } from './backup-format.ts'
import { copyIn } from './copy.ts'
import { type Database, openDatabase, withClient } from './database.ts'

let folder: string
let file: string
/** A database with one of everything; never changed by a test. */
let full: TestDatabase
let target: TestDatabase

beforeAll(async () => {
  full = await createTestDatabase()
  await fill(full.db)
})

afterAll(() => full.drop())

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-backup-'))
  file = join(folder, 'all.backup')
  target = await createTestDatabase()
})

afterEach(async () => {
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Rows in tables that point at each other, partitions of the samples, values that are hard to write as text. */
async function fill(db: Database): Promise<void> {
  await sql`insert into users (name, email, password_hash) values ('林 "Lin"', 'lin@example.com', 'x')`.execute(
    db,
  )
  await sql`
    insert into machines (code, type, name, secret_hash, owner_user_id, attributes, clock_offset_ms, clock_seen_at)
    select lpad(n::text, 19, '0'), 'pump', E'a\\tb\\\\c\\nd', sha256('x'), 1, '{"a": [null, 1.5, "\\\\N"]}', 0.1 + 0.2, now()
      from generate_series(1, 50) n`.execute(db)
  await sql`
    insert into tags (machine_id, group_name, name, type) select id, '', 'flow', 'float64' from machines`.execute(
    db,
  )
  await sql`delete from machines where id = 50`.execute(db)
  await sql`
    insert into machine_list_entries (user_id, machine_id, name, key_tag_id)
    select 1, machine_id, 'mine', id from tags`.execute(db)
  for (const day of [20, 21]) {
    await sql
      .raw(`create table samples_202611${day} partition of samples
              for values from ('2026-11-${day} 00:00+08') to ('2026-11-${day + 1} 00:00+08') with (fillfactor = 90)`)
      .execute(db)
  }
  await sql`
    insert into samples (tag_id, at, received_at, quality, late, num, int)
    select 1, '2026-11-20'::timestamptz + n * interval '11 s', now(), 0, false,
           case n % 3 when 0 then 'NaN' when 1 then 1e-300 * n end, 9223372036854775807 - n
      from generate_series(1, 20000) n`.execute(db)
}

/** Every table's rows as one sum, and every sequence's value. */
async function sumUp(db: Database): Promise<Record<string, string>> {
  return withClient(db, async (client) => {
    const sums: Record<string, string> = {}
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and relname <> 'migrations' order by 1`,
    )
    for (const { name } of rows) {
      const found = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from "${name}" t`,
      )
      sums[name] = found.rows[0]?.sum ?? ''
    }
    const sequences = await client.query<{ name: string; value: string }>(
      'select sequencename as name, last_value::text as value from pg_sequences order by 1',
    )
    for (const { name, value } of sequences.rows) sums[name] = value
    return sums
  })
}

/** The structure of the database, including constraints and partitions. */
async function describeStructure(db: Database): Promise<unknown[]> {
  const { rows } = await sql`
    select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as text, convalidated
      from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select oid::regclass::text, array_to_string(reloptions, ','), pg_get_expr(relpartbound, oid), true
      from pg_class where relispartition
    union all
    select indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid), indisvalid from pg_index
     where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
     order by 1, 2, 3`.execute(db)
  return rows
}

describe('a backup', () => {
  it('restored gives the same rows, sequences, partitions and constraints', async () => {
    const made = await backup(full.db, file)
    expect(made.bytes).toBe((await stat(file)).size)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['all.backup'])
    const restored = await restore(file, target.db)
    expect(restored).toEqual({ tables: made.tables, rows: made.rows })
    const sums = await sumUp(target.db)
    // The numbers of transactions begin anew.
    const sumsHere = await sumUp(full.db)
    expect(sums).toEqual({ ...sumsHere, fact_epoch: expect.not.stringContaining(sumsHere.fact_epoch ?? '') })
    expect(sums.samples).toMatch(/^20000 /)
    expect(sums.machines).toMatch(/^49 /)
    expect(await describeStructure(target.db)).toEqual(await describeStructure(full.db))
    const { rows } = await sql`
      insert into machines (code, type, name, secret_hash) values (${'9'.repeat(19)}, 'x', 'x', sha256('x'))
      returning id`.execute(target.db)
    expect(rows).toEqual([{ id: 51 }])
  })

  it('is of one instant, whatever is written meanwhile', async () => {
    const source = await createTestDatabase()
    try {
      await fill(source.db)
      let going = true
      const writer = openDatabase(source.connection)
      const writing = (async () => {
        while (going) {
          await sql`with made as (insert into enterprises (name) values ('new') returning id)
            insert into enterprise_members (enterprise_id, user_id, role) select id, 1, 'owner' from made`.execute(
            writer,
          )
        }
      })()
      await backup(source.db, file)
      going = false
      await writing
      await writer.destroy()
      await restore(file, target.db)
      const { rows } = await sql<{ enterprises: number; members: number }>`
        select (select count(*) from enterprises) as enterprises, (select count(*) from enterprise_members) as members`.execute(
        target.db,
      )
      expect(rows[0]?.members).toBe(rows[0]?.enterprises)
    } finally {
      await source.drop()
    }
  })

  it('never overwrites a file, and removes its partial file when it fails', async () => {
    await writeFile(file, 'precious')
    await expect(backup(full.db, file)).rejects.toThrow('exists already')
    expect(await readFile(file, 'utf8')).toBe('precious')
    const empty = await createTestDatabase({ empty: true })
    await expect(backup(empty.db, join(folder, 'other.backup'))).rejects.toThrow('migrations')
    await empty.drop()
    expect(await readdir(folder)).toEqual(['all.backup'])
  })

  it('does not fill the memory', { timeout: 180_000 }, async () => {
    const source = await createTestDatabase()
    try {
      const lineBytes = 8_000
      const lines = function* () {
        for (let id = 1; id <= 12_000; id++) {
          yield Buffer.from(`${id}\t${randomBytes(lineBytes / 2).toString('hex')}\n`)
        }
      }
      // The server need not compress them: that would take most of the test's time.
      for (const { db } of [source, target]) {
        await sql`alter table samples_rest alter text set storage external`.execute(db)
      }
      await sql`alter table samples alter received_at set default now(), alter at set default now(),
        alter quality set default 0, alter late set default false`.execute(source.db)
      await withClient(source.db, (client) =>
        copyIn(client, 'copy samples (tag_id, text) from stdin', lines()),
      )
      let peak = 0
      const before = process.memoryUsage.rss()
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss() - before)
      }, 5)
      await backup(source.db, file)
      await restore(file, target.db)
      clearInterval(watch)
      // Random digits compress to half: 96 MB of rows in 48 MB of file.
      expect((await stat(file)).size).toBeGreaterThan(45_000_000)
      expect(peak).toBeLessThan(70_000_000)
    } finally {
      await source.drop()
    }
  })
})

describe('restore refuses', () => {
  async function expectUntouched(): Promise<void> {
    expect(await sumUp(target.db)).toEqual(before)
    expect(await describeStructure(target.db)).toEqual(structureBefore)
  }

  let before: Record<string, string>
  let structureBefore: unknown[]

  beforeEach(async () => {
    await backup(full.db, file)
    before = await sumUp(target.db)
    structureBefore = await describeStructure(target.db)
  })

  it('a file that is cut off, anywhere', async () => {
    const bytes = await readFile(file)
    for (const share of [0, 0.0001, 0.3, 0.9, 0.99999]) {
      await writeFile(file, bytes.subarray(0, Math.floor(bytes.length * share)))
      await expect(restore(file, target.db)).rejects.toThrow(DamagedBackup)
    }
    await writeFile(file, bytes.subarray(0, bytes.length - 1))
    await expect(restore(file, target.db)).rejects.toThrow(`${file} is damaged`)
    await expectUntouched()
  })

  it('a file with a few wrong bytes, and one that is something else', async () => {
    const bytes = await readFile(file)
    for (const share of [0, 0.001, 0.01, 0.1, 0.5, 0.95, 0.9995]) {
      const at = Math.floor(bytes.length * share)
      const wrong = Buffer.from(bytes)
      for (let byte = at; byte < at + 4; byte++) wrong[byte] = ~(wrong[byte] ?? 0)
      await writeFile(file, wrong)
      await expect(restore(file, target.db)).rejects.toThrow(DamagedBackup)
    }
    for (const other of [
      Buffer.from('dear diary'),
      zstdCompressSync('dear diary'),
      Buffer.concat([bytes, bytes]),
    ]) {
      await writeFile(file, other)
      await expect(restore(file, target.db)).rejects.toThrow(DamagedBackup)
    }
    await expectUntouched()
  })

  it('rows changed in a repacked file', async () => {
    const plain = zstdDecompressSync(await readFile(file))
    const at = plain.indexOf('lin@example.com')
    expect(at).toBeGreaterThan(0)
    plain.write('liu@example.com', at)
    await writeFile(file, zstdCompressSync(plain))
    await expect(restore(file, target.db)).rejects.toThrow('its sum is wrong')
    await expectUntouched()
  })

  it('rows that break a constraint', async () => {
    const records: BackupRecord[] = []
    for await (const record of decodeRecords(
      (async function* () {
        yield zstdDecompressSync(await readFile(file))
      })(),
    )) {
      records.push(record)
    }
    const encoder = new BackupEncoder()
    const chunks: Buffer[] = []
    let isUsers = false
    for (const record of records) {
      if (record.kind === 'end') continue
      if (record.kind === 'table') isUsers = record.name === 'users'
      // The users are left out, and everything points at them.
      if (isUsers && record.kind === 'data') continue
      chunks.push(
        ...encoder.encode(isUsers && record.kind === 'tableEnd' ? { kind: 'tableEnd', rows: 0 } : record),
      )
    }
    const end = records.at(-1)
    if (end?.kind !== 'end') throw new Error('no end')
    chunks.push(encoder.end(end.tables, end.rows - 1))
    await writeFile(file, zstdCompressSync(Buffer.concat(chunks)))
    await expect(restore(file, target.db)).rejects.toMatchObject({ code: '23503' })
    await expectUntouched()
  })

  it('a database at another version', async () => {
    await sql`update migrations set checksum = 'another'`.execute(target.db)
    await expect(restore(file, target.db)).rejects.toThrow(/this database is at \d+ \([\w-]+, another\)/)
    await sql`delete from migrations`.execute(target.db)
    await expect(restore(file, target.db)).rejects.toThrow('this database is at 0')
    await expectUntouched()
  })

  it('a database that is in use', async () => {
    await sql`insert into enterprises (name) values ('Yangtze Pumps')`.execute(target.db)
    before = await sumUp(target.db)
    await expect(restore(file, target.db)).rejects.toThrow('in use: enterprises has rows')
    await expectUntouched()
  })
})
