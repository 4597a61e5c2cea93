import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const folder = fileURLToPath(new URL('.', import.meta.url))
const staticFolder = fileURLToPath(new URL('src/page/static/', import.meta.url))
const assetsModule = fileURLToPath(new URL('src/page/assets.ts', import.meta.url))
const driversFolder = fileURLToPath(new URL('src/drivers/', import.meta.url))
const output = fileURLToPath(new URL('dist/busbar-agent.mjs', import.meta.url))

/** The folder in which `buildAgent` puts the files of the optional drivers, beside the agent's file. */
const driversOutput = fileURLToPath(new URL('dist/drivers/', import.meta.url))

// Optional parts of libraries that the agent never uses: native speed-ups of
// WebSockets, and locks between the processes that share a folder of OPC UA certificates. The libraries work
// without them.
const absentModules = ['bufferutil', 'utf-8-validate', 'proper-lockfile']

/** The browsers of HMIs are old and are not updated. */
const pageBrowsers = 'chrome80'

/** The page's style with its parts in place of their imports. */
async function readStyle() {
  const style = await readFile(join(staticFolder, 'page.css'), 'utf8')
  const parts = style.matchAll(/@import url\("([^"]+)"\);/g)
  const texts = await Promise.all(
    [...parts].map(([, part = '']) => readFile(join(staticFolder, part), 'utf8')),
  )
  return texts.join('\n')
}

/** The page's files as a module in place of `src/page/assets.ts`: texts, and one script. */
async function bundlePage() {
  const bundle = await build({
    input: join(staticFolder, 'script/main.ts'),
    cwd: folder,
    platform: 'browser',
    logLevel: 'warn',
    write: false,
    transform: { target: pageBrowsers },
    output: { format: 'esm', codeSplitting: false, minify: true },
  })
  const html = await readFile(join(staticFolder, 'index.html'), 'utf8')
  const css = await readStyle()
  const files = [
    ['index.html', 'html', html.replace('script/main.ts', 'page.js')],
    ['page.css', 'css', css.replace(/\/\*.*?\*\//gs, '').replace(/\s*\n\s*/g, '\n')],
    ['page.js', 'script', bundle.output[0].code],
  ]
  const entries = files.map(([name, kind, text]) => {
    return `['${name}', createAsset('${kind}', ${JSON.stringify(text)})]`
  })
  return `import { createAsset } from './asset.ts'\nexport const pageAssets = new Map([${entries.join(', ')}])`
}

/** @type {import('rolldown').Plugin} */
const leaveAbsent = {
  name: 'absent-modules',
  resolveId: (id) => (absentModules.includes(id) ? { id: `\0absent:${id}` } : null),
  load: (id) => (id.startsWith('\0absent:') ? `throw new Error('not part of the agent')` : null),
}

/**
 * One file for Node 20 and later.
 * @param {string} input
 * @param {string} file
 * @param {import('rolldown').Plugin[]} plugins
 */
async function bundleForNode(input, file, plugins) {
  await build({
    input,
    cwd: folder,
    platform: 'node',
    logLevel: 'warn',
    plugins: [leaveAbsent, ...plugins],
    output: { file, format: 'esm', codeSplitting: false, minify: true },
  })
}

/** The names of the drivers in separate files. */
function listDrivers() {
  return readdirSync(driversFolder).filter((kind) => existsSync(join(driversFolder, kind, 'driver-file.ts')))
}

/** Builds the agent, and each optional driver into a file beside it. The answer is the path of the agent's file. */
export async function buildAgent() {
  const page = await bundlePage()
  /** @type {import('rolldown').Plugin} */
  const pageAssets = {
    name: 'page-assets',
    load: (id) => (id === assetsModule ? { code: page, moduleType: 'js' } : null),
  }
  // The agent's file is written last, so that its drivers are there when it appears.
  for (const kind of listDrivers())
    await bundleForNode(join(driversFolder, kind, 'driver-file.ts'), join(driversOutput, `${kind}.mjs`), [])
  await bundleForNode(fileURLToPath(new URL('src/main.ts', import.meta.url)), output, [pageAssets])
  return output
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await buildAgent())
}
