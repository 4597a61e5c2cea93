// The programs that tests need besides npm's lock file: two browsers, Chinese fonts, mosquitto, nats-server,
// openssl, nginx with its stream module, exim4, Perl's SMPP, Python, openpyxl, pdftotext, pymodbus, mbpoll,
// socat, ssh, scp, ssh-keygen, sshd, x11vnc, vncsnapshot, a C++ compiler, snap7, Node-RED, Lighthouse. They come from Debian's packages: installed as root,
// otherwise unpacked beside the project. Without Debian's, the browser and the fonts come from npm; snap7's
// sources, Node-RED and Lighthouse always do.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { stateDir } from './checkout.mjs'
import { installDebian, unpackDebian, wrapUnpacked } from './debian-packages.mjs'
import { findLockedFolder, installLockedFolder } from './locked-folder.mjs'
import { unpackFromNpm } from './npm-browser.mjs'
import { lastLines, runCommand } from './run-command.mjs'

/**
 * @typedef {{ name: string, packages?: string[], program?: string, names?: string[], file?: string,
 *   npmPackage?: 'browser' | 'fonts', variable?: string, isServer?: boolean, lockedFolder?: string,
 *   find?: (place: Place) => string | undefined, works?: (path: string, place: Place) => Promise<boolean> }} Need
 *   `packages` are Debian's (one that starts a server when it is installed, `isServer`, is only unpacked,
 *   root or not), `program` and `file` are places in them: a program that is unpacked gets a wrapper, and may have other
 *   `names` in the system; `npmPackage` is what npm-browser.mjs can fetch instead; `variable` names the environment
 *   variable in which the tests find the file or else the program; `lockedFolder` is a folder below e2e with its own
 *   lock file; `works` proves it by the program's path, since a library may be missing.
 * @typedef {{ needsDir: string, folders: string[], system: string, statusFile: string, isRoot: boolean }} Place
 *   where needs are: fetched below `needsDir`, in the system, whose programs are in `folders`, and what dpkg knows of it.
 * @typedef {{ say?: (text: string) => void, signal?: AbortSignal | undefined, place?: Place }} NeedOptions
 */

/** @type {Place} */
const here = {
  /** The folder for programs that are fetched without being installed. */
  needsDir: join(stateDir, 'needs'),
  // Debian's own before others of the same name, since its modules are for it; its servers are outside a user's PATH.
  folders: [
    '/usr/bin',
    '/usr/sbin',
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/local/sbin',
    '/sbin',
  ],
  system: '/',
  statusFile: '/var/lib/dpkg/status',
  isRoot: process.getuid?.() === 0,
}

/**
 * @param {Place} place
 * @param {string[]} names
 * @returns {string | undefined} the first of them that can be run
 */
function findProgram({ needsDir, folders }, names) {
  for (const name of names) {
    for (const folder of [join(needsDir, 'bin'), ...folders]) {
      const path = join(folder, name)
      try {
        accessSync(path, constants.X_OK)
        return path
      } catch {
        // Not here.
      }
    }
  }
  return undefined
}

/** @param {Place} place */
const unpackedDir = ({ needsDir }) => join(needsDir, 'debian')

/**
 * @param {Place} place
 * @param {string} path in a Debian package
 * @returns {string | undefined} the file, unpacked here or installed in the system
 */
const findFile = (place, path) =>
  [join(unpackedDir(place), path), join(place.system, path)].find((file) => existsSync(file))

const chineseFont = /NotoSans(CJK|SC)|NotoSerifCJK|SourceHanSans|wqy-|DroidSansFallback/i

/** @param {Place} place */
function findChineseFont({ needsDir, system }) {
  for (const folder of [
    join(system, 'usr/share/fonts'),
    join(system, 'usr/local/share/fonts'),
    join(system, process.env.HOME ?? '/nonexistent', '.fonts'),
    join(needsDir, 'fonts'),
    join(needsDir, 'debian/usr/share/fonts'),
  ]) {
    if (!existsSync(folder)) continue
    const entry = readdirSync(folder, { withFileTypes: true, recursive: true }).find(({ name }) =>
      chineseFont.test(name),
    )
    if (entry) return join(entry.parentPath, entry.name)
  }
  return undefined
}

