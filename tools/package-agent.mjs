// `npm run package`: the agent as a Debian package that brings its own Node, so that it runs on Debian 11 and later.
// Needs dpkg-deb and nothing else of Debian. The same sources and SOURCE_DATE_EPOCH make the same bytes.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { billOfAgent, makeBill } from './bill-of-materials.mjs'
import { ensureAgentBuilt } from './build.mjs'
import { root } from './checkout.mjs'
import { ensureInstalled, findNpm } from './install.mjs'
import { describeFailure, lastLines, runCommand } from './run-command.mjs'

/** @typedef {'amd64' | 'arm64'} Architecture Debian's name */

const sources = join(root, 'deploy', 'agent-deb')
/** npm's names for Debian's architectures. */
const npmArchitectures = { amd64: 'x64', arm64: 'arm64' }
/** The time without a setting and without git. */
const fallbackEpochS = 1_767_225_600

const help = `npm run package -- [--arch amd64|arm64] [--out FOLDER] [--fast]

Makes busbar-agent_VERSION_ARCH.deb and its .sha256 (default: for this machine, into dist/). --fast compresses less.`

/** When the package's files are from, in seconds since 1970: https://reproducible-builds.org/specs/source-date-epoch */
async function readEpoch() {
  const wished = Number(process.env.SOURCE_DATE_EPOCH)
  if (process.env.SOURCE_DATE_EPOCH && Number.isSafeInteger(wished)) return wished
  const { code, output } = await runCommand('git', ['log', '-1', '--format=%ct'], { cwd: root })
  return code === 0 && /^\d+$/.test(output.trim()) ? Number(output) : fallbackEpochS
}

/**
 * The Node of an architecture: the installed one, else npm's package of the version and checksum in package-lock.json.
 * @param {Architecture} architecture
 * @param {string} aside a folder of one's own
 * @returns {Promise<string>} the folder of the package
 */
