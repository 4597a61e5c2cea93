import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Sample } from '../tag.ts'
import { buildSamples, createFolder, formatValues } from '../testing/outbox-samples.ts'
import type { DiskPiece } from './disk-piece.ts'
import type { DiskQueueOptions } from './disk-queue.ts'
import { DiskQueue } from './disk-queue.ts'
import { segmentPath } from './segment.ts'

const firstAt = 1_760_000_000_000
const taken = { boot: 'boot', startedAt: firstAt }
const megabyte = 1024 * 1024

interface Told {
  lost: { from: number; to: number; samples: number }[]
  damaged: number
}

async function open(folder: string, fields: Partial<DiskQueueOptions> = {}) {
  const told: Told = { lost: [], damaged: 0 }
  const queue = await DiskQueue.open({
    folder,
    bytesMax: 64 * megabyte,
    drop: 'oldest',
    tags: (tag) => ({ name: `tag ${tag}`, datatype: 10 }),
    onLost: async (lost) => void told.lost.push(lost),
    onDamaged: () => void told.damaged++,
    ...fields,
  })
  // The system closes the files of a killed agent; here the process goes on.
  onTestFinished(() => queue.close().catch(() => undefined))
  return { queue, told }
}

const append = (queue: DiskQueue, samples: Sample[], hold = false) =>
  queue.append([{ samples, isFixed: false }], taken, hold)
const samplesOf = (pieces: readonly DiskPiece[]): Sample[] => pieces.flatMap(({ samples }) => samples)
const readAll = async (queue: DiskQueue) => formatValues(samplesOf(await queue.read(1e9, 1e9)))
const segmentFiles = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.seg'))

/** Leaves a folder as a killed agent does: whatever was written, nothing finished. */
async function leave(folder: string, pieces: Sample[][]): Promise<string> {
  const { queue } = await open(folder)
  for (const samples of pieces) await append(queue, samples)
  return segmentPath(folder, 1)
}

test('unreleased samples come again in a later run, in order; released ones do not', async () => {
  const folder = await createFolder()
  const { queue } = await open(folder)
  for (let from = 1; from <= 91; from += 10) await append(queue, buildSamples(from, from + 9))
  expect(queue.waiting).toBe(100)
  const first = await queue.read(25, 1e9)
  expect(formatValues(samplesOf(first))).toBe('1-20')
  await queue.release(first)
  const second = await queue.read(10, 1e9)
  expect(formatValues(samplesOf(second))).toBe('21-30')
  await queue.rewind()
  expect(await readAll(queue)).toBe('21-100')
  // Killed: not closed.
  const { queue: next, told } = await open(folder)
  expect(next.waiting).toBe(80)
  await append(next, buildSamples(101, 105))
  expect(await readAll(next)).toBe('21-105')
  expect(told).toEqual({ lost: [], damaged: 0 })
})

test('a segment that is released is deleted; with nothing waiting no samples are left on the disk', async () => {
  const folder = await createFolder()
  const { queue } = await open(folder)
  await append(queue, buildSamples(1, 10))
  await queue.release(await queue.read(1e9, 1e9))
  expect(await segmentFiles(folder)).toEqual([])
  await append(queue, buildSamples(11, 12))
  await queue.close()
  const { queue: next } = await open(folder)
  expect(await readAll(next)).toBe('11-12')
})

test('samples that are held are not read, until they are let go', async () => {
  const { queue } = await open(await createFolder())
  await append(queue, buildSamples(1, 2))
  const held = (await append(queue, buildSamples(3, 4), true)) ?? []
  const acknowledged = (await append(queue, buildSamples(5, 6), true)) ?? []
  await append(queue, buildSamples(7, 8))
  expect(await readAll(queue)).toBe('1-2,7-8')
  await queue.release(acknowledged)
  for (const place of held) queue.unhold(place)
  await queue.rewind()
  expect(await readAll(queue)).toBe('1-4,7-8')
})

test('a segment the disk would not give once is read with the next connection', async () => {
  const folder = await createFolder()
  const path = await leave(folder, [buildSamples(1, 3)])
  const { queue } = await open(folder)
  await rename(path, `${path}.away`)
  expect(await readAll(queue)).toBe('')
  await rename(`${path}.away`, path)
  await queue.retry()
  expect(await readAll(queue)).toBe('1-3')
})

