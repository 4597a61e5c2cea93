import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restore } from '../../src/kernel/database/backup.ts'
import type { Database } from '../../src/kernel/database/database.ts'
import { migrate, migrationsDir } from '../../src/kernel/database/migrate.ts'

/** A released version whose data and agents this version must go on serving. */
export interface Release {
  readonly version: string
  /** The commit it was made from. */
  readonly commit: string
  /** Number of its migrations. */
  readonly migrations: number
  /** When its backup was made, in epoch milliseconds. */
  readonly backupAt: number
}

/** The code of the machine whose agent was recorded. */
export const recordedCode = '3000000000000000001'

/** Each has a folder of its version beside this file: a backup of its demo, and answers and messages as it gave them. */
export const releases: readonly Release[] = [
  { version: '1.5.0', commit: 'a0269bc', migrations: 9, backupAt: Date.parse('2026-11-22T10:55:20Z') },
  { version: '1.6.0', commit: '1b087a1f', migrations: 10, backupAt: Date.parse('2026-11-28T17:23:31Z') },
]

/** The path of one of a release's files. */
export function releaseFile(release: Release, name: string): string {
  return join(import.meta.dirname, release.version, name)
}

/**
 * Fills an empty database with a release's backup, as that release left it, and brings it up to this version; `before`
 * is called in between.
 */
export async function upgradeRelease(
  db: Database,
  release: Release,
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-release-'))
  try {
    const files = (await readdir(migrationsDir)).sort().slice(0, release.migrations)
    for (const file of files) await symlink(join(migrationsDir, file), join(folder, file))
    await migrate(db, folder)
    await restore(releaseFile(release, 'busbar.backup'), db)
    await before()
    await migrate(db)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
