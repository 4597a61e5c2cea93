// The paths of this checkout, and the Node that runs its programs.
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** State of the tools beside the project: locks, stamps, programs for tests. Never committed. */
export const stateDir = join(root, '.busbar')

/** The oldest Node that may run these tools, and the oldest that runs the product itself. */
export const toolsNodeMajor = 20
export const productNodeMajor = 26

/** @param {string} version as in `process.versions.node` */
const majorOf = (version) => Number(version.split('.')[0])

/**
 * The Node that runs the product: the one npm installed, else the running one if it is new enough.
 * @returns {string | undefined} an absolute path
 */
export function findProductNode() {
  const installed = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')
  if (existsSync(installed)) return installed
  return majorOf(process.versions.node) >= productNodeMajor ? process.execPath : undefined
}

/** The same, where everything is installed: an error names the remedy. */
export function productNode() {
  const node = findProductNode()
  if (node) return node
  throw new Error(
    `Node ${productNodeMajor} is not installed for ${process.platform} on ${process.arch}. ` +
      `Busbar brings it along on Linux (x64 and arm64); elsewhere install Node ${productNodeMajor} and try again.`,
  )
}

/**
 * The environment of everything the tools start: the project's programs and its Node come first on PATH.
 * @returns {NodeJS.ProcessEnv}
 */
export function productEnvironment() {
  const bins = [join(root, 'node_modules', '.bin'), dirname(productNode())]
  return { ...process.env, PATH: [...bins, process.env.PATH ?? ''].join(delimiter) }
}

/** Ends the command with one line if the running Node is too old even for the tools. */
export function requireToolsNode() {
  if (majorOf(process.versions.node) >= toolsNodeMajor) return
  console.error(`Busbar needs Node ${toolsNodeMajor} or newer to start itself; this is ${process.version}.`)
  process.exit(1)
}
