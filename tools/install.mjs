// Installs the packages if they are missing or the lock file names others: those that Busbar is built of and runs with,
// and for tests and checks their tools. Never relies on install scripts.
import { existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findProductNode, productNode, requireToolsNode, root, stateDir } from './checkout.mjs'
import { isLocked, readLock, withLock } from './lock.mjs'
import { listNeeded } from './locked-packages.mjs'
import { identify, isRunning, waitUntilGone } from './processes.mjs'
import { lastLines, runCommand, seconds } from './run-command.mjs'

/**
 * @typedef {import('./locked-packages.mjs').LockedPackage} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} LockFile
 * @typedef {{ os: string, cpu: string, libc: string }} Machine
 */

/** Locked during an install or a build, so that two commands do not run one together. */
export const prepareLockPath = join(stateDir, 'prepare.lock')
/** Locked by `npm start` while Busbar runs. */
export const startLockPath = join(stateDir, 'start.lock')

/**
 * The parts of the product. Their `dependencies`, and the root's, are what it is built of and runs with; the
 * `devDependencies` of all workspaces are for tests and checks.
 */
const product = ['contract', 'link', 'platform', 'console', 'agent', 'connect', 'simulator']

const installProgressMs = 10_000
/** A killed command's npm may still be writing: it is waited for. */
const abandonedInstallMs = 300_000

/** @returns {Machine} */
function thisMachine() {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  return {
    os: process.platform,
    cpu: process.arch,
    libc: report.header?.glibcVersionRuntime ? 'glibc' : 'musl',
  }
}

/**
 * Whether npm installs an optional package here. A package that names no system is a fallback for other
 * systems.
 * @param {LockedPackage} wanted
 * @param {Machine} machine
 */
function isForMachine(wanted, machine) {
  if (!wanted.os && !wanted.cpu) return false
  /** @param {string | string[] | undefined} list @param {string} value */
  const allows = (list, value) => list === undefined || [list].flat().includes(value)
  return allows(wanted.os, machine.os) && allows(wanted.cpu, machine.cpu) && allows(wanted.libc, machine.libc)
}

/**
 * The packages of package-lock.json that a command needs.
 * @param {LockFile} wanted
 * @param {boolean} withTools of tests and checks
 * @returns {string[]} places such as `node_modules/pg`
 */
export function listWanted({ packages = {} }, withTools) {
  const places = withTools ? Object.keys(packages) : listNeeded(packages, ['', ...product])
  return places.filter((place) => place.includes('node_modules/'))
}

/**
 * Packages for this machine that are missing in npm's own note of its installation. npm
 * writes that note last, so it is missing after an interrupted install.
 * @param {LockFile} wanted
 * @param {LockFile} installed
 * @param {Machine} machine
 * @param {boolean} [withTools]
 * @returns {string[]} places such as `node_modules/pg`
 */
export function listMissing(wanted, installed, machine, withTools = true) {
  return listWanted(wanted, withTools).filter((place) => {
    const entry = wanted.packages?.[place] ?? {}
    if (entry.optional && !isForMachine(entry, machine)) return false
    const there = installed.packages?.[place]
    return there === undefined || there.integrity !== entry.integrity || there.version !== entry.version
  })
}

