// Debian's packages, installed as root or only unpacked beside the project.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { lastLines, runCommand } from './run-command.mjs'
import { writeFontConfig, writeWrapper } from './wrappers.mjs'

/** Another process may be installing: apt waits this long for its lock. */
const lockTimeoutS = 300

/**
 * @param {string} program
 * @param {string[]} args
 * @param {AbortSignal | undefined} signal
 * @param {string} [cwd]
 */
async function run(program, args, signal, cwd) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
  const { code, output } = await runCommand(program, args, { env, signal, ...(cwd ? { cwd } : {}) })
  if (code === 0) return
  throw new Error(
    code === 127 ? `there is no ${program} here` : `${program} ${args.at(-1)}: ${lastLines(output, 5)}`,
  )
}

/**
 * Goes on if a source does not answer: the install shows whether the packages are available.
 * @param {string[]} options
 * @param {AbortSignal | undefined} signal
 */
async function updateLists(options, signal) {
  try {
    await run('apt-get', [...options, 'update'], signal)
  } catch {
    signal?.throwIfAborted()
  }
}

/**
 * Installs packages into the system; only root may.
 * @param {string[]} packages
 * @param {AbortSignal | undefined} signal
 */
export async function installDebian(packages, signal) {
  const options = ['-q', '-y', '-o', `DPkg::Lock::Timeout=${lockTimeoutS}`]
  await updateLists(options, signal)
  await run('apt-get', [...options, 'install', '--no-install-recommends', ...packages], signal)
}

/**
 * Fetches packages with the dependencies that the system lacks, and unpacks them below `needsDir/debian`.
 * @param {string[]} packages
 * @param {{ needsDir: string, statusFile: string, signal: AbortSignal | undefined }} options `statusFile` is dpkg's list of
 *   what the system has
 */
export async function unpackDebian(packages, { needsDir, statusFile, signal }) {
  // apt does not allow a space in the path of its folders, and the checkout may have one.
  const aptDir = mkdtempSync(join(tmpdir(), 'busbar-apt-'))
  const archives = join(aptDir, 'cache', 'archives')
  try {
    for (const folder of ['state/lists/partial', 'cache/archives/partial'])
      mkdirSync(join(aptDir, folder), { recursive: true })
    const options = [
      ...['-q', '-y', '-o', 'Debug::NoLocking=1', '-o', `APT::Sandbox::User=${userInfo().username}`],
      ...['-o', `Dir::State=${join(aptDir, 'state')}`, '-o', `Dir::State::status=${statusFile}`],
      ...['-o', `Dir::Cache=${join(aptDir, 'cache')}`],
    ]
    await updateLists(options, signal)
    await run(
      'apt-get',
      [...options, 'install', '--download-only', '--no-install-recommends', ...packages],
      signal,
    )
    const target = join(needsDir, 'debian')
    mkdirSync(target, { recursive: true })
    for (const file of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['--extract', join(archives, file), target], signal)
    }
    // No program beside the project is to run as its file's owner: for root's checkout that would be root.
    await run('chmod', ['-R', 'u-s,g-s', target], signal)
  } finally {
    rmSync(aptDir, { recursive: true, force: true })
  }
}

/**
 * The compiler finds its own parts beside it, but needs the paths of assembler, linker and the C library.
 * Shared libraries would be searched in the system's folders, so it links statically.
 * @param {string} debian
 */
function compilerArgs(debian) {
  const isWhole = existsSync(join(debian, 'usr/include/stdio.h'))
  return ['-B$needs/debian/usr/bin/', ...(isWhole ? ['--sysroot=$needs/debian', '-static'] : [])]
}

/**
 * Gives programs that are unpacked a wrapper in `needsDir/bin`, so that only they use the unpacked libraries.
 * @param {string[]} programs their places in the packages; those that are not there are left out
 * @param {string} needsDir
 */
export function wrapUnpacked(programs, needsDir) {
  const debian = join(needsDir, 'debian')
  const libraries = listLibraryFolders(debian).map((folder) => join('debian', folder))
  writeFontConfig(needsDir)
  for (const program of programs) {
    if (!existsSync(join(debian, program))) continue
    const args = basename(program) === 'g++' ? compilerArgs(debian) : []
    writeWrapper(needsDir, basename(program), { program: join('debian', program), libraries, args })
  }
}

/** @param {string} debian @returns {string[]} folders below it that hold shared libraries */
function listLibraryFolders(debian) {
  /** @type {Set<string>} */
  const folders = new Set()
  /** @param {string} folder */
  const look = (folder) => {
    for (const entry of readdirSync(join(debian, folder), { withFileTypes: true })) {
      // A link may lead out of the packages, to a folder of the system that only root may read.
      if (entry.isDirectory()) look(join(folder, entry.name))
      else if (/\.so(\.|$)/.test(entry.name)) folders.add(folder)
    }
  }
  for (const place of ['usr/lib', 'lib']) if (existsSync(join(debian, place))) look(place)
  // The general folders first: special ones may hold a second build of the same library.
  return [...folders].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
}
