import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const folder = fileURLToPath(new URL('.', import.meta.url))
const output = fileURLToPath(new URL('dist/busbar-agent.mjs', import.meta.url))

// Optional parts of libraries that a Modbus TCP and MQTT client never uses: serial ports, and native speed-ups of
// WebSockets. The libraries ask for them with require in a try and go on without.
const absentModules = ['serialport', 'bufferutil', 'utf-8-validate']

/** Builds the agent into one file for Node 20 and later. The answer is the file's path. */
export async function buildAgent() {
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
    ],
    output: { file: output, format: 'esm', codeSplitting: false, minify: true },
  })
  return output
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await buildAgent())
}
