// Reads which file of the project imports which, and finds the circles.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './checkout.mjs'

/** @typedef {{ from: string, to: string }} Import paths below the project's folder, with slashes */
/** @typedef {Record<string, string>} Sources texts by path */

const workspaces = [
  'contract',
  'link',
  'platform',
  'agent',
  'connect',
  'console',
  'simulator',
  'testkit',
  'e2e',
  'bench',
  'tools',
]
const notSources = new Set(['node_modules', 'dist', '.busbar'])

/** Every source file of the project. @returns {Sources} */
export function readSources() {
  /** @type {Sources} */
  const sources = {}
  /** @param {string} folder */
  const read = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory() && !notSources.has(entry.name)) read(path)
      else if (/\.(ts|tsx|mjs)$/.test(entry.name)) sources[path] = readFileSync(join(root, path), 'utf8')
    }
  }
  for (const workspace of workspaces) read(workspace)
  return sources
}

// Types are imported as much as values: a circle of types also says that two files are one. As Biome formats a file, a
// statement begins its line and has its names in braces.
const statement = /^(?:import|export)\s+(?:type\s+)?(?:[\w*{][^'"`;()]*?\sfrom\s+)?'([^'\n]+)'/gm
/** Also of a type, as `import('./a.ts').A`. */
const call = /\bimport\(\s*'([^'\n]+)'/g

/** @type {Readonly<Record<string, string>>} */
const entries = {
  '@busbar/contract': 'contract/src/index.ts',
  '@busbar/contract/openapi': 'contract/src/openapi.ts',
  '@busbar/contract/push': 'contract/push/index.ts',
  '@busbar/link': 'link/src/index.ts',
  '@busbar/testkit': 'testkit/src/index.ts',
}

/**
 * @param {string} from
 * @param {string} specifier as written after `from`
 */
function resolve(from, specifier) {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  const entry = entries[specifier]
  if (entry) return entry
  const inside = /^@busbar\/(\w+)\/(.+)$/.exec(specifier)
  if (!inside) return undefined
  const [, workspace, path = ''] = inside
  return path.startsWith('test-support/') ? `${workspace}/${path}` : `${workspace}/src/${path}`
}

/**
 * The imports between the given files.
 * @param {Sources} sources
 * @returns {Import[]}
 */
export function readImports(sources) {
  return Object.entries(sources).flatMap(([from, text]) => {
    const named = [...text.matchAll(statement), ...text.matchAll(call)].map((match) => match[1] ?? '')
    const paths = new Set(named.map((specifier) => resolve(from, specifier)))
    return [...paths].flatMap((to) => (to !== undefined && to in sources ? [{ from, to }] : []))
  })
}

/**
 * The sets of files, or of whatever `imports` joins, that reach each other: Tarjan's strongly connected components with
 * more than one member. A file that imports itself counts, too.
 * @param {readonly Import[]} imports
 * @returns {string[][]}
 */
export function findCircles(imports) {
  /** @type {Map<string, string[]>} */
  const next = new Map()
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to])
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const circles = []
  /** @param {string} path */
  const visit = (path) => {
    const mark = { index: seen.size, low: seen.size, open: true }
    seen.set(path, mark)
    stack.push(path)
    for (const to of next.get(path) ?? []) {
      const known = seen.get(to)
      if (!known) mark.low = Math.min(mark.low, visit(to).low)
      else if (known.open) mark.low = Math.min(mark.low, known.index)
    }
    if (mark.low === mark.index) {
      const circle = stack.splice(stack.indexOf(path))
      for (const member of circle) {
        const known = seen.get(member)
        if (known) known.open = false
      }
      if (circle.length > 1 || next.get(path)?.includes(path)) circles.push(circle.sort())
    }
    return mark
  }
  for (const path of next.keys()) if (!seen.has(path)) visit(path)
  return circles
}
