import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const folder = fileURLToPath(new URL('.', import.meta.url))
const output = fileURLToPath(new URL('dist/busbar-connect.mjs', import.meta.url))

// Native speed-ups of WebSockets, which work without them.
const absentModules = ['bufferutil', 'utf-8-validate']

/** @type {import('rolldown').Plugin} */
const leaveAbsent = {
  name: 'absent-modules',
  resolveId: (id) => (absentModules.includes(id) ? { id: `\0absent:${id}` } : null),
  load: (id) => (id.startsWith('\0absent:') ? `throw new Error('not part of the program')` : null),
}

/** Builds the program into one file for Node 20 and later; answers its path. */
export async function buildConnect() {
  const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  await build({
    input: fileURLToPath(new URL('src/main.ts', import.meta.url)),
    cwd: folder,
    platform: 'node',
    logLevel: 'warn',
    plugins: [leaveAbsent],
    transform: { target: 'node20', define: { productVersion: JSON.stringify(version) } },
    output: { file: output, format: 'esm', codeSplitting: false, minify: true },
  })
  return output
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await buildConnect())
}
