// The agent as a folder that brings its own Node, for Linux without Debian's packages and for Windows.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addAgent, addFile, agentVersion, nodePackage, nodeProgram } from './agent-files.mjs'
import { billOfAgent, makeBill } from './bill-of-materials.mjs'
import { root } from './checkout.mjs'
import { packFolder } from './program-archives.mjs'

/** @typedef {import('./agent-files.mjs').NodeSystem} NodeSystem */

const sources = join(root, 'deploy', 'agent')

/**
 * Makes the archive of a system from the built agent.
 * @param {{ system: NodeSystem, out: string, fast?: boolean, epochS?: number }} options `fast` compresses less
 * @returns {Promise<string>} the path of the archive
 */
export function archiveAgent({ system, ...options }) {
  const name = `busbar-agent-${agentVersion()}-${system === 'win-x64' ? 'windows-x64' : system}`
  return packFolder({
    name,
    system,
    ...options,
    layOut: (tree, nodeDir) => layOut(tree, system, nodeDir),
  })
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
  const bill = makeBill('busbar-agent', billOfAgent, [nodePackage(system)])
  writeFileSync(join(tree, 'bill-of-materials.cdx.json'), bill)
}
