// Weighs what each page loads, from the list of the build's files: scripts and styles in brotli, without what is loaded later.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

const builtDist = new URL('./dist/', import.meta.url)
const brotliBytesPerKb = 1000

/** @param {number} bytes */
const toKb = (bytes) => Math.round(bytes / (brotliBytesPerKb / 10)) / 10

/**
 * The files of each page: the entry, and its imports when it is opened. `kbMax` counts all of it, or with
 * `beyond` only what comes on top of that other page; `without` leaves out the file of a library. `filesMax` is set where a slow link would wait for one file after
 * the other.
 */
export const pages = {
  login: {
    kbMax: 90,
    sources: ['index.html', 'src/shared/i18n/en/outside.ts', 'src/main/outside.tsx'],
  },
  'registration, and signing in with more than a password': {
    kbMax: 40,
    sources: [
      'index.html',
      'src/shared/i18n/en/start.ts',
      'src/main/outside.tsx',
      'src/features/registration/register-page.tsx',
      'src/features/sign-in/sign-in-parts.tsx',
      'src/shared/ui/fields/country-list.tsx',
    ],
    beyond: 'login',
  },
  'device list': {
    kbMax: 246,
    filesMax: 12,
    sources: [
      'index.html',
      'src/shared/i18n/en/index.ts',
      'src/main/inside.tsx',
      'src/features/visits/visit-bar.tsx',
      'src/features/devices/personal-devices-page.tsx',
    ],
  },
  'API reference': {
    kbMax: 95,
    sources: ['index.html', 'src/shared/i18n/en/api-doc.ts', 'src/features/api-doc/api-doc-root.tsx'],
  },
  'programs to download': {
    kbMax: 90,
    sources: ['index.html', 'src/shared/i18n/en/downloads.ts', 'src/features/downloads/downloads-root.tsx'],
  },
  administration: {
    kbMax: 48,
    sources: ['src/features/keys/administration-page.tsx'],
    beyond: 'device list',
  },
  'back office': {
    kbMax: 76,
    sources: ['src/features/back-office/back-office-page.tsx'],
    beyond: 'device list',
  },
  drivers: {
    kbMax: 31,
    sources: ['src/features/agent-config/drivers-page.tsx'],
    beyond: 'device list',
  },
  visit: {
    kbMax: 15,
    sources: ['src/features/visits/visit-page.tsx'],
    beyond: 'device list',
  },
  'personal info': {
    kbMax: 17,
    sources: ['src/features/account/user-info/user-info-page.tsx'],
    beyond: 'device list',
  },
  boards: {
    kbMax: 88,
    filesMax: 20,
    sources: ['src/features/boards/boards-page.tsx', 'src/shared/ui/data/trend-canvas.tsx'],
    beyond: 'device list',
  },
  explorer: {
    kbMax: 82,
    filesMax: 20,
    sources: ['src/features/explorer/explorer-page.tsx', 'src/shared/ui/data/trend-canvas.tsx'],
    beyond: 'device list',
  },
  'scheduled reports': {
    kbMax: 38,
    filesMax: 20,
    sources: ['src/features/reports/reports-page.tsx'],
    beyond: 'device list',
  },
  projects: {
    kbMax: 45,
    filesMax: 20,
    sources: ['src/features/projects/projects-page.tsx'],
    beyond: 'device list',
  },
  'a project, with its chart': {
    kbMax: 85,
    sources: [
      'src/features/projects/detail/project-page.tsx',
      'src/features/projects/detail/overview-part.tsx',
      'src/shared/ui/data/trend-canvas.tsx',
    ],
    beyond: 'device list',
  },
  'the settings of a project': {
    kbMax: 50,
    sources: [
      'src/features/projects/detail/project-page.tsx',
      'src/features/projects/detail/settings-part.tsx',
    ],
    beyond: 'device list',
  },
  'safety centre': {
    kbMax: 13,
    sources: ['src/features/account/safety/safety-page.tsx'],
    beyond: 'device list',
  },
  'details of a machine, with their chart': {
    kbMax: 99,
    filesMax: 20,
    sources: ['src/features/devices/pane/machine-detail-pane.tsx', 'src/shared/ui/data/trend-canvas.tsx'],
    beyond: 'device list',
  },
  // Without the map's library and its worker, which no page's own files are a part of.
  'map of the devices': {
    kbMax: 45,
    sources: ['src/features/devices/map/machine-map.tsx', 'src/features/devices/map/map-area.tsx'],
    beyond: 'device list',
    without: 'maplibre-',
  },
  'history of a machine, and its raw messages': {
    kbMax: 112,
    filesMax: 20,
    sources: [
      'src/features/devices/pane/machine-detail-pane.tsx',
      'src/shared/ui/data/trend-canvas.tsx',
      'src/features/devices/history/machine-history.tsx',
      'src/entities/machine/raw/raw-messages.tsx',
    ],
    beyond: 'device list',
  },
  'how long values are kept': {
    kbMax: 19,
    sources: ['src/features/retention/retention-page.tsx'],
    beyond: 'device list',
  },
  'everything that opens over the list': {
    kbMax: 21,
    sources: [
      'src/features/devices/add/add-machine-dialog.tsx',
      'src/main/palette/jump-palette.tsx',
      'src/main/shortcut-sheet.tsx',
    ],
    beyond: 'device list',
  },
}

