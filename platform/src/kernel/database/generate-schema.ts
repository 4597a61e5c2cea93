import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { startPostgresServer } from './postgres-server.ts'
import { writeSchemaText } from './schema-text.ts'

const schemaFile = join(import.meta.dirname, 'schema.gen.ts')

/** Migrates a database on a temporary server and describes it. */
async function describeMigrations(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'busbar-schema-'))
  try {
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
    const server = await startPostgresServer({ dataDir, settings })
    const db = openDatabase(server.connection, { poolMax: 2 })
    try {
      await migrate(db)
      return await writeSchemaText(db as unknown as Kysely<unknown>)
    } finally {
      await db.destroy()
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const checkOnly = process.argv.includes('--check')
const text = await describeMigrations()
const written = await readFile(schemaFile, 'utf8').catch(() => '')
if (text === written) {
  console.log('platform/src/kernel/database/schema.gen.ts is up to date')
} else if (checkOnly) {
  console.error(
    'platform/src/kernel/database/schema.gen.ts is not what the migrations make: run npm run generate',
  )
  process.exitCode = 1
} else {
  await writeFile(schemaFile, text)
  console.log('platform/src/kernel/database/schema.gen.ts was written')
}
