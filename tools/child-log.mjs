// Where the demo's programs write: a file each, so that the terminal ends with the address and the account.
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Above this the file is put aside (one is kept) and begun again. */
export const logBytesMax = 4_000_000

/**
 * @param {string} path
 * @returns {(text: string) => void} appends; a log that cannot be written is no reason to stop
 */
export function openChildLog(path) {
  let bytes = 0
  try {
    mkdirSync(dirname(path), { recursive: true })
    bytes = statSync(path).size
  } catch {
    // There is none yet.
  }
  return (text) => {
    try {
      if (bytes > logBytesMax) {
        rmSync(`${path}.1`, { force: true })
        renameSync(path, `${path}.1`)
        bytes = 0
      }
      appendFileSync(path, text)
      bytes += Buffer.byteLength(text)
    } catch {
      // A full disk must not end the demo as well.
    }
  }
}
