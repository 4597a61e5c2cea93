import path from 'node:path'
import type { Plugin } from 'vite'

const src = path.join(import.meta.dirname, '..', 'src')
const main = path.join(src, 'main')
/** The entry of the page, and the beginnings of the bundles that it loads. */
export const roots = {
  start: path.join(main, 'main.tsx'),
  outside: path.join(main, 'outside.tsx'),
  inside: path.join(main, 'inside.tsx'),
  /** Separate from both: it is read with a session and without one. */
  apiDoc: path.join(src, 'features', 'api-doc', 'api-doc-root.tsx'),
  /** The pages of links in mails: with a session and without one, too. */
  alarmLinks: path.join(src, 'features', 'alarm-links', 'alarm-links-root.tsx'),
} as const

/** The part of a build's module graph that is read here. */
interface ModuleGraph {
  getModuleInfo(
    id: string,
  ): { readonly importedIds: readonly string[]; readonly dynamicallyImportedIds: readonly string[] } | null
}

/** Which modules the two bundles of the console need: the screens before a session, and those behind one. */
interface Bundles {
  /** Needed before a session, and by some screen behind it or by the entry itself. */
  isBase(id: string): boolean
  /** Needed only before a session. */
  isSignIn(id: string): boolean
}

/** Reads the bundles from the imports, as soon as a build knows them. */
export function createBundles(): Bundles & Plugin {
  let bundles: Bundles | undefined
  return {
    name: 'bundles',
    apply: 'build',
    buildEnd(error) {
      if (!error) bundles = readBundles(this)
    },
    isBase: (id) => bundles?.isBase(id) ?? false,
    isSignIn: (id) => bundles?.isSignIn(id) ?? false,
  }
}

/**
 * Reads the bundles from the imports, of the console's own files: of packages a build takes only what is used,
 * and so knows better. The entry of the page remains a separate file.
 */
export function readBundles(graph: ModuleGraph): Bundles {
  const before = reach(graph, [roots.start, roots.outside], false)
  before.delete(roots.start)
  const behind = reach(graph, [roots.inside], true)
  // The entry, the API reference and the pages of links load the files of what they need. The file of the
  // sign-in would redirect to the screens before a session, so these pages must not depend on it.
  const besides = reach(graph, [roots.start, roots.apiDoc], false)
  const links = reach(graph, [roots.alarmLinks], true)
  const isBase = (id: string) => before.has(id) && (behind.has(id) || besides.has(id) || links.has(id))
  return {
    isBase,
    isSignIn: (id) => before.has(id) && !isBase(id),
  }
}

/** These modules, and what they import; with `lazily` also what they load later. */
function reach(graph: ModuleGraph, from: readonly string[], lazily: boolean): Set<string> {
  const reached = new Set<string>()
  const visit = (id: string) => {
    if (reached.has(id) || !id.startsWith(src)) return
    reached.add(id)
    const info = graph.getModuleInfo(id)
    if (!info) throw new Error(`the build does not know ${id}`)
    for (const next of info.importedIds) visit(next)
    if (lazily) for (const next of info.dynamicallyImportedIds) visit(next)
  }
  for (const id of from) visit(id)
  return reached
}
