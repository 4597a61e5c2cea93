// `npm run generate`: writes the code that is made from declarations; `-- --check` only tells whether it is up to date.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { productEnvironment, productNode, root } from './checkout.mjs'
import { ensureInstalled } from './install.mjs'
import { lastLines, runCommand } from './run-command.mjs'

/** @typedef {{ name: string, ok: boolean, output: string }} GenerateResult */

const pushFolder = join(root, 'contract', 'push')

/**
 * Runs buf over the push messages.
 * @param {string} out the folder that gets `*_pb.ts`
 */
async function generatePush(out) {
  const plugin = [
    productNode(),
    join(root, 'node_modules', '@bufbuild', 'protoc-gen-es', 'bin', 'protoc-gen-es'),
  ]
  const opt = ['target=ts', 'import_extension=ts', 'erasable_syntax=true']
  const template = JSON.stringify({ version: 'v2', plugins: [{ local: plugin, out, opt }] })
  const buf = join(root, 'node_modules', '@bufbuild', 'buf', 'bin', 'buf')
  return runCommand(productNode(), [buf, 'generate', '--template', template, pushFolder], {
    cwd: root,
    env: productEnvironment(),
  })
}

/** @param {boolean} check @returns {Promise<GenerateResult>} */
async function pushMessages(check) {
  const name = 'contract/push/*_pb.ts'
  if (!check) {
    const result = await generatePush(pushFolder)
    return { name, ok: result.code === 0, output: result.output }
  }
  const aside = mkdtempSync(join(tmpdir(), 'busbar-generate-'))
  try {
    const result = await generatePush(aside)
    if (result.code !== 0) return { name, ok: false, output: result.output }
    /** @param {string} folder */
    const list = (folder) => readdirSync(folder).filter((file) => file.endsWith('_pb.ts'))
    /** @param {string} folder @param {string} file */
    const read = (folder, file) =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined
    const stale = [...new Set([...list(aside), ...list(pushFolder)])].filter(
      (file) => read(aside, file) !== read(pushFolder, file),
    )
    const output = stale.length > 0 ? `Not up to date: ${stale.join(', ')}. Run npm run generate.` : ''
    return { name, ok: stale.length === 0, output }
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** @param {boolean} check @returns {Promise<GenerateResult>} */
async function databaseSchema(check) {
  const script = join(root, 'platform', 'src', 'kernel', 'database', 'generate-schema.ts')
  const result = await runCommand(productNode(), [script, ...(check ? ['--check'] : [])], {
    cwd: root,
    env: productEnvironment(),
  })
  return { name: 'platform/src/kernel/database/schema.gen.ts', ok: result.code === 0, output: result.output }
}

/** @param {boolean} check @returns {Promise<GenerateResult>} */
async function mqttConformance(check) {
  const script = join(root, 'platform', 'test-support', 'conformance', 'generate-conformance.ts')
  const result = await runCommand(productNode(), [script, ...(check ? ['--check'] : [])], {
    cwd: root,
    env: productEnvironment(),
  })
  return { name: 'docs/mqtt-conformance.md', ok: result.code === 0, output: result.output }
}

/** @param {boolean} check @returns {Promise<GenerateResult>} */
async function operationsTables(check) {
  const script = join(root, 'platform', 'src', 'generate-operations.ts')
  const result = await runCommand(productNode(), [script, ...(check ? ['--check'] : [])], {
    cwd: root,
    env: productEnvironment(),
  })
  return { name: 'the tables of docs/operations.md', ok: result.code === 0, output: result.output }
}

/** @param {boolean} check @returns {Promise<GenerateResult>} */
async function citiesOfTheMap(check) {
  const script = join(root, 'platform', 'src', 'modules', 'places', 'gazetteer', 'generate-labels.ts')
  const result = await runCommand(productNode(), [script, ...(check ? ['--check'] : [])], {
    cwd: root,
    env: productEnvironment(),
  })
  return { name: 'console/src/entities/place/cities.gen.txt', ok: result.code === 0, output: result.output }
}

/**
 * Writes, or with `check` compares, everything generated.
 * @param {boolean} check
 * @returns {Promise<GenerateResult[]>}
 */
export const generate = async (check) => [
  await pushMessages(check),
  await databaseSchema(check),
  await mqttConformance(check),
  await operationsTables(check),
  await citiesOfTheMap(check),
]

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureInstalled({ say: console.log, withTools: true })
  const check = process.argv.includes('--check')
  const results = await generate(check)
  for (const { name, ok, output } of results) {
    console.log(`${ok ? (check ? 'up to date' : 'written') : 'FAILED'}  ${name}`)
    if (!ok) console.log(lastLines(output, 40))
  }
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
}