/** @param {string} path @returns {LockFile} */
function readLockFile(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

const notePath = join(root, 'node_modules', '.package-lock.json')

/** @param {boolean} withTools */
function listMissingHere(withTools) {
  const wanted = readLockFile(join(root, 'package-lock.json'))
  const missing = listMissing(wanted, readLockFile(notePath), thisMachine(), withTools)
  // The note may have outlived the folder's content; everything else depends on these two.
  if (missing.length === 0 && !findProductNode()) return [`node_modules/node-linux-${process.arch}`]
  if (missing.length === 0 && !existsSync(join(root, 'node_modules', '@busbar')))
    return ['node_modules/@busbar']
  return missing
}

/**
 * npm as it was called, else the one on PATH.
 * @returns {{ program: string, first: string[] }}
 */
export function findNpm() {
  const script = process.env.npm_execpath
  if (script && basename(script) === 'npm-cli.js' && existsSync(script)) {
    return { program: process.execPath, first: [script] }
  }
  return { program: 'npm', first: [] }
}

/** @type {[RegExp, string][]} */
const installFailures = [
  [/ENOSPC|no space left/i, 'The disk is full. Make room (about 1 GB) and try again.'],
  [
    /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/,
    'The package registry cannot be reached. Check the network (and `npm config get registry`, `npm config get proxy`) and try again.',
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_/,
    "The registry's certificate is not trusted here. Behind a company proxy, set NODE_EXTRA_CA_CERTS or `npm config set cafile`.",
  ],
  [/EINTEGRITY/, 'A downloaded package is damaged. Run `npm cache clean --force` and try again.'],
  [
    /EACCES|EPERM|EROFS/,
    "A folder cannot be written: the checkout (or npm's cache) belongs to another user, or is read-only.",
  ],
  [
    /npm error code E404|npm ERR! code E404|ETARGET/,
    'The registry does not have a package of package-lock.json. Is a mirror configured that lags behind?',
  ],
  [
    /can only install packages when your package\.json|EUSAGE/,
    'package.json and package-lock.json disagree. Run `npm install` and commit the lock file.',
  ],
]

/**
 * One sentence with cause and remedy, then npm's output.
 * @param {string} output
 * @param {number} code
 */
export function describeInstallFailure(output, code) {
  if (code === 127) return 'npm is not there. Install it (on Debian: apt-get install npm) and try again.'
  const known = installFailures.find(([pattern]) => pattern.test(output))
  return `${known?.[1] ?? `npm ended with code ${code}.`}\n\n${lastLines(output)}`
}

/** Whether tools of tests and checks were installed; a changed lock file then renews them too. */
const hasTools = () => Object.values(readLockFile(notePath).packages ?? {}).some(({ dev }) => dev)

/**
 * Makes sure that what package-lock.json names is installed. Works without network once it is.
 * @param {{ say?: (text: string) => void, signal?: AbortSignal | undefined, withTools?: boolean }} [options] `say` hears
 *   of progress; `withTools`: also what tests and checks need
 * @throws {Error} with cause and remedy
 */
export async function ensureInstalled({ say = () => {}, signal, withTools = false } = {}) {
  requireToolsNode()
  if (listMissingHere(withTools).length === 0) return
  await withLock(
    prepareLockPath,
    { onWait: () => say('another Busbar command is installing or building: waiting for it'), signal },
    async (lock, previous) => {
      const abandoned = previous?.children.filter(isRunning) ?? []
      if (abandoned.length > 0) say('an interrupted install is still running: waiting for it')
      await waitUntilGone(abandoned, abandonedInstallMs)
      if (listMissingHere(withTools).length === 0) return
      const runner = readLock(startLockPath)
      if (runner && runner.holder.pid !== process.pid && isLocked(startLockPath)) {
        throw new Error(
          `The packages have changed, and Busbar is running from this checkout (process ${runner.holder.pid}). Stop it first.`,
        )
      }
      // Packages may be half written where a command was killed, so that all are installed anew.
      await install({
        ...{ say, signal, withTools: withTools || hasTools(), anew: previous !== undefined },
        onStart: (pid) => lock.update({ children: [identify(pid)] }),
      })
    },
  )
}

/**
 * @param {{ say: (text: string) => void, signal: AbortSignal | undefined, withTools: boolean, anew: boolean,
 *   onStart: (pid: number) => void }} options
 */
async function install({ say, signal, withTools, anew, onStart }) {
  const what = withTools ? 'packages, with the tools of tests and checks' : 'packages'
  say(`installing ${what} (the first time takes up to a few minutes)`)
  const beganAt = Date.now()
  const timer = setInterval(
    () => say(`still installing packages, ${seconds(Date.now() - beganAt)}`),
    installProgressMs,
  )
  const { program, first } = findNpm()
  const selection = withTools
    ? ['--include=dev']
    : ['--omit=dev', '--include-workspace-root', ...product.map((name) => `--workspace=${name}`)]
  const args = [
    // `ci` would remove what is there: tools that come later are added, packages that changed replaced.
    ...(existsSync(notePath) && !anew ? ['install', '--no-save'] : ['ci']),
    '--ignore-scripts',
    ...selection,
    // The user's own npm settings may leave out packages that the build and the database need.
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const env = { ...process.env, NODE_ENV: 'development' }
  const result = await runCommand(program, [...first, ...args], { cwd: root, env, signal, onStart }).finally(
    () => clearInterval(timer),
  )
  if (result.code !== 0) {
    throw new Error(
      `The packages could not be installed. ${describeInstallFailure(result.output, result.code)}`,
    )
  }
  const missing = listMissingHere(withTools)
  if (missing.length > 0) {
    // npm silently skips an optional package whose download fails.
    throw new Error(
      `npm finished, but left out ${missing.slice(0, 5).join(', ')}. Check the network and the free disk space and try again.`,
    )
  }
  productNode()
  removeHeaders(join(root, 'node_modules', `node-linux-${process.arch}`))
  say(`packages installed in ${seconds(result.durationMs)}`)
}

/**
 * Removes what only compiling against this Node would need, a third of its package.
 * @param {string} nodeDir
 */
function removeHeaders(nodeDir) {
  if (!existsSync(nodeDir)) return
  const { atime, mtime } = statSync(nodeDir)
  for (const name of ['include', 'share']) rmSync(join(nodeDir, name), { recursive: true, force: true })
  // A folder that is newer than npm's note would let npm install everything again.
  utimesSync(nodeDir, atime, mtime)
}