/** @param {string[]} args @returns {(path: string) => Promise<boolean>} */
const answers = (args) => async (path) => {
  const { code, output } = await runCommand(path, args)
  // 126 and 127: not to be run, or a library is missing. mosquitto answers a question for help with 1 and 3.
  return code < 126 && !/error while loading shared libraries/.test(output)
}

/** @param {string[]} args @returns {(path: string) => Promise<boolean>} */
const answersWell = (args) => async (path) => (await runCommand(path, args)).code === 0

/** @param {string} module @returns {(path: string, place: Place) => Promise<boolean>} */
const importsModule = (module) => async (_, place) => {
  const env = { ...process.env, ...pythonEnvironment(place) }
  const python = findProgram(place, ['python3'])
  return python !== undefined && (await runCommand(python, ['-c', `import ${module}`], { env })).code === 0
}

/** Debian's name of this machine in the paths of libraries. */
const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'

/**
 * Perl's path to modules that are only unpacked; empty without any.
 * @param {Place} place
 */
function perlEnvironment(place) {
  const folders = ['usr/share/perl5', 'usr/share/perl', `usr/lib/${triplet}/perl5`, `usr/lib/${triplet}/perl`]
  const found = folders
    .map((folder) => join(unpackedDir(place), folder))
    .filter((folder) => existsSync(folder))
  // Perl's own modules lie in a folder for each version.
  const libraries = found.flatMap((folder) => [
    folder,
    ...readdirSync(folder).map((name) => join(folder, name)),
  ])
  return libraries.length === 0 ? {} : { PERL5LIB: libraries.join(delimiter) }
}

/**
 * The path of Debian's Python to modules that are only unpacked.
 * @param {Place} place
 */
function pythonEnvironment(place) {
  const folder = join(unpackedDir(place), 'usr/lib/python3/dist-packages')
  return existsSync(folder) ? { PYTHONPATH: folder } : {}
}

