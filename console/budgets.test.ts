import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages, weighPages } from './budgets.mjs'

let outDir: string
let weighed: ReturnType<typeof weighPages>

// Built from the sources as they are: what lies in dist may be older.
beforeAll(async () => {
  outDir = await mkdtemp(path.join(tmpdir(), 'busbar-console-'))
  await build({ root: import.meta.dirname, logLevel: 'silent', build: { outDir, emptyOutDir: true } })
  weighed = weighPages(pathToFileURL(`${outDir}/`))
}, 120_000)

afterAll(() => rm(outDir, { recursive: true, force: true }))

describe('the weight of the console’s pages', () => {
  it.each(Object.keys(pages))('%s keeps its budget', (page) => {
    const weight = weighed.find((one) => one.page === page)
    const parts = weight?.parts.map(({ file, kb }) => `${kb} kB ${file}`).join('\n')
    expect(weight?.kb).toBeGreaterThan(1)
    expect(weight?.kb, parts).toBeLessThanOrEqual(weight?.kbMax ?? 0)
  })

  it.each([
    ['login', /\/(push|routes|accent|[a-z]+-routes)-/],
    ['device list', /\/(push|[a-z]+-routes)-/],
  ])('%s waits for no push library and no routes that it does not call', (page, unwanted) => {
    const parts = weighed.find((one) => one.page === page)?.parts ?? []
    expect(parts.map(({ file }) => file).filter((file) => unwanted.test(file))).toEqual([])
  })
})
