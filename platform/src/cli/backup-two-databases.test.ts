import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMachine } from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { bindDatabases } from '../kernel/database/database-roles.ts'
import { backupCommand, restoreCommand } from './backup-commands.ts'

let folder: string
let file: string
let main: TestDatabase
let samples: TestDatabase
const targets: TestDatabase[] = []

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  folder = await mkdtemp(join(tmpdir(), 'busbar-two-backups-'))
  file = join(folder, 'all.backup')
  main = await createTestDatabase()
  samples = await createTestDatabase()
  await bindDatabases(main.db, samples.db)
  await createMachine(main.db)
  await sql`insert into ingest_batches (id) values (gen_random_uuid())`.execute(samples.db)
})

afterEach(async () => {
  vi.restoreAllMocks()
  for (const database of [main, samples, ...targets.splice(0)]) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function createTarget(): Promise<TestDatabase> {
  const target = await createTestDatabase()
  targets.push(target)
  return target
}

it('a backup of two databases is two files, and both are restored as one installation', async () => {
  await backupCommand.prepare([file])(main.db, samples.db)
  const [newMain, newSamples] = [await createTarget(), await createTarget()]
  await restoreCommand.prepare([file])(newMain.db, newSamples.db)
  const machines = await newMain.db.selectFrom('machines').select('id').execute()
  const batches = await newSamples.db.selectFrom('ingest_batches').select('id').execute()
  expect([machines.length, batches.length]).toEqual([1, 1])
  await bindDatabases(newMain.db, newSamples.db)
  await expect(bindDatabases(newMain.db)).rejects.toThrow('set TELEMETRY_URL to it')
})

it('a backup without the second database is refused, not silently without samples', async () => {
  await expect(backupCommand.prepare([file])(main.db)).rejects.toThrow('set TELEMETRY_URL')
  expect(existsSync(file)).toBe(false)
})

it('a restore of one of the two files is refused', async () => {
  await backupCommand.prepare([file])(main.db, samples.db)
  const target = await createTarget()
  await expect(restoreCommand.prepare([file])(target.db)).rejects.toThrow('set TELEMETRY_URL')
  await rm(`${file}.samples`)
  await expect(restoreCommand.prepare([file])(target.db, (await createTarget()).db)).rejects.toThrow(
    'There is no',
  )
})