/** @type {Need[]} */
export const needs = [
  {
    name: 'Chromium',
    packages: ['chromium'],
    // Not its start script, which looks for files in /etc.
    program: 'usr/lib/chromium/chromium',
    names: ['chromium-browser', 'google-chrome'],
    npmPackage: 'browser',
    variable: 'BUSBAR_CHROMIUM',
    works: answers(['--version']),
  },
  {
    name: 'Firefox',
    packages: ['firefox-esr'],
    program: 'usr/lib/firefox-esr/firefox-esr',
    names: ['firefox-esr', 'firefox'],
    variable: 'BUSBAR_FIREFOX',
    works: answersWell(['--version']),
  },
  { name: 'Chinese fonts', packages: ['fonts-noto-cjk'], npmPackage: 'fonts', find: findChineseFont },
  {
    name: 'mosquitto_pub',
    packages: ['mosquitto-clients'],
    program: 'usr/bin/mosquitto_pub',
    variable: 'BUSBAR_MOSQUITTO_PUB',
    works: answers(['--help']),
  },
  {
    name: 'mosquitto_sub',
    packages: ['mosquitto-clients'],
    program: 'usr/bin/mosquitto_sub',
    variable: 'BUSBAR_MOSQUITTO_SUB',
    works: answers(['--help']),
  },
  {
    name: 'mosquitto',
    isServer: true,
    packages: ['mosquitto'],
    program: 'usr/sbin/mosquitto',
    variable: 'BUSBAR_MOSQUITTO',
    works: answers(['-h']),
  },
  {
    name: 'nats-server',
    isServer: true,
    packages: ['nats-server'],
    program: 'usr/sbin/nats-server',
    variable: 'BUSBAR_NATS_SERVER',
    works: answers(['--version']),
  },
  {
    name: 'openssl',
    packages: ['openssl'],
    program: 'usr/bin/openssl',
    variable: 'BUSBAR_OPENSSL',
    works: answers(['version']),
  },
  {
    name: 'nginx',
    isServer: true,
    packages: ['nginx'],
    program: 'usr/sbin/nginx',
    variable: 'BUSBAR_NGINX',
    works: answers(['-v']),
  },
  {
    name: 'nginx’s stream module',
    isServer: true,
    packages: ['nginx', 'libnginx-mod-stream'],
    file: 'usr/lib/nginx/modules/ngx_stream_module.so',
    variable: 'BUSBAR_NGINX_STREAM',
  },
  {
    name: 'exim4',
    isServer: true,
    packages: ['exim4-daemon-light'],
    program: 'usr/sbin/exim4',
    // The tests copy the file itself; it lacks the user of its package.
    file: 'usr/sbin/exim4',
    variable: 'BUSBAR_EXIM',
    works: answers(['-bV']),
  },
  {
    name: 'nss_wrapper',
    packages: ['libnss-wrapper'],
    file: `usr/lib/${triplet}/libnss_wrapper.so`,
    variable: 'BUSBAR_NSS_WRAPPER',
  },
  {
    name: 'Net::SMPP',
    packages: ['libnet-smpp-perl'],
    file: 'usr/share/perl5/Net/SMPP.pm',
    works: async (_, place) => {
      const env = { ...process.env, ...perlEnvironment(place) }
      return (await runCommand('perl', ['-MNet::SMPP', '-e', '1'], { env })).code === 0
    },
  },
  {
    name: 'Python',
    packages: ['python3'],
    program: 'usr/bin/python3',
    variable: 'BUSBAR_PYTHON',
    works: answersWell(['-c', 'import json, asyncio']),
  },
  {
    name: 'openpyxl',
    packages: ['python3-openpyxl'],
    file: 'usr/lib/python3/dist-packages/openpyxl/__init__.py',
    works: importsModule('openpyxl'),
  },
  {
    name: 'pdftotext',
    packages: ['poppler-utils'],
    program: 'usr/bin/pdftotext',
    variable: 'BUSBAR_PDFTOTEXT',
    works: answers(['-v']),
  },
  {
    name: 'pymodbus',
    packages: ['python3-pymodbus', 'python3-serial-asyncio'],
    file: 'usr/lib/python3/dist-packages/pymodbus/__init__.py',
    works: importsModule('pymodbus.server'),
  },
  {
    name: 'mbpoll',
    packages: ['mbpoll'],
    program: 'usr/bin/mbpoll',
    variable: 'BUSBAR_MBPOLL',
    works: answers(['-h']),
  },
  {
    name: 'socat',
    packages: ['socat'],
    program: 'usr/bin/socat',
    variable: 'BUSBAR_SOCAT',
    works: answers(['-h']),
  },
  ...['ssh', 'scp', 'ssh-keygen'].map((name) => ({
    name,
    packages: ['openssh-client'],
    program: `usr/bin/${name}`,
    variable: `BUSBAR_${name.toUpperCase().replace('-', '_')}`,
    // ssh answers its version, the others how they are used.
    works: answers(['-V']),
  })),
  {
    name: 'sshd',
    isServer: true,
    packages: ['openssh-server'],
    program: 'usr/sbin/sshd',
    // The tests copy the file itself; it lacks the user of its package.
    file: 'usr/sbin/sshd',
    variable: 'BUSBAR_SSHD',
    works: answers(['-?']),
  },
  {
    name: 'x11vnc',
    packages: ['x11vnc'],
    program: 'usr/bin/x11vnc',
    variable: 'BUSBAR_X11VNC',
    works: answersWell(['-version']),
  },
  {
    name: 'vncsnapshot',
    packages: ['vncsnapshot'],
    program: 'usr/bin/vncsnapshot',
    variable: 'BUSBAR_VNCSNAPSHOT',
    works: answers(['-help']),
  },
  {
    name: 'C++ compiler',
    packages: ['g++'],
    program: 'usr/bin/g++',
    names: ['c++'],
    variable: 'BUSBAR_CXX',
    works: answersWell(['-x', 'c++', '-include', 'map', '-fsyntax-only', '/dev/null']),
  },
  { name: 'snap7', lockedFolder: 'snap7', variable: 'BUSBAR_SNAP7' },
  { name: 'Node-RED', lockedFolder: 'foreign', variable: 'BUSBAR_FOREIGN_PAGE' },
  { name: 'Lighthouse', lockedFolder: 'lighthouse', variable: 'BUSBAR_LIGHTHOUSE' },
]

/**
 * Gives each program of the needs that is unpacked its wrapper.
 * @param {Place} place
 */
export const wrapNeeds = ({ needsDir }) =>
  wrapUnpacked(
    needs.flatMap(({ program }) => program ?? []),
    needsDir,
  )

/**
 * @param {Need} need
 * @param {Place} place
 * @returns {{ path: string, program: string } | undefined} what the tests need, and the program that proves it
 */
