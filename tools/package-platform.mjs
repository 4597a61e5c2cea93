// Lays what a server needs, and nothing else, into a folder: the platform's program and sources, the built console, the
// packages of package-lock.json that they use, and their Node. The container image is made of it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureConsoleBuilt, ensurePlatformBuilt } from './build.mjs'
import { productNode, root } from './checkout.mjs'
import { ensureInstalled } from './install.mjs'
import { describeFailure } from './run-command.mjs'

/** @typedef {{ dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, link?: boolean, resolved?: string }} Locked */

const workspaces = ['platform', 'contract', 'link']
/** The folders for tests alone. */
const leftOut = new Set(['test-support', 'node_modules'])

/**
 * The place in which Node finds a package imported from another place: the nearest `node_modules` upwards.
 * @param {Record<string, Locked>} packages
 * @param {string} from
 * @param {string} name
 */
function findPlace(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    if (basename(folder) === 'node_modules') continue
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[place]) return place
    if (folder === '') return undefined
  }
}

/**
 * The packages that some workspaces need at run time, without those for development.
 * @param {Record<string, Locked>} packages of package-lock.json
 * @param {readonly string[]} from
 * @returns {string[]} places such as `node_modules/pg`, workspaces left out
 */
export function listNeededPackages(packages, from) {
  /** @type {Set<string>} */
  const places = new Set()
  const waiting = [...from]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = packages[place] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = findPlace(packages, place, name)
      if (found === undefined) {
        if (optionalDependencies[name]) continue
        throw new Error(`package-lock.json has no ${name}, which ${place} needs`)
      }
      // The dependencies of a workspace count; its link is made by the caller.
      const next = packages[found]?.link ? (packages[found]?.resolved ?? found) : found
      if (places.has(next) || from.includes(next)) continue
      places.add(next)
      waiting.push(next)
    }
  }
  const own = Object.entries(packages).flatMap(([, { link, resolved }]) =>
    link && resolved ? [resolved] : [],
  )
  const foreign = [...places].filter((place) => own.includes(place))
  if (foreign.length > 0)
    throw new Error(`The platform needs the workspaces ${foreign.join(', ')} at run time`)
  return [...places].sort()
}

/** @param {string} folder */
export function packPlatform(folder) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules', '@busbar'), { recursive: true })
  for (const name of workspaces) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !leftOut.has(basename(path)) && !/\.test\.[cm]?[jt]s$/.test(path),
    })
    cpSync(join(root, 'node_modules', '@busbar', name), join(folder, 'node_modules', '@busbar', name), {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
  for (const place of listNeededPackages(lock.packages, workspaces)) {
    // Optional ones of other machines are not installed.
    if (!existsSync(join(root, place))) continue
    cpSync(join(root, place), join(folder, place), {
      recursive: true,
      filter: (path) => basename(path) !== 'node_modules' || path === join(root, place),
    })
  }
  cpSync(join(root, 'console', 'dist'), join(folder, 'console', 'dist'), { recursive: true })
  for (const file of ['LICENSE', 'package.json', 'deploy/healthcheck.mjs'])
    cpSync(join(root, file), join(folder, file))
  mkdirSync(join(folder, 'bin'))
  cpSync(productNode(), join(folder, 'bin', 'node'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [target, ...rest] = process.argv.slice(2)
  try {
    if (!target || rest.length > 0) throw new Error('Usage: node tools/package-platform.mjs FOLDER')
    const folder = resolve(target)
    if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
    mkdirSync(dirname(folder), { recursive: true })
    await ensureInstalled({ say: console.log })
    await ensureConsoleBuilt({ say: console.log })
    await ensurePlatformBuilt({ say: console.log })
    packPlatform(folder)
    console.log(`${folder} has everything a server needs: run bin/node platform/dist/main.mjs there`)
  } catch (error) {
    console.error(describeFailure(error))
    process.exitCode = 1
  }
}
