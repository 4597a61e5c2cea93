import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silentLogger } from '../../kernel/logger.ts'
import { FetchGate } from './fetch-gate.ts'
import { keptMs, TileCache, type TileKey } from './tile-cache.ts'

async function openCache(bytesMax: number) {
  const dir = await mkdtemp(path.join(tmpdir(), 'busbar-tiles-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const clock = { now: 1_800_000_000_000 }
  const cache = new TileCache({ dir, bytesMax, logger: silentLogger, now: () => clock.now })
  return { cache, clock, dir }
}

const tileAt = (x: number): TileKey => ({ version: 'v', z: 5, x, y: 0 })

test('more than the limit is never kept, and those unused for longest go first', async () => {
  const { cache, clock } = await openCache(10 * 4_096)
  await cache.keep(tileAt(0), Buffer.from('early'))
  expect(await cache.find(tileAt(0)), 'before the folder was counted').toBeUndefined()
  await cache.sweep()
  for (let x = 0; x < 10; x++) {
    await cache.keep(tileAt(x), Buffer.from(`tile ${x}`))
    clock.now += 60_000
  }
  expect(cache.bytes).toBe(10 * 4_096)
  clock.now += 2 * 3_600_000
  expect((await cache.find(tileAt(0)))?.toString()).toBe('tile 0')
  await cache.keep(tileAt(10), Buffer.from('tile 10'))
  await cache.sweep()
  expect(cache.bytes).toBe(9 * 4_096)
  expect((await cache.find(tileAt(0)))?.toString()).toBe('tile 0')
  expect(await cache.find(tileAt(1))).toBeUndefined()
  expect((await cache.find(tileAt(2)))?.toString()).toBe('tile 2')
})

test('a tile is over after seven days, and its empty folders go with it', async () => {
  const { cache, clock, dir } = await openCache(1_048_576)
  await cache.sweep()
  await cache.keep(tileAt(3), Buffer.from('tile'))
  clock.now += keptMs
  expect(await cache.find(tileAt(3))).toBeDefined()
  clock.now += 1
  expect(await cache.find(tileAt(3))).toBeUndefined()
  for (let level = 0; level < 4; level++) await cache.sweep()
  expect(await readdir(dir)).toEqual([])
  expect(cache.bytes).toBe(0)
})

test('tiles of a thousand columns take a thousand blocks of the disk, not as many again for folders', async () => {
  const { cache, dir } = await openCache(1_000 * 4_096)
  await cache.sweep()
  for (let x = 0; x < 1_000; x++) await cache.keep({ ...tileAt(x * 1_031), z: 22 }, Buffer.from('tile'))
  const all = await readdir(dir, { recursive: true, withFileTypes: true })
  expect(all.filter((entry) => entry.isFile())).toHaveLength(1_000)
  expect(all.filter((entry) => entry.isDirectory()).length).toBeLessThan(100)
})

test('fetches go out a number at once and a number in a second, and few of one person', async () => {
  const clock = { now: 0 }
  const limits = { atOnceMax: 2, perSecondMax: 3, waitingMax: 2, perPersonMax: 3 }
  const gate = new FetchGate(limits, () => clock.now)
  onTestFinished(() => gate.stop())
  const running: (() => void)[] = []
  const pass = (userId: number) => gate.pass(userId, () => new Promise<void>((done) => running.push(done)))
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  const first = [pass(1), pass(1), pass(1)]
  await turn()
  expect(running).toHaveLength(2)
  await expect(pass(1)).rejects.toMatchObject({ code: '429' })
  const second = pass(2)
  await expect(pass(3)).rejects.toMatchObject({ code: '503' })
  running[0]?.()
  await turn()
  expect(running, 'the third of this second').toHaveLength(3)
  running[1]?.()
  await turn()
  expect(running, 'the fourth waits for the next second').toHaveLength(3)
  clock.now = 1_000
  running[2]?.()
  await expect.poll(() => running.length, { timeout: 10_000 }).toBe(4)
  running[3]?.()
  await Promise.all([...first, second])
})
