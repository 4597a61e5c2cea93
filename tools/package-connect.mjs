// The program for ports of machines as it is downloaded: one file, for Node 20 and later on any system.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { readEpoch } from './agent-files.mjs'
import { root } from './checkout.mjs'

const built = join(root, 'connect', 'dist', 'busbar-connect.mjs')

/** The version of the program. */
export const connectVersion = () =>
  /** @type {{ version: string }} */ (JSON.parse(readFileSync(join(root, 'connect', 'package.json'), 'utf8')))
    .version

/**
 * Copies the built program into a folder.
 * @param {{ out: string }} options
 * @returns {Promise<string>} its path
 */
export async function packConnect({ out }) {
  mkdirSync(out, { recursive: true })
  const path = join(out, 'busbar-connect.mjs')
  copyFileSync(built, path)
  chmodSync(path, 0o755)
  const epochS = await readEpoch()
  utimesSync(path, epochS, epochS)
  return path
}
