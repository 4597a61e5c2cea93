// `npm run package`: the programs that people download, with a manifest of their checksums. A platform offers what lies in
// this folder (docs/operations.md: programs to download).
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { archiveAgent } from './agent-archives.mjs'
import { agentVersion } from './agent-files.mjs'
import { ensureAgentBuilt, ensureConnectBuilt } from './build.mjs'
import { root, stateDir } from './checkout.mjs'
import { ensureInstalled } from './install.mjs'
import { packAgent } from './package-agent.mjs'
import { archiveConnect, packConnect } from './package-connect.mjs'
import { describeFailure } from './run-command.mjs'

export const downloadsFolder = join(root, 'dist', 'downloads')

const stampPath = join(stateDir, 'built', 'downloads')

/** @typedef {(options: { out: string, fast: boolean }) => Promise<string>} Pack answers the path of what it made */

/** @param {string} system @param {Pack} pack */
const ofAgent = (system, pack) => ({ [system]: { program: 'busbar-agent', system, pack } })

/** @param {string} system @param {import('./agent-files.mjs').NodeSystem} nodeSystem */
const ofConnect = (system, nodeSystem) => ({
  [`connect-${system}`]: {
    program: 'busbar-connect',
    system,
    pack: /** @type {Pack} */ ((options) => archiveConnect({ system: nodeSystem, ...options })),
  },
})

/**
 * The packages with their program, the system's name in the manifest (`any`: all that have Node), and how they are made.
 * @type {Record<string, { program: string, system: string, pack: Pack }>}
 */
const packages = {
  ...ofAgent('debian-amd64', (options) => packAgent({ architecture: 'amd64', ...options })),
  ...ofAgent('debian-arm64', (options) => packAgent({ architecture: 'arm64', ...options })),
  ...ofAgent('linux-x64', (options) => archiveAgent({ system: 'linux-x64', ...options })),
  ...ofAgent('linux-arm64', (options) => archiveAgent({ system: 'linux-arm64', ...options })),
  ...ofAgent('windows-x64', (options) => archiveAgent({ system: 'win-x64', ...options })),
  any: { program: 'busbar-connect', system: 'any', pack: packConnect },
  ...ofConnect('windows-x64', 'win-x64'),
  ...ofConnect('macos-arm64', 'darwin-arm64'),
  ...ofConnect('macos-x64', 'darwin-x64'),
  ...ofConnect('linux-x64', 'linux-x64'),
  ...ofConnect('linux-arm64', 'linux-arm64'),
}

/** Which agent and which busbar-connect were built last. */
const readBuilt = () =>
  ['agent', 'connect'].map((name) => readFileSync(join(stateDir, 'built', name), 'utf8')).join()

const help = `npm run package -- [--only PACKAGE,…] [--out FOLDER] [--fast]

Makes the programs that people download from the platform, and manifest.json with their checksums (default: all,
into dist/downloads). --fast compresses less. Packages: ${Object.keys(packages).join(', ')}
(any: busbar-connect for every system with Node; connect-…: with Node).
The Node of another system is fetched by npm; what cannot be made is named and left out.`

/**
 * Makes the programs into a folder of their own, which then takes the place of the former one.
 * @param {{ names?: readonly string[], out?: string, fast?: boolean, say?: (text: string) => void }} options
 * @returns {Promise<readonly string[]>} why some packages are missing
 */
export async function packDownloads({
  names = Object.keys(packages),
  out = downloadsFolder,
  fast = false,
  say = () => {},
}) {
  const aside = `${out}.new`
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  const files = []
  const made = []
  const missing = []
  for (const name of names) {
    const wanted = packages[name]
    if (!wanted) throw new Error(`There is no package ${name}.\n\n${help}`)
    try {
      const path = await wanted.pack({ out: aside, fast })
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
      const file = basename(path)
      const { program, system } = wanted
      files.push({ program, system, file, bytes: statSync(path).size, sha256 })
      made.push(name)
      say(`${file} for ${system}`)
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const manifest = { version: agentVersion(), files }
  writeFileSync(join(aside, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  rmSync(out, { recursive: true, force: true })
  renameSync(aside, out)
  if (out === downloadsFolder) {
    writeFileSync(stampPath, JSON.stringify({ built: readBuilt(), names: made }))
  }
  return missing
}

/**
 * Makes the programs for this machine where none of the present sources are there: what a demo offers. It says nothing, because
 * the address and the account are the last words of a start; the page of the programs says what is missing.
 */
export async function ensureOwnDownload() {
  const system = `linux-${process.arch}`
  const stamp = existsSync(stampPath) ? JSON.parse(readFileSync(stampPath, 'utf8')) : undefined
  const isThere = existsSync(join(downloadsFolder, 'manifest.json'))
  if (isThere && stamp?.built === readBuilt() && stamp.names?.includes(system)) return
  await packDownloads({ names: [system, 'any'], fast: true })
}

/** @param {string[]} args */
async function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      out: { type: 'string' },
      fast: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(help)
  await ensureInstalled({ say: console.log })
  await ensureAgentBuilt({ say: console.log })
  await ensureConnectBuilt({ say: console.log })
  const missing = await packDownloads({
    fast: values.fast,
    say: console.log,
    ...(values.only ? { names: values.only.split(',') } : {}),
    ...(values.out ? { out: resolve(process.env.INIT_CWD ?? process.cwd(), values.out) } : {}),
  })
  for (const reason of missing) console.error(`left out: ${reason}`)
  // Asked for by name, they have to be there.
  if (values.only && missing.length > 0) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    console.error(describeFailure(error))
    process.exitCode = 1
  }
}