async function findNode(architecture, aside) {
  const name = `node-linux-${npmArchitectures[architecture]}`
  const installed = join(root, 'node_modules', name)
  if (existsSync(join(installed, 'bin', 'node'))) return installed
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const wanted = lock.packages[`node_modules/${name}`]
  if (!wanted) throw new Error(`package-lock.json names no ${name}: there is no Node for ${architecture}.`)
  const { program, first } = findNpm()
  const args = [...first, 'pack', '--silent', '--pack-destination', aside, `${name}@${wanted.version}`]
  const packed = await runCommand(program, args, { cwd: aside })
  const archive = readdirSync(aside).find((file) => file.endsWith('.tgz'))
  if (packed.code !== 0 || !archive) {
    throw new Error(
      `Node for ${architecture} (${name}@${wanted.version}) is not installed here and could not be fetched by npm. ` +
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

/**
 * Lays out the package's files below `tree`.
 * @param {string} tree
 * @param {{ version: string, architecture: Architecture, nodeDir: string, epochS: number }} options
 */
function layOut(tree, { version, architecture, nodeDir, epochS }) {
  const doc = 'usr/share/doc/busbar-agent'
  /** @param {string} from @param {string} to @param {number} [mode] */
  const add = (from, to, mode = 0o644) => {
    const path = join(tree, to)
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(from, path)
    chmodSync(path, mode)
  }
  add(join(nodeDir, 'bin', 'node'), 'usr/lib/busbar-agent/node', 0o755)
  add(join(root, 'agent', 'dist', 'busbar-agent.mjs'), 'usr/lib/busbar-agent/busbar-agent.mjs')
  const drivers = join(root, 'agent', 'dist', 'drivers')
  for (const file of existsSync(drivers) ? listFiles(drivers) : [])
    add(join(drivers, file), `usr/lib/busbar-agent/drivers/${file}`)
  add(join(sources, 'busbar-agent'), 'usr/bin/busbar-agent', 0o755)
  add(join(sources, 'busbar-agent.service'), 'usr/lib/systemd/system/busbar-agent.service')
  add(join(sources, 'busbar-agent.sysusers.conf'), 'usr/lib/sysusers.d/busbar-agent.conf')
  // Copied to /etc by postinst, with the answers given at installation, so it is not a conffile.
  add(join(sources, 'agent.yaml'), 'usr/share/busbar-agent/agent.yaml')
  add(join(sources, 'README'), `${doc}/README`)
  add(join(root, 'agent', 'example.yaml'), `${doc}/examples/agent.yaml`)
  add(join(root, 'LICENSE'), `${doc}/copyright`)
  add(join(nodeDir, 'LICENSE'), `${doc}/LICENSE.node`)
  writeFileSync(
    join(tree, doc, 'bill-of-materials.cdx.json'),
    makeBill('busbar-agent', billOfAgent, [npmArchitectures[architecture]]),
  )
  const date = new Date(epochS * 1_000).toUTCString().replace('GMT', '+0000')
  const change = `busbar-agent (${version}) stable; urgency=medium\n\n  * Busbar ${version}.\n\n -- Busbar <busbar@localhost>  ${date}\n`
  writeFileSync(join(tree, doc, 'changelog.gz'), gzipSync(change, { level: 9 }))

  const files = listFiles(tree)
  const bytes = files.reduce((sum, file) => sum + statSync(join(tree, file)).size, 0)
  const control = join(tree, 'DEBIAN')
  mkdirSync(control)
  const values = { version, architecture, installedKilobytes: String(Math.ceil(bytes / 1024)) }
  const text = readFileSync(join(sources, 'control'), 'utf8')
  writeFileSync(
    join(control, 'control'),
    text.replaceAll(/\$\{(\w+)\}/g, (_, name) => values[/** @type {keyof typeof values} */ (name)] ?? ''),
  )
  const sums = files.map(
    (file) =>
      `${createHash('md5')
        .update(readFileSync(join(tree, file)))
        .digest('hex')}  ${file}\n`,
  )
  writeFileSync(join(control, 'md5sums'), sums.join(''))
  for (const script of ['config', 'postinst', 'prerm', 'postrm'])
    add(join(sources, script), `DEBIAN/${script}`, 0o755)
  add(join(sources, 'templates'), 'DEBIAN/templates')
  for (const file of ['control', 'md5sums']) chmodSync(join(control, file), 0o644)
  for (const file of ['changelog.gz', 'bill-of-materials.cdx.json']) chmodSync(join(tree, doc, file), 0o644)
  for (const entry of readdirSync(tree, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    lutimesSync(path, epochS, epochS)
  }
  chmodSync(tree, 0o755)
  lutimesSync(tree, epochS, epochS)
}

/** @param {string} tree @returns {string[]} in a fixed order */
function listFiles(tree) {
  return readdirSync(tree, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)))
    .sort()
}

/**
 * Makes the package from the built agent.
 * @param {{ architecture?: Architecture, out: string, fast?: boolean, epochS?: number }} options
 * @returns {Promise<string>} the package's path
 */
export async function packAgent({ architecture = thisArchitecture(), out, fast = false, epochS }) {
  const { version: told } = JSON.parse(readFileSync(join(root, 'agent', 'package.json'), 'utf8'))
  // Debian sorts what follows a tilde before the release.
  const version = told.replace('-', '~')
  const aside = mkdtempSync(join(tmpdir(), 'busbar-agent-deb-'))
  try {
    const fetched = join(aside, 'node')
    mkdirSync(fetched)
    const nodeDir = await findNode(architecture, fetched)
    const tree = join(aside, 'tree')
    const epoch = epochS ?? (await readEpoch())
    layOut(tree, { version, architecture, nodeDir, epochS: epoch })
    mkdirSync(out, { recursive: true })
    const made = join(aside, 'made.deb')
    // Debian 11's dpkg does not support zstd.
    const compression = fast ? ['-Zgzip', '-z1'] : ['-Zxz']
    const { code, output } = await runCommand(
      'dpkg-deb',
      ['--root-owner-group', ...compression, '--build', tree, made],
      // More than one thread would cut the data into other blocks.
      { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch), DPKG_DEB_THREADS_MAX: '1' } },
    )
    if (code === 127) throw new Error('dpkg-deb is not there: packages are made on Debian.')
    if (code !== 0) throw new Error(`dpkg-deb: ${lastLines(output, 5)}`)
    const path = join(out, `busbar-agent_${version}_${architecture}.deb`)
    cpSync(made, path)
    // For `sha256sum --check` in the folder.
    const sum = createHash('sha256').update(readFileSync(path)).digest('hex')
    writeFileSync(`${path}.sha256`, `${sum}  ${basename(path)}\n`)
    return path
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** @returns {Architecture} */
function thisArchitecture() {
  return process.arch === 'arm64' ? 'arm64' : 'amd64'
}

/** @param {string[]} args */
async function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      arch: { type: 'string' },
      out: { type: 'string', default: 'dist' },
      fast: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(help)
  const { arch = thisArchitecture() } = values
  if (arch !== 'amd64' && arch !== 'arm64') throw new Error(`There is no agent for ${arch}.\n\n${help}`)
  await ensureInstalled({ say: console.log })
  await ensureAgentBuilt({ say: console.log })
  const out = resolve(process.env.INIT_CWD ?? process.cwd(), values.out)
  console.log(await packAgent({ architecture: arch, out, fast: values.fast }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    console.error(describeFailure(error))
    process.exitCode = 1
  }
}
