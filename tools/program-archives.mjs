// A program as a folder that brings its own Node, packed: in a zip for Windows, in a tar for other systems.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNode, listFiles, readEpoch, settle } from './agent-files.mjs'
import { lastLines, runCommand } from './run-command.mjs'

/** @typedef {import('./agent-files.mjs').NodeSystem} NodeSystem */

/** The time of a file in a zip is one of its place: this one is the same everywhere. */
const zipTime = new Date(1980, 0, 1)

/**
 * @param {{ name: string, system: NodeSystem, out: string, fast?: boolean, epochS?: number,
 *   layOut: (tree: string, nodeDir: string) => void }} options `name` of the folder; `fast` compresses less; `layOut` fills the
 *   folder with the help of Node's package
 * @returns {Promise<string>} the path of the archive
 */
export async function packFolder({ name, system, out, fast = false, epochS, layOut }) {
  const aside = mkdtempSync(join(tmpdir(), 'busbar-archive-'))
  try {
    const fetched = join(aside, 'fetched')
    mkdirSync(fetched)
    const nodeDir = await findNode(system, fetched)
    const tree = join(aside, name)
    layOut(tree, nodeDir)
    settle(tree, epochS ?? (await readEpoch()))
    mkdirSync(out, { recursive: true })
    const isZip = system === 'win-x64'
    const path = join(out, isZip ? `${name}.zip` : `${name}.tar.gz`)
    if (isZip) writeFileSync(path, await zipOf(tree, name, fast))
    else await writeTar(path, aside, name, fast)
    return path
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** @param {string} path @param {string} folder @param {string} name of the tree in the folder @param {boolean} fast */
async function writeTar(path, folder, name, fast) {
  const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar']
  const compress = ['--use-compress-program', fast ? 'gzip -n1' : 'gzip -n9']
  const { code, output } = await runCommand('tar', [...order, ...compress, '-cf', path, '-C', folder, name])
  if (code !== 0) throw new Error(`tar: ${lastLines(output, 5)}`)
}

/** @param {string} tree @param {string} name of the folder in the zip @param {boolean} fast */
async function zipOf(tree, name, fast) {
  // Installed with the checkout, which this file may be part of installing.
  const { zipSync } = await import('fflate')
  const files = listFiles(tree).map((file) => [`${name}/${file}`, readFileSync(join(tree, file))])
  return zipSync(Object.fromEntries(files), { level: fast ? 1 : 9, mtime: zipTime })
}
