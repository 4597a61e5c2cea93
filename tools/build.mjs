// The builds: the console, the platform's program, and the single files of agent and busbar-connect. Built again only when their
// sources changed. `npm run build` installs what is missing and builds the console and the platform, which a server's
// checkout needs before its first start; then it makes the programs that people download.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { billOfPlatform, makeBill } from './bill-of-materials.mjs'
import { productEnvironment, productNode, root, stateDir } from './checkout.mjs'
import { ensureInstalled, prepareLockPath } from './install.mjs'
import { withLock } from './lock.mjs'
import { describeFailure, lastLines, runCommand, seconds } from './run-command.mjs'

/**
 * @typedef {{ say?: (text: string) => void, signal?: AbortSignal | undefined }} BuildOptions
 * @typedef {{ name: string, sources: string[], output: string, build: (signal?: AbortSignal) => Promise<void> }} Target
 *   `sources` and `output` are places below the checkout; the output is a file that the build always makes.
 */

const notSources = new Set(['node_modules', 'dist', 'test-support', '.vite'])

/** @param {string} place @returns {string[]} files below the checkout, in a fixed order */
function listSources(place) {
  const path = join(root, place)
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { withFileTypes: true })
  return entries
    .filter(({ name }) => !notSources.has(name) && !/\.test\.tsx?$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? listSources(join(place, entry.name)) : [join(place, entry.name)],
    )
}

/** @param {Target} target */
function hashSources({ sources }) {
  const hash = createHash('sha256')
  for (const file of [
    ...sources.flatMap(listSources),
    'package-lock.json',
    'tsconfig.json',
    'tools/build.mjs',
  ]) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** @param {Target} target */
const stampPath = ({ name }) => join(stateDir, 'built', name)

/** @param {Target} target */
function isUpToDate(target) {
  if (!existsSync(join(root, target.output)) || !existsSync(stampPath(target))) return false
  return readFileSync(stampPath(target), 'utf8') === hashSources(target)
}

/**
 * Builds those of the targets whose sources changed, beside each other.
 * @param {Target[]} targets
 * @param {BuildOptions} options
 */
async function ensureBuilt(targets, { say = () => {}, signal }) {
  const listStale = () => targets.filter((target) => !isUpToDate(target))
  if (listStale().length === 0) return
  const onWait = () => say('another Busbar command is installing or building: waiting for it')
  await withLock(prepareLockPath, { onWait, signal }, async () => {
    const stale = listStale()
    if (stale.length === 0) return
    say(`building the ${stale.map(({ name }) => name).join(', the ')}`)
    const results = await Promise.allSettled(stale.map((target) => buildTarget(target, { say, signal })))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  })
}

/**
 * @param {Target} target
 * @param {{ say: (text: string) => void, signal: AbortSignal | undefined }} options
 */
async function buildTarget(target, { say, signal }) {
  const beganAt = Date.now()
  // Read before the build: what changes while it runs is built the next time.
  const hash = hashSources(target)
  await target.build(signal)
  mkdirSync(dirname(stampPath(target)), { recursive: true })
  writeFileSync(stampPath(target), hash)
  say(`${target.name} built in ${seconds(Date.now() - beganAt)}`)
}

/**
 * Runs a build step under the product's Node; its output is shown only if it fails.
 * @param {string} what
 * @param {string[]} args
 * @param {string} cwd
 * @param {AbortSignal | undefined} signal
 */
async function runBuildStep(what, args, cwd, signal) {
  const env = { ...productEnvironment(), NODE_ENV: 'production', NO_COLOR: '1' }
  const result = await runCommand(productNode(), args, { cwd, env, signal })
  if (result.code !== 0) throw new Error(`The ${what} could not be built.\n\n${lastLines(result.output, 40)}`)
}

/** @type {Target} */
const consoleTarget = {
  name: 'console',
  sources: ['console', 'contract'],
  output: 'console/dist/index.html',
  build: async (signal) => {
    // Built aside and swapped in: a failed build leaves the old one, a running platform never sees half of one.
    const aside = join(stateDir, 'console-build')
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    await runBuildStep(
      'console',
      [vite, 'build', '--outDir', aside, '--emptyOutDir'],
      join(root, 'console'),
      signal,
    )
    await compressAssets(aside)
    rmSync(join(root, 'console', 'dist'), { recursive: true, force: true })
    renameSync(aside, join(root, 'console', 'dist'))
  },
}

/** @type {Target} */
const platformTarget = {
  name: 'platform',
  sources: ['platform', 'contract', 'link'],
  output: 'platform/dist/main.mjs',
  build: async (signal) => {
    const aside = join(stateDir, 'platform-build')
    rmSync(aside, { recursive: true, force: true })
    const script = pathToFileURL(join(root, 'platform', 'build.mjs')).href
    const code = `const { buildPlatform } = await import(${JSON.stringify(script)}); await buildPlatform(${JSON.stringify(aside)})`
    await runBuildStep('platform', ['--input-type=module', '--eval', code], join(root, 'platform'), signal)
    rmSync(join(root, 'platform', 'dist'), { recursive: true, force: true })
    renameSync(aside, join(root, 'platform', 'dist'))
  },
}

/** @type {Target} */
const agentTarget = {
  name: 'agent',
  sources: ['agent', 'link'],
  output: 'agent/dist/busbar-agent.mjs',
  build: async (signal) => {
    const script = pathToFileURL(join(root, 'agent', 'build.mjs')).href
    const code = `const { buildAgent } = await import(${JSON.stringify(script)}); await buildAgent()`
    await runBuildStep('agent', ['--input-type=module', '--eval', code], join(root, 'agent'), signal)
  },
}

/** @type {Target} */
const connectTarget = {
  name: 'connect',
  sources: ['connect', 'link'],
  output: 'connect/dist/busbar-connect.mjs',
  build: async (signal) => {
    const script = pathToFileURL(join(root, 'connect', 'build.mjs')).href
    const code = `const { buildConnect } = await import(${JSON.stringify(script)}); await buildConnect()`
    await runBuildStep('connect', ['--input-type=module', '--eval', code], join(root, 'connect'), signal)
  },
}

const compressibleExtensions = new Set([
  '.html',
  '.js',
  '.mjs',
  '.css',
  '.svg',
  '.json',
  '.txt',
  '.map',
  '.webmanifest',
])
/** A smaller answer saves no packet by compression. */
const compressBytesMin = 1_024

/**
 * Puts `.br` and `.gz` beside every file that a browser loads and that becomes smaller by it.
 * @param {string} folder
 */
export async function compressAssets(folder) {
  const brotli = promisify(brotliCompress)
  const deflate = promisify(gzip)
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && compressibleExtensions.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      if (content.length < compressBytesMin) return
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      }
      const [br, gz] = await Promise.all([brotli(content, { params }), deflate(content, { level: 9 })])
      if (br.length < content.length) await writeFile(`${file}.br`, br)
      if (gz.length < content.length) await writeFile(`${file}.gz`, gz)
    }),
  )
}

