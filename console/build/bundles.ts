import path from 'node:path'
import type { Plugin } from 'vite'

const src = path.join(import.meta.dirname, '..', 'src')
const main = path.join(src, 'main')
/** The entry of the page, and the beginnings of the bundles that it loads. */
export const roots = {
  start: path.join(main, 'main.tsx'),
  outside: path.join(main, 'outside.tsx'),
  inside: path.join(main, 'inside.tsx'),
  /** Separate from both: they are read with a session and without one. */
  apiDoc: path.join(src, 'features', 'api-doc', 'api-doc-root.tsx'),
  downloads: path.join(src, 'features', 'downloads', 'downloads-root.tsx'),
  /** The pages of links in mails: with a session and without one, too. */
  alarmLinks: path.join(src, 'features', 'alarm-links', 'alarm-links-root.tsx'),
} as const

const features = path.join(src, 'features')
const pages = (...files: readonly string[]) => files.map((file) => path.join(features, file))
const boardsPage = pages('boards/boards-page.tsx')
/** Loaded by nearly every visit. */
const listPages = pages('devices/personal-devices-page.tsx', 'visits/visit-bar.tsx')
const panes = pages('devices/pane/machine-detail-pane.tsx')
const chartPages = [
  ...boardsPage,
  ...pages('explorer/explorer-page.tsx', 'devices/history/machine-history.tsx'),
]
const tablePages = pages('back-office/back-office-page.tsx', 'reports/reports-page.tsx')
const settingsPages = pages(
  'account/safety/safety-page.tsx',
  'account/user-info/user-info-page.tsx',
  'agent-config/drivers-page.tsx',
  'retention/retention-page.tsx',
)
/** Need not wait for a chart. */
const plainPages = [...settingsPages, ...tablePages, ...pages('keys/administration-page.tsx')]

/** The part of a build's module graph that is read here. */
interface ModuleGraph {
  getModuleInfo(
    id: string,
  ): { readonly importedIds: readonly string[]; readonly dynamicallyImportedIds: readonly string[] } | null
}

/**
 * Which modules the two bundles of the console need, the screens before a session and those behind one; and those that
 * pages of a kind need together.
 */
interface Bundles {
  /** Needed before a session, and by some screen behind it or by the entry itself. */
  isBase(id: string): boolean
  /** Needed only before a session. */
  isSignIn(id: string): boolean
  /** Needed by each page of tables, but not by the list, by the settings, or before a session. */
  isOfTables(id: string): boolean
  /** Part of the boards, and drawn with the first of them. */
  isOfBoards(id: string): boolean
  /** Needed by the pane of a device, but not by the list, or before a session. */
  isOfPane(id: string): boolean
  /** Needed by each page of charts, but not by the list, by a page without charts, or before a session. */
  isOfCharts(id: string): boolean
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
    isOfTables: (id) => bundles?.isOfTables(id) ?? false,
    isOfBoards: (id) => bundles?.isOfBoards(id) ?? false,
    isOfPane: (id) => bundles?.isOfPane(id) ?? false,
    isOfCharts: (id) => bundles?.isOfCharts(id) ?? false,
  }
}

/**
 * Reads the bundles from the imports, of the console's own files: of packages a build takes only what is used,
 * and so knows better. The entry of the page is part of the base, which every page loads first.
 */
export function readBundles(graph: ModuleGraph): Bundles {
  const before = reach(graph, [roots.start, roots.outside], false)
  const behind = reach(graph, [roots.inside], true)
  // The base, the API reference, the downloads and the pages of links load the files of what they need. The file of the
  // sign-in would redirect to the screens before a session, so these pages must not depend on it.
  const besides = reach(graph, [roots.start, roots.apiDoc, roots.downloads], false)
  const links = reach(graph, [roots.alarmLinks], true)
  const earlier = [
    reach(
      graph,
      [roots.start, roots.outside, roots.apiDoc, roots.downloads, roots.alarmLinks],
      true,
      roots.inside,
    ),
    reach(graph, [roots.inside, ...listPages], false),
  ]
  const [settings, plain, boards] = [settingsPages, plainPages, boardsPage].map((from) =>
    reach(graph, from, false),
  )
  const isBase = (id: string) => before.has(id) && (behind.has(id) || besides.has(id) || links.has(id))
  /** A test for what each of the pages needs, but none of those that are loaded without them. */
  const sharedBy = (sharing: readonly string[], without: ReadonlySet<string> | undefined) => {
    const reached = sharing.map((page) => reach(graph, [page], false))
    return (id: string) =>
      reached.every((page) => page.has(id)) && !without?.has(id) && !earlier.some((page) => page.has(id))
  }
  return {
    isBase,
    isSignIn: (id) => before.has(id) && !isBase(id),
    isOfTables: sharedBy([...boardsPage, ...tablePages], settings),
    isOfBoards: (id) => boards?.has(id) === true && id.startsWith(path.join(features, 'boards')),
    isOfPane: sharedBy(panes, undefined),
    isOfCharts: sharedBy(chartPages, plain),
  }
}

/** These modules, and what they import; with `lazily` also what they load later. The way ends before `border`. */
function reach(graph: ModuleGraph, from: readonly string[], lazily: boolean, border?: string): Set<string> {
  const reached = new Set<string>()
  const visit = (id: string) => {
    if (reached.has(id) || id === border || !id.startsWith(src)) return
    reached.add(id)
    const info = graph.getModuleInfo(id)
    if (!info) throw new Error(`the build does not know ${id}`)
    for (const next of info.importedIds) visit(next)
    if (lazily) for (const next of info.dynamicallyImportedIds) visit(next)
  }
  for (const id of from) visit(id)
  return reached
}