export function findNeed({ program, names = [], file, lockedFolder, find, variable }, place) {
  const given = place === here && variable && program && !file ? process.env[variable] : undefined
  const runs = given ?? (program && findProgram(place, [basename(program), ...names]))
  if (program && !runs) return undefined
  const path =
    (file && findFile(place, file)) ??
    (lockedFolder && findLockedFolder(place.needsDir, lockedFolder)) ??
    find?.(place) ??
    (file ? undefined : runs)
  return path ? { path, program: runs ?? path } : undefined
}

/** @param {Place} place */
async function listMissingNeeds(place) {
  /** @type {Need[]} */
  const missing = []
  for (const need of needs) {
    const found = findNeed(need, place)
    if (!found || (need.works && !(await need.works(found.program, place)))) missing.push(need)
  }
  return missing
}

/** @param {Need[]} list */
const namesOf = (list) => list.map(({ name }) => name).join(', ')

/**
 * Makes sure of everything that can be had, in the order: system packages, unpacked packages, npm.
 * @param {NeedOptions} [options]
 * @returns {Promise<string[]>} what could not be had, a sentence each
 */
export async function ensureTestNeeds({ say = () => {}, signal, place = here } = {}) {
  const { needsDir, statusFile, isRoot } = place
  /** @type {string[]} */
  const reasons = []
  /** @type {{ what: string, has: (need: Need) => boolean, get: (missing: Need[]) => Promise<void> }[]} */
  const ways = [
    {
      what: 'installing from Debian',
      has: ({ packages, isServer }) => isRoot && packages !== undefined && !isServer,
      get: (missing) => installDebian(packagesOf(missing), signal),
    },
    {
      what: 'unpacking from Debian',
      has: ({ packages }) => packages !== undefined,
      get: async (missing) => {
        await unpackDebian(packagesOf(missing), { needsDir, statusFile, signal })
        wrapNeeds(place)
      },
    },
    {
      what: 'fetching from npm',
      has: ({ npmPackage }) => npmPackage !== undefined,
      get: (missing) =>
        unpackFromNpm(
          missing.flatMap(({ npmPackage }) => npmPackage ?? []),
          { needsDir, signal },
        ),
    },
    {
      what: 'installing from its lock file',
      has: ({ lockedFolder }) => lockedFolder !== undefined,
      get: async (missing) => {
        for (const { lockedFolder } of missing)
          if (lockedFolder) await installLockedFolder(lockedFolder, { needsDir, signal })
      },
    },
  ]
  for (const { what, has, get } of ways) {
    const missing = (await listMissingNeeds(place)).filter(has)
    if (missing.length === 0) continue
    say(`${what}, for the tests: ${namesOf(missing)}`)
    try {
      await get(missing)
    } catch (error) {
      signal?.throwIfAborted()
      reasons.push(`${what} failed: ${lastLines(error instanceof Error ? error.message : String(error), 5)}`)
    }
  }
  const missing = await listMissingNeeds(place)
  return missing.length === 0 ? [] : [`Not to be had here: ${namesOf(missing)}.`, ...reasons]
}

/** @param {Need[]} list */
const packagesOf = (list) => list.flatMap(({ packages = [] }) => packages)

/**
 * The environment of the tests: variables that name each program, and PATH for those that look there.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment(environment) {
  const found = needs.flatMap((need) => {
    const at = findNeed(need, here)
    return at ? [{ need, ...at }] : []
  })
  const folders = new Set(found.flatMap(({ need, program }) => (need.program ? [dirname(program)] : [])))
  // A browser of the system's may have to see fonts that are only unpacked.
  const fontConfig = join(here.needsDir, 'fonts.conf')
  return {
    ...environment,
    ...Object.fromEntries(found.flatMap(({ need, path }) => (need.variable ? [[need.variable, path]] : []))),
    ...(existsSync(fontConfig) ? { FONTCONFIG_FILE: fontConfig } : {}),
    ...perlEnvironment(here),
    ...pythonEnvironment(here),
    PATH: [environment.PATH ?? '', ...folders].join(delimiter),
    // The tests start the product's programs some hundred times; half of a start went into compiling them
    // again.
    NODE_COMPILE_CACHE: join(stateDir, 'compile-cache'),
  }
}