/**
 * Builds the console into `console/dist` where its sources changed.
 * @param {BuildOptions} [options]
 */
export const ensureConsoleBuilt = (options = {}) => ensureBuilt([consoleTarget], options)

/**
 * Builds the platform into `platform/dist/main.mjs` where its sources changed.
 * @param {BuildOptions} [options]
 */
export const ensurePlatformBuilt = (options = {}) => ensureBuilt([platformTarget], options)

/**
 * Builds the agent into `agent/dist/busbar-agent.mjs` where its sources changed.
 * @param {BuildOptions} [options]
 */
export const ensureAgentBuilt = (options = {}) => ensureBuilt([agentTarget], options)

/**
 * Builds the program for ports of machines into `connect/dist/busbar-connect.mjs` where its sources changed.
 * @param {BuildOptions} [options]
 */
export const ensureConnectBuilt = (options = {}) => ensureBuilt([connectTarget], options)

/**
 * The builds of a server: the console and the platform.
 * @param {BuildOptions} [options]
 */
export const ensureServerBuilt = (options = {}) => ensureBuilt([consoleTarget, platformTarget], options)

/**
 * All builds: what the product runs, and what a demo offers to download.
 * @param {BuildOptions} [options]
 */
export const ensureAllBuilt = (options = {}) =>
  ensureBuilt([consoleTarget, platformTarget, agentTarget, connectTarget], options)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensureInstalled({ say: console.log })
    await ensureServerBuilt({ say: console.log })
    const bill = join(root, 'dist', 'bill-of-materials.cdx.json')
    mkdirSync(dirname(bill), { recursive: true })
    writeFileSync(bill, makeBill('busbar-platform', billOfPlatform, [`node-linux-${process.arch}`]))
    console.log(
      'everything is installed, and the console and the platform are built; their parts: dist/bill-of-materials.cdx.json',
    )
  } catch (error) {
    console.error(describeFailure(error))
    process.exitCode = 1
  }
}
