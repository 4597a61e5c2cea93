// The agent as a folder that brings its own Node: in a tar for Linux without Debian's packages, in a zip for Windows.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addAgent,
  addFile,
  agentVersion,
  findNode,
  listFiles,
  nodeProgram,
  readEpoch,
  settle,
} from './agent-files.mjs'
import { billOfAgent, makeBill } from './bill-of-materials.mjs'
import { root } from './checkout.mjs'
import { lastLines, runCommand } from './run-command.mjs'

/** @typedef {import('./agent-files.mjs').NodeSystem} NodeSystem */

const sources = join(root, 'deploy', 'agent')
/** The time of a file in a zip is one of its place: this one is the same everywhere. */
const zipTime = new Date(1980, 0, 1)

/**
 * Makes the archive of a system from the built agent.
 * @param {{ system: NodeSystem, out: string, fast?: boolean, epochS?: number }} options `fast` compresses less
 * @returns {Promise<string>} the path of the archive
 */
export async function archiveAgent({ system, out, fast = false, epochS }) {
  const isWindows = system === 'win-x64'
  const name = `busbar-agent-${agentVersion()}-${isWindows ? 'windows-x64' : system}`
  const aside = mkdtempSync(join(tmpdir(), 'busbar-agent-archive-'))
  try {
    const fetched = join(aside, 'fetched')
    mkdirSync(fetched)
    const nodeDir = await findNode(system, fetched)
    const tree = join(aside, name)
    layOut(tree, system, nodeDir)
    settle(tree, epochS ?? (await readEpoch()))
    mkdirSync(out, { recursive: true })
    const path = join(out, isWindows ? `${name}.zip` : `${name}.tar.gz`)
    if (isWindows) writeFileSync(path, await zipOf(tree, name, fast))
    else await writeTar(path, aside, name, fast)
    return path
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** @param {string} tree @param {NodeSystem} system @param {string} nodeDir */
function layOut(tree, system, nodeDir) {
  const isWindows = system === 'win-x64'
  const program = nodeProgram(system)
  addFile(tree, join(nodeDir, program), isWindows ? 'node.exe' : 'node', 0o755)
  addAgent(tree, '.')
  if (isWindows) addFile(tree, join(sources, 'install.ps1'), 'install.ps1')
  else {
    for (const script of ['install.sh', 'busbar-agent']) addFile(tree, join(sources, script), script, 0o755)
    const unit = 'busbar-agent.service'
    addFile(tree, join(root, 'deploy', 'agent-deb', unit), unit)
  }
  addFile(tree, join(root, 'agent', 'example.yaml'), 'example.yaml')
  addFile(tree, join(root, 'LICENSE'), 'LICENSE')
  const license = join(nodeDir, 'LICENSE')
  if (existsSync(license)) addFile(tree, license, 'LICENSE.node')
  const bill = makeBill('busbar-agent', billOfAgent, isWindows ? [] : [system.slice('linux-'.length)])
  writeFileSync(join(tree, 'bill-of-materials.cdx.json'), bill)
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
