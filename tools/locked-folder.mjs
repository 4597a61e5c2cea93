// Programs that only the tests need: each has a folder below e2e with a lock file of npm's, and is installed
// beside the project.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './checkout.mjs'
import { findNpm } from './install.mjs'
import { lastLines, runCommand } from './run-command.mjs'

const stampName = 'installed-lock.json'

/** @param {string} name @returns {string} where its package.json and its lock file are kept */
const sourceOf = (name) => join(root, 'e2e', name)

/**
 * @param {string} needsDir
 * @param {string} name a folder below e2e
 * @returns {string | undefined} the folder it lies in, when it is whole and current
 */
export function findLockedFolder(needsDir, name) {
  const folder = join(needsDir, name)
  const stamp = join(folder, stampName)
  if (!existsSync(stamp)) return undefined
  return readFileSync(stamp, 'utf8') === readFileSync(join(sourceOf(name), 'package-lock.json'), 'utf8')
    ? folder
    : undefined
}

/**
 * Installs it as its lock file says, without running any package's scripts.
 * @param {string} name a folder below e2e
 * @param {{ needsDir: string, signal: AbortSignal | undefined }} options
 */
export async function installLockedFolder(name, { needsDir, signal }) {
  const folder = join(needsDir, name)
  const lock = join(sourceOf(name), 'package-lock.json')
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, stampName), { force: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(sourceOf(name), file), join(folder, file))
  const { program, first } = findNpm()
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const { code, output } = await runCommand(program, [...first, ...args], { cwd: folder, signal })
  if (code !== 0) throw new Error(lastLines(output, 5))
  writeFileSync(join(folder, stampName), readFileSync(lock))
}
