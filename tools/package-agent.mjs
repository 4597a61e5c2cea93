// The agent as a Debian package that brings its own Node, so that it runs on Debian 11 and later. Needs dpkg-deb and nothing
// else of Debian.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  addAgent,
  addFile,
  agentVersion,
  findNode,
  listFiles,
  readEpoch,
  settle,
  writeSum,
} from './agent-files.mjs'
import { billOfAgent, makeBill } from './bill-of-materials.mjs'
import { root } from './checkout.mjs'
import { lastLines, runCommand } from './run-command.mjs'

/** @typedef {'amd64' | 'arm64'} Architecture Debian's name */

const sources = join(root, 'deploy', 'agent-deb')
/** npm's names for Debian's architectures. */
const npmArchitectures = /** @type {const} */ ({ amd64: 'x64', arm64: 'arm64' })
/**
 * Lays out the package's files below `tree`.
 * @param {string} tree
 * @param {{ version: string, architecture: Architecture, nodeDir: string, epochS: number }} options
 */
function layOut(tree, { version, architecture, nodeDir, epochS }) {
  const doc = 'usr/share/doc/busbar-agent'
  /** @param {string} from @param {string} to @param {number} [mode] */
  const add = (from, to, mode) => addFile(tree, from, to, mode)
  add(join(nodeDir, 'bin', 'node'), 'usr/lib/busbar-agent/node', 0o755)
  addAgent(tree, 'usr/lib/busbar-agent')
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
    makeBill('busbar-agent', billOfAgent, [`node-linux-${npmArchitectures[architecture]}`]),
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
  settle(tree, epochS)
}

/**
 * Makes the package from the built agent.
 * @param {{ architecture?: Architecture, out: string, fast?: boolean, epochS?: number }} options
 * @returns {Promise<string>} the package's path
 */
export async function packAgent({ architecture = thisArchitecture(), out, fast = false, epochS }) {
  // Debian sorts what follows a tilde before the release.
  const version = agentVersion().replace('-', '~')
  const aside = mkdtempSync(join(tmpdir(), 'busbar-agent-deb-'))
  try {
    const fetched = join(aside, 'node')
    mkdirSync(fetched)
    const nodeDir = await findNode(`linux-${npmArchitectures[architecture]}`, fetched)
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
    writeSum(path)
    return path
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** @returns {Architecture} */
function thisArchitecture() {
  return process.arch === 'arm64' ? 'arm64' : 'amd64'
}
