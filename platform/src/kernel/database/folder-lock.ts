import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Held until released or until the process ends, however it ends. */
export interface FolderLock {
  release(): void
}

/**
 * Takes the lock of a folder that the kernel releases with the process, so it can never be stale; undefined if another
 * process holds it. Node has no file locks, but its SQLite takes one for an exclusive transaction; the file stays
 * empty.
 */
export function lockFolder(dir: string): FolderLock | undefined {
  const file = join(dir, 'lock')
  const database = open(file)
  try {
    chmodSync(file, 0o600)
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    // 5 is SQLITE_BUSY, the only answer that means "held by another".
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return undefined
    throw error
  }
  return { release: () => database.close() }
}

function open(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file)
  } catch (cause) {
    throw new Error(`${file} cannot be opened: is the folder another user's?`, { cause })
  }
}
