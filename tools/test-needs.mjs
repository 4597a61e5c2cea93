// The programs that tests need besides npm's lock file: a browser, Chinese fonts, mosquitto, nats-server,
// openssl, nginx, exim4, Perl's SMPP, openpyxl, pdftotext, pymodbus, mbpoll, socat, a C++ compiler, snap7,
// Node-RED, Lighthouse. They come from Debian's packages: installed as root, otherwise unpacked beside the
// project. Without Debian's, the browser and the fonts come from npm; snap7's sources, Node-RED and
// Lighthouse always do.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { stateDir } from './checkout.mjs'
import { installDebian, unpackDebian } from './debian-packages.mjs'
import { findLockedFolder, installLockedFolder } from './locked-folder.mjs'
import { unpackFromNpm } from './npm-browser.mjs'
import { lastLines, runCommand } from './run-command.mjs'

/**
 * @typedef {{ name: string, packages: string[], npmPackage?: 'browser' | 'fonts', variable?: string,
 *   isServer?: boolean, lockedFolder?: string, find: () => string | undefined, works?: (path: string) => Promise<boolean> }} Need
 *   `packages` are Debian's (one that starts a server when it is installed, `isServer`, is only unpacked,
 *   root or not), `npmPackage` is what npm-browser.mjs can fetch instead; `variable` names the environment
 *   variable in which the tests find it; `lockedFolder` is a folder below e2e with its own lock file; `works`
 *   proves a program, since a library may be missing.
 * @typedef {{ say?: (text: string) => void, signal?: AbortSignal | undefined }} NeedOptions
 */

/** The folder for programs that are fetched without being installed. */
export const needsDir = join(stateDir, 'needs')
const needsBin = join(needsDir, 'bin')

/** Debian puts servers in folders outside a normal user's PATH. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/sbin']

/**
 * @param {string[]} names
 * @returns {string | undefined} the first of them that can be run
 */
