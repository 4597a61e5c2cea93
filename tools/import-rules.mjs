// The rules for imports: the layers of the platform and the entries of its modules
// (docs/decisions/0039-modules.md), the layers of the console (docs/decisions/0044-console-layers.md), no
// circles.
import { findCircles, readImports } from './imports.mjs'

/**
 * The layers of the platform, each with those it may import beside itself.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const layers = {
  kernel: [],
  edge: ['kernel'],
  'edge-link': ['kernel', 'edge'],
  modules: ['kernel', 'edge-link'],
  realtime: ['kernel', 'edge-link', 'modules'],
  'visit-host': ['kernel', 'edge-link', 'modules'],
  'tcp-socket': ['kernel', 'edge-link', 'modules', 'visit-host'],
  cli: ['kernel', 'modules', 'demo'],
  demo: ['kernel', 'modules'],
}

/**
 * The modules that the edge and its link import although they belong to a lower layer, each with the reason.
 * @type {Readonly<Record<string, string>>}
 */
export const modulesOfTheEdge = {
  telemetry: 'messages of machines are acknowledged when telemetry has stored them',
  'machine-register': 'when a machine was seen and how its clock runs are columns of its row',
}

/** Puts the parts of the platform together. */
const compositionRoot = 'platform/src/platform.ts'
const edgeLimits = 'platform/src/edge/limits.ts'
/** Files beside the layers that name limits of the edge, in texts and settings. */
const namesEdgeLimits = ['platform/src/config.ts', 'platform/src/operations-text.ts']

/** @param {string} path */
function layerOf(path) {
  const name = /^platform\/src\/([\w-]+)\//.exec(path)?.[1]
  return name !== undefined && name in layers ? name : undefined
}

/**
 * The module of a file; subfolders such as access/applications belong to the module that they stand in.
 * @param {string} path
 */
const moduleOf = (path) => /^platform\/src\/modules\/([\w-]+)\//.exec(path)?.[1]

/**
 * Tests and their support. They may import whatever they look into.
 * @param {string} path
 */
const isTest = (path) =>
  /\.(test|browser-test)\.(ts|tsx|mjs)$/.test(path) ||
  /(^|\/)(test-support|testing|fixtures)\//.test(path) ||
  /^(testkit|e2e|bench)\//.test(path)

/** The layers of the console, each above those it may import. */
const consoleLayers = ['shared', 'entities', 'features', 'main']

/** The entities of the console, each above those it may import. */
export const consoleEntities = [
  'account',
  'person',
  'enterprise',
  'place',
  'machine',
  'sim',
  'site',
  'alarm-rule',
  'access',
  'application',
  'visit',
  'alarm',
  'history',
  'data-centre',
  'project',
]

/**
 * The layer of a file of the console, and its folder in it: for `features/visits/a.ts` the feature `visits`.
 * @param {string} path
 */
function consolePlaceOf(path) {
  const [, layer = '', part = ''] = /^console\/src\/([\w-]+)\/(?:([\w-]+)\/)?/.exec(path) ?? []
  return { layer, part, height: consoleLayers.indexOf(layer) }
}

/** @typedef {{ name: string, forbids: (from: string, to: string) => boolean }} Rule */

/** @type {readonly Rule[]} */
const rules = [
  {
    name: 'a layer imports only those below it',
    forbids(from, to) {
      const [layer, other] = [layerOf(from), layerOf(to)]
      if (!layer || !other || layer === other) return false
      const isOfEdge = layer === 'edge' || layer === 'edge-link'
      if (isOfEdge && (moduleOf(to) ?? '') in modulesOfTheEdge) return false
      return !layers[layer]?.includes(other)
    },
  },
  {
    name: 'the edge is reached by its link alone',
    forbids: (from, to) =>
      layerOf(to) === 'edge' &&
      layerOf(from) === undefined &&
      from !== compositionRoot &&
      !(to === edgeLimits && namesEdgeLimits.includes(from)),
  },
  {
    name: 'only the edge link knows which form of it there is',
    forbids: (from, to) =>
      /^platform\/src\/edge-link\/(local-edge-link\.ts|cluster\/|streams\/)/.test(to) &&
      layerOf(from) !== 'edge-link',
  },
  {
    name: 'a module is imported by its index only',
    forbids: (from, to) =>
      moduleOf(to) !== undefined && moduleOf(from) !== moduleOf(to) && !to.endsWith('/index.ts'),
  },
  {
    name: 'a layer of the console imports only those below it',
    forbids(from, to) {
      const [here, there] = [consolePlaceOf(from), consolePlaceOf(to)]
      return here.height >= 0 && there.height > here.height
    },
  },
  {
    name: 'a feature does not import another',
    forbids(from, to) {
      const [here, there] = [consolePlaceOf(from), consolePlaceOf(to)]
      return here.layer === 'features' && there.layer === 'features' && here.part !== there.part
    },
  },
  {
    name: 'an entity imports only those below it',
    forbids(from, to) {
      const [here, there] = [consolePlaceOf(from), consolePlaceOf(to)]
      if (here.layer !== 'entities' || there.layer !== 'entities') return false
      return consoleEntities.indexOf(there.part) > consoleEntities.indexOf(here.part)
    },
  },
  {
    name: 'only programs import the whole platform',
    forbids: (from, to) =>
      to === compositionRoot &&
      !['cli', 'demo'].includes(layerOf(from) ?? '') &&
      from !== 'platform/src/run.ts',
  },
  {
    name: 'the product imports no tests and nothing that supports them',
    forbids: (_, to) => isTest(to),
  },
]

/**
 * The problems of these files' imports, one per line.
 * @param {Readonly<Record<string, string>>} sources texts by path
 * @returns {string[]}
 */
export function checkImports(sources) {
  const imports = readImports(sources)
  const ofProduct = imports.filter(({ from }) => !isTest(from))
  const betweenModules = ofProduct.flatMap(({ from, to }) => {
    const [module, other] = [moduleOf(from), moduleOf(to)]
    return module && other && module !== other ? [{ from: module, to: other }] : []
  })
  const crossings = ofProduct.flatMap(({ from, to }) =>
    rules.flatMap(({ name, forbids }) => (forbids(from, to) ? [`${name}: ${from} imports ${to}`] : [])),
  )
  return [
    ...crossings,
    ...findCircles(imports).map((files) => `a circle of files: ${files.join(', ')}`),
    ...findCircles(betweenModules).map((modules) => `a circle of modules: ${modules.join(', ')}`),
  ]
}

/**
 * The files of the console that belong to no layer, and its entities without a place in their order.
 * @param {readonly string[]} paths
 */
export function listOutsideLayers(paths) {
  const places = paths
    .filter((path) => path.startsWith('console/src/'))
    .map((path) => ({ path, ...consolePlaceOf(path) }))
  const ofConsole = places.filter(
    ({ layer, part, height }) => height < 0 || (layer === 'entities' && !consoleEntities.includes(part)),
  )
  return ofConsole.map(({ path }) => path)
}

/**
 * The modules of `modulesOfTheEdge` that the edge no longer imports.
 * @param {Readonly<Record<string, string>>} sources
 */
export function listNeedless(sources) {
  const ofEdge = readImports(sources).filter(({ from }) => layerOf(from) === 'edge' && !isTest(from))
  const used = new Set(ofEdge.map(({ to }) => moduleOf(to)))
  return Object.keys(modulesOfTheEdge).filter((name) => !used.has(name))
}
