import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bootId, processStart } from './boot.ts'

/** Another agent uses this folder. */
export class FolderHeldError extends Error {
  constructor(folder: string, pid: number) {
    super(
      `The outbox ${folder} is in use by another agent (process ${pid}). One machine has one agent: stop the other one, ` +
        'or give this one a folder of its own under outbox.folder.',
    )
    this.name = 'FolderHeldError'
  }
}

interface Holder {
  boot: string
  pid: number
  /** When the process began: its number alone may have gone to another one. Null if the system does not tell. */
  start: string | null
}

const attemptsMax = 3

/**
 * Locks a folder for this process; the returned function releases it. Throws `FolderHeldError` while a living
 * process has it. A process that was killed, or lived before the last boot, no longer holds the lock.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock')
  const own: Holder = { boot: bootId, pid: process.pid, start: processStart(process.pid) ?? null }
  const draft = `${path}.${process.pid}`
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    writeFileSync(draft, JSON.stringify(own))
    try {
      place(draft, path)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
      const text = readText(path)
      const holder = parseHolder(text)
      if (holder !== null && isAlive(holder)) throw new FolderHeldError(folder, holder.pid)
      removeStale(path, text)
    } finally {
      rmSync(draft, { force: true })
    }
  }
  throw new FolderHeldError(folder, parseHolder(readText(path))?.pid ?? 0)
}

/** Unlike a file that is opened exclusively, a link appears with its content; FAT does not support links. */
function place(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw error
    writeFileSync(path, readFileSync(draft), { flag: 'wx' })
  }
}

/** Moves a stale lock out of the way, unless another process just did so and took the folder. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
    if (readText(aside) !== text) place(aside, path)
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function isAlive({ boot, pid, start }: Holder): boolean {
  if (boot !== bootId && processStart(process.pid) !== undefined) return false
  const began = processStart(pid)
  if (began !== undefined) return began !== null && began === start
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const { boot, pid, start } = JSON.parse(text) as Partial<Holder>
    return typeof boot === 'string' && typeof pid === 'number' ? { boot, pid, start: start ?? null } : null
  } catch {
    return null
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return ''
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