/**
 * Each page's weight in kB of brotli, and what it may weigh.
 * @param {URL} [dist] the built console, with a slash at its end
 * @returns {{ page: string, kb: number, kbMax: number, filesMax: number, parts: { file: string, kb: number }[] }[]} the heaviest part first
 */
export function weighPages(dist = builtDist) {
  /** @type {import('./build/list-files.ts').ListedFiles} */
  const { modules, needs } = JSON.parse(readFileSync(new URL('.vite/files.json', dist), 'utf8'))
  const start = readFileSync(new URL('index.html', dist), 'utf8')
  const namedByStart = [
    ...start.matchAll(/<(?:script|link rel="stylesheet")[^>]* (?:src|href)="\/([^"]+)"/g),
  ].map(([, file]) => file ?? '')
  /** @type {Map<string, number>} */
  const weights = new Map()

  /** @param {string} file */
  const weigh = (file) => {
    const known = weights.get(file)
    if (known !== undefined) return known
    const bytes = brotliCompressSync(readFileSync(new URL(file, dist))).length
    weights.set(file, bytes)
    return bytes
  }

  /** @param {string[]} sources */
  const filesOf = (sources) => {
    /** @type {Set<string>} */
    const files = new Set()
    /** @param {string} file */
    const visit = (file) => {
      if (files.has(file)) return
      files.add(file)
      for (const next of needs[file] ?? []) visit(next)
    }
    for (const source of sources) {
      const file = source === 'index.html' ? source : modules[source]
      if (!file) throw new Error(`the build has no ${source}`)
      visit(file)
      if (file === 'index.html') for (const next of namedByStart) visit(next)
    }
    return files
  }

  return Object.entries(pages).map(([page, { kbMax, sources, ...rest }]) => {
    const filesMax = 'filesMax' in rest ? rest.filesMax : Number.POSITIVE_INFINITY
    const files = filesOf(sources)
    if ('beyond' in rest) {
      const base = pages[/** @type {keyof typeof pages} */ (rest.beyond)]
      for (const file of filesOf(base.sources)) files.delete(file)
    }
    if ('without' in rest) for (const file of [...files]) if (file.includes(rest.without)) files.delete(file)
    const parts = [...files].map((file) => ({ file, bytes: weigh(file) })).sort((a, b) => b.bytes - a.bytes)
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
    return {
      page,
      kb: toKb(bytes),
      kbMax,
      filesMax,
      parts: parts.map((part) => ({ file: part.file, kb: toKb(part.bytes) })),
    }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const weighed = weighPages()
  for (const { page, kb, kbMax, parts } of weighed)
    console.log(
      `${kb > kbMax ? 'over' : 'ok  '} ${page.padEnd(38)} ${String(kb).padStart(6)} of ${kbMax} kB  (${parts.length} files)`,
    )
  if (weighed.some(({ kb, kbMax }) => kb > kbMax)) process.exitCode = 1
}