function findProgram(...names) {
  const folders = [needsBin, ...(process.env.PATH ?? '').split(delimiter), ...systemFolders]
  for (const name of names) {
    for (const folder of folders) {
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

const fontFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(process.env.HOME ?? '/nonexistent', '.fonts'),
]
const chineseFont = /NotoSans(CJK|SC)|NotoSerifCJK|SourceHanSans|wqy-|DroidSansFallback/i

function findChineseFont() {
  for (const folder of [
    ...fontFolders,
    join(needsDir, 'fonts'),
    join(needsDir, 'debian', 'usr', 'share', 'fonts'),
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

/** Debian's name of this machine in the paths of libraries. */
const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
const unpackedDir = join(needsDir, 'debian')

/**
 * @param {string} path in a Debian package
 * @returns {string | undefined} the file, unpacked here or installed in the system
 */
const findFile = (path) => [join(unpackedDir, path), join('/', path)].find((file) => existsSync(file))

/** Perl's path to modules that are only unpacked; empty without any. */
function perlEnvironment() {
  const folders = ['usr/share/perl5', 'usr/share/perl', `usr/lib/${triplet}/perl5`, `usr/lib/${triplet}/perl`]
  const found = folders.map((folder) => join(unpackedDir, folder)).filter((folder) => existsSync(folder))
  // Perl's own modules lie in a folder for each version.
  const libraries = found.flatMap((folder) => [
    folder,
    ...readdirSync(folder).map((name) => join(folder, name)),
  ])
  return libraries.length === 0 ? {} : { PERL5LIB: libraries.join(delimiter) }
}

/** The path of Debian's Python to modules that are only unpacked. */
function pythonEnvironment() {
  const folder = join(unpackedDir, 'usr/lib/python3/dist-packages')
  return existsSync(folder) ? { PYTHONPATH: folder } : {}
}

/** @type {Need[]} */
const needs = [
  {
    name: 'Chromium',
    packages: ['chromium'],
    npmPackage: 'browser',
    variable: 'BUSBAR_CHROMIUM',
    find: () => process.env.BUSBAR_CHROMIUM ?? findProgram('chromium', 'chromium-browser', 'google-chrome'),
    works: answers(['--version']),
  },
  { name: 'Chinese fonts', packages: ['fonts-noto-cjk'], npmPackage: 'fonts', find: findChineseFont },
  {
    name: 'mosquitto_pub',
    packages: ['mosquitto-clients'],
    variable: 'BUSBAR_MOSQUITTO_PUB',
    find: () => findProgram('mosquitto_pub'),
    works: answers(['--help']),
  },
  {
    name: 'mosquitto',
    isServer: true,
    packages: ['mosquitto'],
    variable: 'BUSBAR_MOSQUITTO',
    find: () => findProgram('mosquitto'),
    works: answers(['-h']),
  },
  {
    name: 'nats-server',
    isServer: true,
    packages: ['nats-server'],
    variable: 'BUSBAR_NATS_SERVER',
    find: () => findProgram('nats-server'),
    works: answers(['--version']),
  },
  {
    name: 'openssl',
    packages: ['openssl'],
    variable: 'BUSBAR_OPENSSL',
    find: () => findProgram('openssl'),
    works: answers(['version']),
  },
  {
    name: 'nginx',
    isServer: true,
    packages: ['nginx'],
    variable: 'BUSBAR_NGINX',
    find: () => findProgram('nginx'),
    works: answers(['-v']),
  },
  {
    name: 'exim4',
    isServer: true,
    packages: ['exim4-daemon-light'],
    variable: 'BUSBAR_EXIM',
    find: () => findFile('usr/sbin/exim4'),
    // The unpacked one runs through its wrapper, which knows its libraries; it lacks the user of its package.
    works: (path) => answers(['-bV'])(findProgram('exim4') ?? path),
  },
  {
    name: 'nss_wrapper',
    packages: ['libnss-wrapper'],
    variable: 'BUSBAR_NSS_WRAPPER',
    find: () => findFile(`usr/lib/${triplet}/libnss_wrapper.so`),
  },
  {
    name: 'Net::SMPP',
    packages: ['libnet-smpp-perl'],
    find: () => findFile('usr/share/perl5/Net/SMPP.pm'),
    works: async () => {
      const env = { ...process.env, ...perlEnvironment() }
      return (await runCommand('perl', ['-MNet::SMPP', '-e', '1'], { env })).code === 0
    },
  },
  {
    name: 'openpyxl',
    packages: ['python3', 'python3-openpyxl'],
    variable: 'BUSBAR_OPENPYXL',
    find: () => findFile('usr/lib/python3/dist-packages/openpyxl/__init__.py'),
  },
  {
    name: 'pdftotext',
    packages: ['poppler-utils'],
    variable: 'BUSBAR_PDFTOTEXT',
    find: () => findProgram('pdftotext'),
    works: answers(['-v']),
  },
  {
    name: 'pymodbus',
    packages: ['python3-pymodbus', 'python3-serial-asyncio'],
    find: () => findFile('usr/lib/python3/dist-packages/pymodbus/__init__.py'),
  },
  {
    name: 'mbpoll',
    packages: ['mbpoll'],
    variable: 'BUSBAR_MBPOLL',
    find: () => findProgram('mbpoll'),
    works: answers(['-h']),
  },
  {
    name: 'socat',
    packages: ['socat'],
    variable: 'BUSBAR_SOCAT',
    find: () => findProgram('socat'),
    works: answers(['-h']),
  },
  {
    name: 'C++ compiler',
    packages: ['g++'],
    variable: 'BUSBAR_CXX',
    find: () => findProgram('g++', 'c++'),
    works: answersWell(['-x', 'c++', '-include', 'map', '-fsyntax-only', '/dev/null']),
  },
  {
    name: 'snap7',
    packages: [],
    lockedFolder: 'snap7',
    variable: 'BUSBAR_SNAP7',
    find: () => findLockedFolder(needsDir, 'snap7'),
  },
  {
    name: 'Node-RED',
    packages: [],
    lockedFolder: 'foreign',
    variable: 'BUSBAR_FOREIGN_PAGE',
    find: () => findLockedFolder(needsDir, 'foreign'),
  },
  {
    name: 'Lighthouse',
    packages: [],
    lockedFolder: 'lighthouse',
    variable: 'BUSBAR_LIGHTHOUSE',
    find: () => findLockedFolder(needsDir, 'lighthouse'),
  },
]

async function listMissingNeeds() {
  /** @type {Need[]} */
  const missing = []
  for (const need of needs) {
    const path = need.find()
    if (path === undefined || (need.works && !(await need.works(path)))) missing.push(need)
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
export async function ensureTestNeeds({ say = () => {}, signal } = {}) {
  /** @type {string[]} */
  const reasons = []
  /** @type {{ what: string, has: (need: Need) => boolean, get: (missing: Need[]) => Promise<void> }[]} */
  const ways = [
    {
      what: 'installing from Debian',
      has: ({ packages, isServer }) => process.getuid?.() === 0 && packages.length > 0 && !isServer,
      get: (missing) => installDebian(packagesOf(missing), signal),
    },
    {
      what: 'unpacking from Debian',
      has: ({ packages }) => packages.length > 0,
      get: (missing) => unpackDebian(packagesOf(missing), { needsDir, signal }),
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
    const missing = (await listMissingNeeds()).filter(has)
    if (missing.length === 0) continue
    say(`${what}, for the tests: ${namesOf(missing)}`)
    try {
      await get(missing)
    } catch (error) {
      signal?.throwIfAborted()
      reasons.push(`${what} failed: ${lastLines(error instanceof Error ? error.message : String(error), 5)}`)
    }
  }
  const missing = await listMissingNeeds()
  return missing.length === 0 ? [] : [`Not to be had here: ${namesOf(missing)}.`, ...reasons]
}

/** @param {Need[]} list */
const packagesOf = (list) => list.flatMap(({ packages }) => packages)

/**
 * The environment of the tests: variables that name each program, and PATH for those that look there.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment(environment) {
  const found = needs.flatMap(({ variable, find }) => {
    const path = variable && find()
    return variable && path ? [{ variable, path }] : []
  })
  const folders = new Set(found.map(({ path }) => dirname(path)))
  // A browser of the system's may have to see fonts that are only unpacked.
  const fontConfig = join(needsDir, 'fonts.conf')
  return {
    ...environment,
    ...Object.fromEntries(found.map(({ variable, path }) => [variable, path])),
    ...(existsSync(fontConfig) ? { FONTCONFIG_FILE: fontConfig } : {}),
    ...perlEnvironment(),
    ...pythonEnvironment(),
    PATH: [environment.PATH ?? '', ...folders].join(delimiter),
    // The tests start the product's programs some hundred times; half of a start went into compiling them
    // again.
    NODE_COMPILE_CACHE: join(stateDir, 'compile-cache'),
  }
}
