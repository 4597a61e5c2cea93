// Logs of the demo's programs: a file each, so that the terminal ends with the address and the account.
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Larger files are rotated, keeping one. */
export const logBytesMax = 4_000_000

/** A log contains addresses and names, so only the person who started the demo may read it. */
const fileMode = 0o600
const folderMode = 0o700

/**
 * Makes a folder of logs, or removes other users' access to it.
 * @param {string} folder
 */
export function closeLogFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: folderMode })
    chmodSync(folder, folderMode)
  } catch {
    // Another owner's folder: its owner decides who may read it.
  }
}

/**
 * @param {string} path
 * @returns {(text: string) => void} appends; a log that cannot be written does not stop the program
 */
export function openChildLog(path) {
  let bytes = 0
  try {
    mkdirSync(dirname(path), { recursive: true, mode: folderMode })
    bytes = statSync(path).size
    chmodSync(path, fileMode)
  } catch {
    // The file does not exist yet.
  }
  return (text) => {
    try {
      if (bytes > logBytesMax) {
        rmSync(`${path}.1`, { force: true })
        renameSync(path, `${path}.1`)
        bytes = 0
      }
      appendFileSync(path, text, { mode: fileMode })
      bytes += Buffer.byteLength(text)
    } catch {
      // A full disk must not end the demo.
    }
  }
}
