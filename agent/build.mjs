import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const folder = fileURLToPath(new URL('.', import.meta.url))
const staticFolder = fileURLToPath(new URL('src/page/static/', import.meta.url))
const assetsModule = fileURLToPath(new URL('src/page/assets.ts', import.meta.url))
const output = fileURLToPath(new URL('dist/busbar-agent.mjs', import.meta.url))

// Optional parts of libraries that a Modbus TCP and MQTT client never uses: serial ports, and native speed-ups of
// WebSockets. The libraries ask for them with require in a try and go on without.
const absentModules = ['serialport', 'bufferutil', 'utf-8-validate']

/** The browsers of HMIs are old, and stay so. */
const pageBrowsers = 'chrome80'

/** The page's style with its parts in the places where they are imported. */
async function readStyle() {
  const style = await readFile(join(staticFolder, 'page.css'), 'utf8')
  const parts = style.matchAll(/@import url\("([^"]+)"\);/g)
  const texts = await Promise.all(
    [...parts].map(([, part = '']) => readFile(join(staticFolder, part), 'utf8')),
  )
  return texts.join('\n')
}

/** The page's files as the module that `src/page/assets.ts` is from the sources: texts, and one script. */
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

/** Builds the agent into one file for Node 20 and later. The answer is the file's path. */
export async function buildAgent() {
  const page = await bundlePage()
  await build({
    input: fileURLToPath(new URL('src/main.ts', import.meta.url)),
    cwd: folder,
    platform: 'node',
    logLevel: 'warn',
    plugins: [
      {
        name: 'absent-modules',
        resolveId: (id) => (absentModules.includes(id) ? { id: `\0absent:${id}` } : null),
        load: (id) => (id.startsWith('\0absent:') ? `throw new Error('not part of the agent')` : null),
      },
      {
        name: 'page-assets',
        load: (id) => (id === assetsModule ? { code: page, moduleType: 'js' } : null),
      },
    ],
    output: { file: output, format: 'esm', codeSplitting: false, minify: true },
  })
  return output
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await buildAgent())
}
