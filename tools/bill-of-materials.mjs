// The list of parts of what is built, in CycloneDX 1.5: the packages of package-lock.json and the Node that it is run by.
// From the lock file alone, so that the same sources have the same list, and Debian's npm, which has no `npm sbom`, makes it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './checkout.mjs'
import { findPlace, listNeeded } from './locked-packages.mjs'

/**
 * @param {string} place
 * @returns {string} the name of the package in it
 */
const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * @param {string} name
 * @param {string} version
 */
const packageUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/**
 * @param {string} name of what is built
 * @param {readonly string[]} workspaces that it is built of
 * @param {readonly string[]} nodeNames packages of the Node that goes with it
 * @returns {string} the document
 */
export function makeBill(name, workspaces, nodeNames) {
  /** @type {{ version: string, packages: Record<string, import('./locked-packages.mjs').LockedPackage> }} */
  const { version, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const nodes = nodeNames.map((node) => `node_modules/${node}`)
  const needed = listNeeded(packages, workspaces).filter((place) => place.includes('node_modules/'))
  const places = [...new Set([...needed, ...nodes])].sort()
  /** @param {string} place */
  const refOf = (place) => `${packageUrl(nameOf(place), packages[place]?.version ?? '')}#${place}`
  /** @param {string} place */
  const listDirect = (place) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[place] ?? {}
    return Object.keys({ ...dependencies, ...optionalDependencies })
      .flatMap((each) => findPlace(packages, place, each) ?? [])
      .filter((found) => places.includes(found))
  }
  const direct = [...new Set([...workspaces.flatMap(listDirect), ...nodes])].sort()
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
    components: places.map((place) => {
      const { version: packed = '', integrity = '', license } = packages[place] ?? {}
      const [algorithm, hash] = integrity.split('-')
      return {
        type: 'library',
        'bom-ref': refOf(place),
        name: nameOf(place),
        version: packed,
        purl: packageUrl(nameOf(place), packed),
        ...(algorithm === 'sha512' && hash
          ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }
          : {}),
        ...(license ? { licenses: [{ expression: license }] } : {}),
      }
    }),
    dependencies: [
      { ref: name, dependsOn: direct.map(refOf) },
      ...places.map((place) => ({
        ref: refOf(place),
        dependsOn: [...new Set(listDirect(place))].sort().map(refOf),
      })),
    ],
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

/** The workspaces that a server is built of, those of the agent, and those of busbar-connect. */
export const billOfPlatform = ['platform', 'contract', 'link', 'console']
export const billOfAgent = ['agent', 'link']
export const billOfConnect = ['connect', 'link']
