// The packages of package-lock.json that some workspaces need.
import { basename } from 'node:path'

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, resolved?: string, license?: string, optional?: boolean, dev?: boolean,
 *   os?: string | string[], cpu?: string | string[], libc?: string | string[],
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} LockedPackage
 */

/**
 * The place in which Node finds a package imported from another place: the nearest `node_modules` upwards.
 * @param {Record<string, LockedPackage>} packages
 * @param {string} from
 * @param {string} name
 */
export function findPlace(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    if (basename(folder) === 'node_modules') continue
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[place]) return place
    if (folder === '') return undefined
  }
}

/**
 * Follows the dependencies of some workspaces, without those for development.
 * @param {Record<string, LockedPackage>} packages of package-lock.json
 * @param {readonly string[]} from workspaces; `''` is the root
 * @returns {string[]} places such as `node_modules/pg`, and workspaces that are not in `from`
 */
export function listNeeded(packages, from) {
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
  return [...places].sort()
}
