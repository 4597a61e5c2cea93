import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pages, weighPages } from './budgets.mjs'

let outDir: string
let weighed: ReturnType<typeof weighPages>

// Built from the sources as they are: what lies in dist may be older.
beforeAll(async () => {
  outDir = await mkdtemp(path.join(tmpdir(), 'busbar-console-'))
  // A build sets it for its process, in which other test files want React's development build.
  vi.stubEnv('NODE_ENV', 'production')
  await build({ root: import.meta.dirname, logLevel: 'silent', build: { outDir, emptyOutDir: true } })
  vi.unstubAllEnvs()
  weighed = weighPages(pathToFileURL(`${outDir}/`))
}, 120_000)

afterAll(() => rm(outDir, { recursive: true, force: true }))

/** Of all style sheets, in kB of brotli; 8 kB are the map library's own. */
const stylesKbMax = 69

it('keeps the budget of the style sheets', () => {
  const sheets = readdirSync(path.join(outDir, 'assets')).filter((file) => file.endsWith('.css'))
  const bytes = sheets.map(
    (file) => brotliCompressSync(readFileSync(path.join(outDir, 'assets', file))).length,
  )
  expect(bytes.reduce((sum, each) => sum + each, 0) / 1000).toBeLessThanOrEqual(stylesKbMax)
})

describe('the weight of the console’s pages', () => {
  it.each(Object.keys(pages))('%s keeps its budget', (page) => {
    const weight = weighed.find((one) => one.page === page)
    const parts = weight?.parts.map(({ file, kb }) => `${kb} kB ${file}`).join('\n')
    expect(weight?.kb).toBeGreaterThan(1)
    expect(weight?.kb, parts).toBeLessThanOrEqual(weight?.kbMax ?? 0)
    expect(weight?.parts.length, parts).toBeLessThanOrEqual(weight?.filesMax ?? 0)
  })

  it.each([
    ['login', /\/(push|routes|accent|[a-z]+-routes)-/],
    ['registration, and signing in with more than a password', /\/push-/],
    ['device list', /\/(push|[a-z]+-routes)-/],
  ])('%s waits for no library or routes that it does not use', (page, unwanted) => {
    const parts = weighed.find((one) => one.page === page)?.parts ?? []
    expect(parts.map(({ file }) => file).filter((file) => unwanted.test(file))).toEqual([])
  })
})
