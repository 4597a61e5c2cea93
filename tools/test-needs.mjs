// What the tests need from outside npm's lock file: a browser, Chinese fonts, mosquitto. From Debian's packages as
// root; unpacked beside the project otherwise; the browser and the fonts from npm where Debian's cannot be had.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { stateDir } from './checkout.mjs'
import { installDebian, unpackDebian } from './debian-packages.mjs'
import { unpackFromNpm } from './npm-browser.mjs'
import { lastLines, runCommand } from './run-command.mjs'

/**
 * @typedef {{ name: string, packages: string[], variable?: string, find: () => string | undefined,
 *   works?: (path: string) => Promise<boolean> }} Need
 *   `variable` is where the tests look for it; `works` proves a program, since a library may be missing.
 * @typedef {{ say?: (text: string) => void, signal?: AbortSignal | undefined }} NeedOptions
 */

/** What is fetched without being installed lies here. */
export const needsDir = join(stateDir, 'needs')
const needsBin = join(needsDir, 'bin')

/** Debian keeps servers where a normal user's PATH does not look. */
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

/** @type {Need[]} */
const needs = [
  {
    name: 'Chromium',
    packages: ['chromium'],
    variable: 'BUSBAR_CHROMIUM',
    find: () => process.env.BUSBAR_CHROMIUM ?? findProgram('chromium', 'chromium-browser', 'google-chrome'),
    works: answers(['--version']),
  },
  { name: 'Chinese fonts', packages: ['fonts-noto-cjk'], find: findChineseFont },
  {
    name: 'mosquitto_pub',
    packages: ['mosquitto-clients'],
    variable: 'BUSBAR_MOSQUITTO_PUB',
    find: () => findProgram('mosquitto_pub'),
    works: answers(['--help']),
  },
  {
    name: 'mosquitto',
    packages: ['mosquitto'],
    variable: 'BUSBAR_MOSQUITTO',
    find: () => findProgram('mosquitto'),
    works: answers(['-h']),
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
  /** @type {[string, (missing: Need[]) => Promise<void>][]} */
  const ways = [
    [
      'installing from Debian',
      // mosquitto's package starts a server at once; it is only unpacked, root or not.
      (missing) => installDebian(packagesOf(missing.filter(({ name }) => name !== 'mosquitto')), signal),
    ],
    ['unpacking from Debian', (missing) => unpackDebian(packagesOf(missing), { needsDir, signal })],
    [
      'fetching from npm',
      (missing) =>
        unpackFromNpm(
          {
            browser: missing.some(({ name }) => name === 'Chromium'),
            fonts: missing.some(({ name }) => name === 'Chinese fonts'),
          },
          { needsDir, signal },
        ),
    ],
  ]
  for (const [what, get] of ways) {
    const missing = await listMissingNeeds()
    if (missing.length === 0) return []
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
 * Tells the tests where things are.
 * @returns {Record<string, string>}
 */
export function testEnvironment() {
  return Object.fromEntries(
    needs.flatMap(({ variable, find }) => {
      const path = variable && find()
      return variable && path ? [[variable, path]] : []
    }),
  )
}
