import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ensureServerBuilt } from './build.mjs'
import { listNeededPackages, packPlatform } from './package-platform.mjs'

const parent = mkdtempSync(join(tmpdir(), 'busbar-packed-'))
const folder = join(parent, 'out')
beforeAll(async () => {
  await ensureServerBuilt()
  packPlatform(folder)
}, 120_000)
afterAll(() => rmSync(parent, { recursive: true, force: true }))

test('needs are followed where Node would look, without those for development', () => {
  const packages = {
    platform: { dependencies: { a: '1' }, devDependencies: { test: '1' } },
    'node_modules/a': { dependencies: { b: '2' }, optionalDependencies: { elsewhere: '1' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/test': {},
  }
  expect(listNeededPackages(packages, ['platform'])).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
  ])
  expect(() => listNeededPackages({ platform: { dependencies: { gone: '1' } } }, ['platform'])).toThrow(
    'gone',
  )
})

test('the package starts: every module is there, and only a database is missing', async () => {
  const main = join(folder, 'platform', 'dist', 'main.mjs')
  const env = {
    DATABASE_URL: 'postgres://busbar@127.0.0.1:1/busbar',
    PORT: '0',
    MQTT_PORT: '0',
    METRICS_PORT: '0',
  }
  const platform = spawn(join(folder, 'bin', 'node'), [main], { cwd: '/', env })
  onTestFinished(() => void platform.kill('SIGKILL'))
  let output = ''
  for (const stream of [platform.stdout, platform.stderr]) stream.on('data', (text) => (output += text))
  await expect.poll(() => output, { timeout: 30_000 }).toMatch(/database\.awaited|ERR_MODULE_NOT_FOUND/)
  expect(output).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find/)
  platform.kill('SIGTERM')
  await once(platform, 'exit')
  const cli = join(folder, 'platform', 'src', 'cli', 'main.ts')
  const help = spawnSync(join(folder, 'bin', 'node'), [cli, '--help'], {
    cwd: '/',
    env: {},
    encoding: 'utf8',
  })
  expect(help.stdout).toContain('machine create')
})

test('the package lists its parts: every module in it, with the checksum of the lock file', () => {
  const bill = JSON.parse(readFileSync(join(folder, 'bill-of-materials.cdx.json'), 'utf8'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
  /** @type {Map<string, { version: string, hashes: { content: string }[] }>} */
  const parts = new Map(bill.components.map((/** @type {{ name: string }} */ part) => [part.name, part]))
  const folders = readdirSync(join(folder, 'node_modules')).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(folder, 'node_modules', name)).map((each) => `${name}/${each}`)
      : name,
  )
  const foreign = folders.filter((name) => !name.startsWith('@busbar/') && !name.startsWith('.'))
  expect(foreign.length).toBeGreaterThan(50)
  expect(foreign.filter((name) => !parts.has(name))).toEqual([])
  // The console's files contain packages that have no folder here.
  for (const name of ['react', `node-linux-${process.arch}`]) expect(parts.has(name), name).toBe(true)
  expect(parts.get('pg')?.hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/)
  const refs = new Set(bill.components.map((/** @type {{ 'bom-ref': string }} */ part) => part['bom-ref']))
  expect(refs.size).toBe(bill.components.length)
  for (const { dependsOn } of bill.dependencies)
    expect(dependsOn.filter((/** @type {string} */ ref) => !refs.has(ref))).toEqual([])
})

test('the package contains only files that a server uses', () => {
  const files = readdirSync(join(folder, 'platform'), { recursive: true }).map(String)
  expect(files.filter((file) => /\.test\.|(^|\/)test-support(\/|$)/.test(file))).toEqual([])
  for (const name of ['vitest', 'typescript', 'vite', 'react', '@biomejs', 'playwright-core']) {
    expect(existsSync(join(folder, 'node_modules', name)), name).toBe(false)
  }
  expect(existsSync(join(folder, 'console', 'dist', 'index.html'))).toBe(true)
})
