import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { ClientBase } from 'pg'
import { raiseEpoch } from '../facts/epoch.ts'
import {
  findUsedTable,
  listForeignKeys,
  listPartitions,
  listSequences,
  listStoredTables,
  listTriggerTables,
} from './backup-catalog.ts'
import {
  type BackupBegin,
  BackupEncoder,
  type BackupPartition,
  type BackupRecord,
  DamagedBackup,
  decodeRecords,
  formatVersion,
} from './backup-format.ts'
import { copyIn, copyOut } from './copy.ts'
import { type Database, withClient } from './database.ts'
import { type AppliedMigration, migrationLockNumber } from './migrate.ts'
import { liftTimeLimits, withoutTimeLimits } from './time-limits.ts'

export interface BackupResult {
  tables: number
  rows: number
  /** The size of the compressed file. */
  bytes: number
}

/**
 * Writes every table as of one instant into one compressed file that only the platform's user may read; others keep
 * working meanwhile. The file gets its name when it is complete. Memory does not grow with the database.
 * @throws when the file exists already
 */
export async function backup(db: Database, file: string): Promise<BackupResult> {
  if (existsSync(file)) throw new Error(`${file} exists already; a backup never overwrites.`)
  const part = `${file}.part`
  const count = { tables: 0, rows: 0 }
  try {
    await withClient(db, async (client) => {
      await client.query(`begin isolation level repeatable read read only`)
      await readAsText(client)
      const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
      const target = createWriteStream(part, { mode: 0o600, flush: true })
      await pipeline(dump(client, count), compress, target)
      await client.query('commit')
    })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return { ...count, bytes: (await stat(file)).size }
}

/**
 * Reads a backup into a database that has its migrations and is otherwise unused. All or nothing: any fault of the file
 * or the database leaves the database as it was.
 * @throws DamagedBackup when the file is not whole; Error when versions differ or the database is in use
 */
export async function restore(file: string, db: Database): Promise<{ tables: number; rows: number }> {
  try {
    // A wrong byte in the middle may look like a fault of the database; so the sum comes first.
    await readToEnd(readRecords(file))
    return await withClient(db, async (client) => {
      const run = (statement: string) => client.query(statement)
      return await withoutTimeLimits(run, async () => {
        await client.query('begin')
        try {
          await readAsText(client)
          await client.query('select pg_advisory_xact_lock($1)', [migrationLockNumber])
          const count = await load(client, readRecords(file))
          await client.query('commit')
          await client.query('analyze')
          return count
        } catch (error) {
          await client.query('rollback').catch(() => {})
          throw error
        }
      })
    })
  } catch (cause) {
    if (cause instanceof DamagedBackup)
      throw new DamagedBackup(`${file} is damaged: ${cause.message}`, { cause })
    throw cause
  }
}

async function readToEnd(records: AsyncGenerator<BackupRecord>): Promise<void> {
  while (!(await records.next()).done);
}

/** One form of text for every value, whatever the server's settings, and as long as it takes. */
async function readAsText(client: ClientBase): Promise<void> {
  await client.query(`
    set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
    set local extra_float_digits = 1; set local bytea_output = 'hex'; set local search_path = public;
    ${liftTimeLimits}`)
}

async function* dump(client: ClientBase, count: { tables: number; rows: number }): AsyncGenerator<Buffer> {
  const encoder = new BackupEncoder()
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  yield* encoder.encode({
    kind: 'begin',
    format: formatVersion,
    createdAt: new Date().toISOString(),
    postgres: rows[0]?.version ?? '',
    migrations: await listMigrationRows(client),
    partitions: await listPartitions(client),
    sequences: await listSequences(client),
  })
  const tables = await listStoredTables(client)
  // All from the beginning: old rows of a table that is copied in an hour must not be dropped before.
  if (tables.length > 0)
    await client.query(
      `lock table only ${tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')} in access share mode`,
    )
  for (const { name, columns } of tables) {
    yield* encoder.encode({ kind: 'table', name, columns })
    const blocks = copyOut(client, `copy ${columnsOf(client, name, columns)} to stdout`)
    let block = await blocks.next()
    while (!block.done) {
      yield* encoder.encode({ kind: 'data', bytes: block.value })
      block = await blocks.next()
    }
    yield* encoder.encode({ kind: 'tableEnd', rows: block.value })
    count.tables++
    count.rows += block.value
  }
  yield encoder.end(count.tables, count.rows)
}

async function load(
  client: ClientBase,
  records: AsyncGenerator<BackupRecord>,
): Promise<{ tables: number; rows: number }> {
  const begin = await next(records)
  if (begin.kind !== 'begin') throw new DamagedBackup('it does not begin as a backup does')
  await checkTarget(client, begin)
  const foreignKeys = await listForeignKeys(client)
  const triggerTables = await listTriggerTables(client)
  for (const key of foreignKeys) await client.query(key.drop)
  for (const name of triggerTables)
    await client.query(`alter table ${client.escapeIdentifier(name)} disable trigger user`)
  for (const { name } of await listStoredTables(client))
    await client.query(`truncate ${client.escapeIdentifier(name)}`)
  await makePartitions(client, begin.partitions)

  const count = { tables: 0, rows: 0 }
  let record = await next(records)
  for (; record.kind === 'table'; record = await next(records)) {
    const rows = await loadTable(client, record, records)
    count.tables++
    count.rows += rows
  }
  if (record.kind !== 'end' || record.tables !== count.tables || record.rows !== count.rows) {
    throw new DamagedBackup('its records are not in order')
  }
  if (!(await records.next()).done) throw new DamagedBackup('something follows its end')

  for (const { name, value } of begin.sequences) {
    // setval alone would survive a rollback; in the new storage that RESTART creates for the sequence it does not.
    await client.query(`alter sequence ${client.escapeIdentifier(name)} restart`)
    await client.query('select setval($1::regclass, $2::bigint)', [client.escapeIdentifier(name), value])
  }
  for (const key of foreignKeys) await client.query(key.add)
  for (const name of triggerTables)
    await client.query(`alter table ${client.escapeIdentifier(name)} enable trigger user`)
  await raiseEpoch(client)
  return count
}

async function loadTable(
  client: ClientBase,
  table: { name: string; columns: string[] },
  records: AsyncGenerator<BackupRecord>,
): Promise<number> {
  let rowsWritten = -1
  async function* blocks(): AsyncGenerator<Buffer> {
    for (;;) {
      const record = await next(records)
      if (record.kind === 'tableEnd') {
        rowsWritten = record.rows
        return
      }
      if (record.kind !== 'data') throw new DamagedBackup('its records are not in order')
      yield record.bytes
    }
  }
  const rows = await copyIn(
    client,
    `copy ${columnsOf(client, table.name, table.columns)} from stdin`,
    blocks(),
  )
  if (rows !== rowsWritten)
    throw new DamagedBackup(`${table.name} has ${rows} rows instead of ${rowsWritten}`)
  return rows
}

async function checkTarget(client: ClientBase, begin: BackupBegin): Promise<void> {
  if (begin.format !== formatVersion) {
    throw new Error(`The backup has format ${begin.format}; this Busbar reads format ${formatVersion}.`)
  }
  const here = await listMigrationRows(client)
  const versionOf = (list: AppliedMigration[]) =>
    list.map((m) => `${m.number} ${m.name} ${m.checksum}`).join('\n')
  if (versionOf(here) !== versionOf(begin.migrations)) {
    throw new Error(
      `The backup is of database version ${describeVersion(begin.migrations)}, this database is at ` +
        `${describeVersion(here)}. Restore it with the Busbar that wrote it, then upgrade.`,
    )
  }
  const used = await findUsedTable(client)
  if (used)
    throw new Error(`The database is in use: ${used} has rows. A backup is restored into an empty one only.`)
}

function describeVersion(migrations: AppliedMigration[]): string {
  const last = migrations.at(-1)
  return last ? `${last.number} (${last.name}, ${last.checksum.slice(0, 8)})` : '0'
}

async function makePartitions(client: ClientBase, partitions: BackupPartition[]): Promise<void> {
  const here = new Map((await listPartitions(client)).map((partition) => [partition.name, partition]))
  for (const { name, parent, bound, key, options } of partitions) {
    const existing = here.get(name)
    if (existing) {
      if (existing.parent === parent && existing.bound === bound) continue
      throw new Error(`The partition ${name} is here already with other bounds: ${existing.bound}`)
    }
    const id = client.escapeIdentifier.bind(client)
    const keyClause = key ? ` partition by ${key}` : ''
    const optionClause = options.length > 0 ? ` with (${options.join(', ')})` : ''
    await client.query(
      `create table ${id(name)} partition of ${id(parent)} ${bound}${keyClause}${optionClause}`,
    )
  }
}

async function* readRecords(file: string): AsyncGenerator<BackupRecord> {
  const source = createReadStream(file)
  const plain = source.pipe(createZstdDecompress())
  source.on('error', (error) => plain.destroy(error))
  try {
    yield* decodeRecords(plain)
  } catch (error) {
    // All errors of zlib mean the same to a reader of a backup.
    if (
      error instanceof Error &&
      'code' in error &&
      /^(ZSTD_|Z_|ERR_ZSTD|ERR_STREAM_PREMATURE)/.test(String(error.code))
    ) {
      throw new DamagedBackup('it cannot be decompressed', { cause: error })
    }
    throw error
  } finally {
    source.destroy()
    plain.destroy()
  }
}

async function next(records: AsyncGenerator<BackupRecord>): Promise<BackupRecord> {
  const { value, done } = await records.next()
  if (done) throw new DamagedBackup('it is cut off')
  return value
}

async function listMigrationRows(client: ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select number, name, checksum from migrations order by number',
  )
  return rows
}

function columnsOf(client: ClientBase, table: string, columns: string[]): string {
  return `${client.escapeIdentifier(table)} (${columns.map((name) => client.escapeIdentifier(name)).join(', ')})`
}
