import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from './database.ts'
import { statementsVariable } from './remember-statements.ts'
import { startTestPostgres } from './test-postgres.ts'
import { describeFaults, findWholeReads, listSeenStatements } from './whole-reads.ts'

/**
 * Vitest's global setup: one PostgreSQL for the whole run. Vitest calls the returned function at the end, which fails the
 * run if the product sent a statement that reads a growing table from one end to the other.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const end = await startTestPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'busbar-statements-'))
  // Of several projects in one run the first gathers for all.
  const file = process.env[statementsVariable] ?? join(folder, 'statements.jsonl')
  if (!process.env[statementsVariable]) await writeFile(file, '')
  process.env[statementsVariable] = file
  return async () => {
    try {
      await checkStatements(file)
    } finally {
      await rm(folder, { recursive: true, force: true })
      await end()
    }
  }
}

async function checkStatements(file: string): Promise<void> {
  const statements = listSeenStatements(file)
  if (statements.length === 0) return
  await writeFile(file, '')
  const database = await createTestDatabase()
  try {
    const faults = describeFaults(await findWholeReads(database.connection, statements))
    if (faults.length > 0) throw new Error(`Statements without an index:\n${faults.join('\n')}`)
  } finally {
    await database.drop()
  }
}
