// Node-RED with its dashboard, as npm's lock file of e2e/foreign has it: a page the browser tests open through a tunnel.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './checkout.mjs'
import { findNpm } from './install.mjs'
import { lastLines, runCommand } from './run-command.mjs'

const source = join(root, 'e2e', 'foreign')
const folderName = 'foreign'
const stampName = 'installed-lock.json'

/** @param {string} needsDir @returns {string | undefined} the folder it lies in, when it is whole and current */
export function findForeignPage(needsDir) {
  const folder = join(needsDir, folderName)
  const stamp = join(folder, stampName)
  if (!existsSync(stamp)) return undefined
  return readFileSync(stamp, 'utf8') === readFileSync(join(source, 'package-lock.json'), 'utf8')
    ? folder
    : undefined
}

/**
 * Installs it without running any package's scripts.
 * @param {{ needsDir: string, signal: AbortSignal | undefined }} options
 */
export async function installForeignPage({ needsDir, signal }) {
  const folder = join(needsDir, folderName)
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, stampName), { force: true })
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(source, name), join(folder, name))
  const { program, first } = findNpm()
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const { code, output } = await runCommand(program, [...first, ...args], { cwd: folder, signal })
  if (code !== 0) throw new Error(lastLines(output, 5))
  writeFileSync(join(folder, stampName), readFileSync(join(source, 'package-lock.json')))
}