test('a tail cut off at any byte loses only its own samples', async () => {
  const folder = await createFolder()
  const path = await leave(folder, [buildSamples(1, 3), buildSamples(4, 6), buildSamples(7, 9)])
  const whole = await readFile(path)
  const seen = new Set<string>()
  for (let length = whole.length; length >= 0; length--) {
    await writeFile(path, whole.subarray(0, length))
    const { queue, told } = await open(folder)
    const values = await readAll(queue)
    seen.add(values)
    expect(told.lost).toEqual([])
    // The next samples are not put behind a torn frame.
    await append(queue, buildSamples(20, 21))
    expect(await readAll(queue)).toBe('20-21')
    await queue.release(await queue.rewind().then(() => queue.read(1e9, 1e9)))
    expect(queue.waiting).toBe(0)
    await queue.close()
  }
  expect([...seen]).toEqual(['1-9', '1-6', '1-3', ''])
})

test('a flipped bit anywhere costs at most the samples that were written with it, and they are a gap', async () => {
  const folder = await createFolder()
  const path = await leave(folder, [buildSamples(1, 3), buildSamples(4, 6), buildSamples(7, 9)])
  const whole = await readFile(path)
  const seen = new Set<string>()
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole)
    damaged[at] = (damaged[at] as number) ^ (1 << (at % 8))
    await writeFile(path, damaged)
    await rm(join(folder, 'cursor'), { force: true })
    const { queue, told } = await open(folder)
    const pieces = await queue.read(1e9, 1e9)
    const values = formatValues(samplesOf(pieces))
    seen.add(values)
    if (values === '1-3,7-9') {
      expect(told.lost).toEqual([{ from: firstAt + 3_000, to: firstAt + 7_000, samples: 3 }])
    }
    await queue.close()
  }
  expect([...seen].sort()).toEqual(['1-3,7-9', '1-6', '1-9', '4-9'])
})

test('an empty, damaged or cut file does not stop the queue', async () => {
  const folder = await createFolder()
  const path = await leave(folder, [buildSamples(1, 3)])
  await truncate(path, 5)
  await writeFile(segmentPath(folder, 2), '')
  await writeFile(segmentPath(folder, 3), Buffer.alloc(70_000, 0xb5))
  await writeFile(join(folder, 'cursor'), 'rubbish')
  await writeFile(join(folder, 'state.json'), '{"boots":')
  const { queue } = await open(folder)
  await append(queue, buildSamples(4, 6))
  expect(await readAll(queue)).toBe('4-6')
})

test('at the limit the oldest segment goes first, and is reported as lost before it is deleted', async () => {
  const folder = await createFolder()
  const onLost = async () => void counts.push((await segmentFiles(folder)).length)
  const counts: number[] = []
  const { queue, told } = await open(folder, { bytesMax: megabyte })
  const { queue: watched } = await open(await createFolder(), { bytesMax: megabyte, onLost })
  let written = 0
  while (told.lost.length < 3) {
    await append(queue, buildSamples(written, written + 499))
    await append(watched, buildSamples(written, written + 499))
    written += 500
  }
  expect(queue.bytes).toBeLessThanOrEqual(megabyte)
  const kept = samplesOf(await queue.read(1e9, 1e9))
  const lost = told.lost.reduce((sum, { samples }) => sum + samples, 0)
  expect(formatValues(kept)).toBe(`${lost}-${written - 1}`)
  expect(told.lost[0]?.from).toBe(firstAt)
  expect(told.lost[2]?.to).toBe(firstAt + (lost - 1) * 1_000)
  // A large part stays, because space is released in segments.
  expect(kept.length / written).toBeGreaterThan(0.8)
})

test('at the limit the newest are refused, where that is wished for', async () => {
  const { queue, told } = await open(await createFolder(), { bytesMax: megabyte, drop: 'newest' })
  let written = 0
  while ((await append(queue, buildSamples(written, written + 499))) !== null) written += 500
  expect(queue.bytes).toBeLessThanOrEqual(megabyte)
  expect(told.lost).toEqual([])
  const pieces = await queue.read(1e9, 1e9)
  expect(formatValues(samplesOf(pieces))).toBe(`0-${written - 1}`)
  await queue.release(pieces)
  expect(await append(queue, buildSamples(1, 2))).not.toBeNull()
})

test('a tag that changes within a segment keeps its description at the time of each sample', async () => {
  const folder = await createFolder()
  const known = new Map([[0, { name: 'a', datatype: 10 }]])
  const { queue } = await open(folder, { tags: (tag) => known.get(tag) ?? { name: '', datatype: 0 } })
  await append(queue, buildSamples(1, 2))
  known.set(0, { name: 'a', datatype: 4 })
  await append(queue, buildSamples(3, 4))
  const datatypes: (number | undefined)[] = []
  for (;;) {
    const pieces = await queue.read(1, 1e9)
    if (pieces.length === 0) break
    datatypes.push(...pieces.map(({ tags }) => tags.get(0)?.datatype))
    await queue.release(pieces)
  }
  expect(datatypes).toEqual([10, 4])
})
