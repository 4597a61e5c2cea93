// A lock that a killed process does not leave behind: the file names its holder, and who finds the holder gone
// takes it over.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { identify, isRunning } from './processes.mjs'

/**
 * @typedef {import('./processes.mjs').ProcessId} ProcessId
 * @typedef {{ holder: ProcessId, children: ProcessId[], note?: Record<string, string> }} LockRecord
 *   `children` are processes that outlive the holder when it is killed.
 * @typedef {{ update: (change: Partial<LockRecord>) => void, release: () => void }} Lock
 */

/**
 * @param {string} path
 * @returns {LockRecord | undefined} undefined if the file is missing or damaged
 */
export function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string} path */
export function isLocked(path) {
  const record = readLock(path)
  return record !== undefined && isRunning(record.holder)
}

/**
 * Takes the lock, or tells who has it.
 * @param {string} path
 * @returns {{ lock: Lock, previous: LockRecord | undefined } | { heldBy: LockRecord }}
 *   `previous` is what a killed holder left.
 */
export function takeLock(path) {
  mkdirSync(dirname(path), { recursive: true })
  /** @type {LockRecord} */
  let record = { holder: identify(process.pid), children: [] }
  const own = `${path}.${process.pid}`
  const write = () => writeFileSync(own, JSON.stringify(record))
  /** @type {LockRecord | undefined} */
  let previous
  try {
    for (;;) {
      write()
      try {
        // A link appears with its whole content or not at all, and only if the name is free.
        linkSync(own, path)
        break
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      }
      const found = readLock(path)
      if (found && isRunning(found.holder)) return { heldBy: found }
      previous = found
      removeAbandoned(path, found)
    }
  } finally {
    rmSync(own, { force: true })
  }
  return {
    previous,
    lock: {
      update: (change) => {
        record = { ...record, ...change }
        write()
        renameSync(own, path)
      },
      release: () => rmSync(path, { force: true }),
    },
  }
}

/**
 * Takes an abandoned lock out of the way. Two processes may do so at the same time: the one that moved a
 * fresh lock puts it back.
 * @param {string} path
 * @param {LockRecord | undefined} found
 */
function removeAbandoned(path, found) {
  const aside = `${path}.abandoned.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  const moved = readLock(aside)
  if (moved && JSON.stringify(moved) !== JSON.stringify(found) && isRunning(moved.holder)) {
    try {
      linkSync(aside, path)
    } catch {
      // A third one has it: its holder finds out by the same reading.
    }
  }
  rmSync(aside, { force: true })
}

const waitIntervalMs = 200

/**
 * Runs one thing at a time over all commands of this checkout.
 * @template T
 * @param {string} path
 * @param {{ onWait: () => void, signal?: AbortSignal | undefined }} options
 * @param {(lock: Lock, previous: LockRecord | undefined) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, { onWait, signal }, work) {
  for (let waited = false; ; waited = true) {
    const taken = takeLock(path)
    if ('lock' in taken) {
      try {
        return await work(taken.lock, taken.previous)
      } finally {
        taken.lock.release()
      }
    }
    if (!waited) onWait()
    signal?.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, waitIntervalMs))
  }
}
