// Lays what a server needs, and nothing else, into a folder: the platform's program and sources, the built console, the
// packages of package-lock.json that they use, and their Node. The container image is made of it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { billOfPlatform, makeBill } from './bill-of-materials.mjs'
import { ensureServerBuilt } from './build.mjs'
import { productNode, root } from './checkout.mjs'
import { ensureInstalled } from './install.mjs'
import { listNeeded } from './locked-packages.mjs'
import { describeFailure } from './run-command.mjs'

const workspaces = ['platform', 'contract', 'link']
/** The folders for tests alone. */
const leftOut = new Set(['test-support', 'node_modules'])

/**
 * The packages that some workspaces need at run time, without those for development.
 * @param {Record<string, import('./locked-packages.mjs').LockedPackage>} packages of package-lock.json
 * @param {readonly string[]} from
 * @returns {string[]} places such as `node_modules/pg`, workspaces left out
 */
export function listNeededPackages(packages, from) {
  const places = listNeeded(packages, from)
  const own = Object.entries(packages).flatMap(([, { link, resolved }]) =>
    link && resolved ? [resolved] : [],
  )
  const foreign = places.filter((place) => own.includes(place))
  if (foreign.length > 0)
    throw new Error(`The platform needs the workspaces ${foreign.join(', ')} at run time`)
  return places
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
  writeFileSync(
    join(folder, 'bill-of-materials.cdx.json'),
    makeBill('busbar-platform', billOfPlatform, [`node-linux-${process.arch}`]),
  )
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
    await ensureServerBuilt({ say: console.log })
    packPlatform(folder)
    console.log(`${folder} has everything a server needs: run bin/node platform/dist/main.mjs there`)
  } catch (error) {
    console.error(describeFailure(error))
    process.exitCode = 1
  }
}
