import { cp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Sample } from '../tag.ts'
import { buildSample, buildTag } from '../testing/builders.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { buildSamples, createFolder, formatValues } from '../testing/outbox-samples.ts'
import type { Batch, OutboxOptions } from './outbox.ts'
import { Outbox } from './outbox.ts'

const hourMs = 3_600_000

async function open(clock: ManualClock, fields: Partial<OutboxOptions> = {}) {
  const events: string[] = []
  const outbox = await Outbox.open({
    folder: null,
    bytesMax: 16 * 1024 * 1024,
    drop: 'oldest',
    syncMs: 5_000,
    samplesMax: 50_000,
    tags: [buildTag()],
    clock,
    log: (_level, event) => void events.push(event),
    boot: 'a',
    ...fields,
  })
  onTestFinished(() => outbox.close().then(() => undefined))
  return { outbox, events }
}

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
}
const segmentFiles = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.seg'))

/** The state that a killed agent leaves: a copy of the folder at this moment. */
async function leave(folder: string): Promise<string> {
  const left = await createFolder()
  await cp(folder, left, { recursive: true })
  await rm(join(left, 'lock'), { force: true })
  return left
}

/** Lets everything that is due be written. */
async function write(clock: ManualClock, outbox: Outbox, folder: string): Promise<void> {
  clock.advance(1_000)
  await until(async () => (await segmentFiles(folder)).length > 0)
  // The disk's operations run one after the other, so behind this one the write is done.
  clock.advance(1_000)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(outbox.waiting).toBeGreaterThan(0)
}

const told = ({ isHistorical, samples }: Batch): string =>
  `${isHistorical ? 'late' : 'live'} ${formatValues(samples)}`

/** Sends and acknowledges everything. */
async function drain(outbox: Outbox, samplesMax = 10_000): Promise<string[]> {
  const batches: string[] = []
  for (;;) {
    const batch = outbox.takeLive() ?? (await outbox.takeBacklog(samplesMax))
    if (batch === null) return batches
    batches.push(told(batch))
    outbox.acknowledge(batch)
  }
}

async function timesOf(batch: Batch | null | Promise<Batch | null>): Promise<number[]> {
  return ((await batch)?.samples ?? []).map(({ at }) => at)
}

const places = { memory: async () => null, disk: createFolder }

test.each(Object.entries(places))(
  '%s: live samples go before the backlog, each in order',
  async (_, place) => {
    const { outbox } = await open(new ManualClock(), { folder: await place() })
    outbox.add(buildSamples(1, 1_200), false)
    outbox.add(buildSamples(1_201, 1_900), true)
    expect((await drain(outbox, 500)).join(' ')).toBe(
      'live 1201-1700 live 1701-1900 late 1-500 late 501-1000 late 1001-1200',
    )
    expect(outbox.waiting).toBe(0)
  },
)

test.each(Object.entries(places))(
  '%s: unacknowledged samples of a broken line come again as late ones; acknowledged ones do not',
  async (_, place) => {
    const { outbox } = await open(new ManualClock(), { folder: await place() })
    outbox.add(buildSamples(1, 2), true)
    const first = outbox.takeLive()
    outbox.add(buildSamples(3, 4), true)
    const second = outbox.takeLive()
    outbox.add(buildSamples(5, 6), true)
    expect(outbox.waiting).toBe(6)
    if (first === null || second === null) throw new Error('no batch')
    outbox.acknowledge(first)
    outbox.interrupt()
    // An acknowledgement of the broken line is ignored.
    outbox.acknowledge(second)
    expect(outbox.waiting).toBe(4)
    const late = await outbox.takeBacklog(10_000)
    outbox.interrupt()
    expect(late && told(late)).toBe('late 3-6')
    expect(await drain(outbox)).toEqual(['late 3-6'])
  },
)

test('while every sample is acknowledged within a second nothing is written at all', async () => {
  const clock = new ManualClock()
  const folder = await createFolder()
  const { outbox } = await open(clock, { folder })
  for (let round = 0; round < 20; round++) {
    outbox.add(buildSamples(round, round), true)
    const batch = outbox.takeLive()
    clock.advance(500)
    if (batch) outbox.acknowledge(batch)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await segmentFiles(folder)).toEqual([])
  }
})

test('killed while a live sample is under way: it comes again in the next run, late and with its time', async () => {
  const clock = new ManualClock()
  const folder = await createFolder()
  const { outbox } = await open(clock, { folder })
  outbox.add(buildSamples(1, 3), true)
  const sent = outbox.takeLive()
  await write(clock, outbox, folder)
  const { outbox: next } = await open(clock, { folder: await leave(folder) })
  const late = await next.takeBacklog(100)
  expect(late && told(late)).toBe('late 1-3')
  expect(late?.samples).toEqual(sent?.samples)
  // The first run continues: it is acknowledged after all, so the queue is empty.
  if (sent) outbox.acknowledge(sent)
  await until(async () => (await segmentFiles(folder)).length === 0)
  expect(await drain(outbox)).toEqual([])
})

test('alarms that moved and values read back after a write outlive the agent', async () => {
  const folder = await createFolder()
  const samples: Sample[] = [
    buildSample({ value: true, alarmMoved: true }),
    buildSample({ value: 5, written: { visit: '7', from: 4, to: 6, error: 'busy' } }),
  ]
  const { outbox } = await open(new ManualClock(), { folder })
  outbox.add(samples, false)
  expect(await outbox.close()).toBe(0)
  const { outbox: next } = await open(new ManualClock(), { folder })
  expect((await next.takeBacklog(100))?.samples).toEqual(samples)
})

test('samples of 1970 wait for the clock, and get the times they were really taken at', async () => {
  const clock = new ManualClock()
  const realAt = clock.now()
  clock.step(-realAt)
  const folder = await createFolder()
  const { outbox } = await open(clock, { folder })
  outbox.add([buildSample({ value: 1, at: clock.now() })], false)
  clock.advance(60_000)
  outbox.add([buildSample({ value: 2, at: clock.now() })], true)
  expect(await outbox.takeBacklog(100)).toBeNull()
  clock.step(realAt)
  expect(await timesOf(outbox.takeBacklog(100))).toEqual([realAt])
  // A live one is corrected as well; once sent, it keeps its time whatever the clock does next.
  expect(await timesOf(outbox.takeLive())).toEqual([realAt + 60_000])
  clock.step(hourMs)
  outbox.interrupt()
  expect(await timesOf(outbox.takeBacklog(100))).toEqual([realAt, realAt + 60_000])
})

test('a time that was put right before the power failed is right after it', async () => {
  const clock = new ManualClock()
  const realAt = clock.now()
  clock.step(-realAt)
  const folder = await createFolder()
  const { outbox } = await open(clock, { folder })
  outbox.add([buildSample({ value: 1, at: clock.now() })], false)
  await write(clock, outbox, folder)
  clock.step(realAt)
  await timesOf(outbox.takeBacklog(100))
  const { outbox: next } = await open(new ManualClock(), { folder: await leave(folder), boot: 'b' })
  expect(await timesOf(next.takeBacklog(100))).toEqual([realAt])
})

test('without a set clock the backlog waits ten minutes, then it is sent with its own times', async () => {
  const clock = new ManualClock()
  clock.step(-clock.now())
  const { outbox } = await open(clock)
  outbox.add([buildSample({ at: 7 })], false)
  expect(await outbox.takeBacklog(100)).toBeNull()
  clock.advance(10 * 60_000)
  expect(await timesOf(outbox.takeBacklog(100))).toEqual([7])
})

test('a disk that cannot be written loses no samples while memory lasts, and is used when it works again', async () => {
  const clock = new ManualClock()
  const parent = await createFolder()
  await writeFile(join(parent, 'taken'), 'a file where the folder should be')
  const folder = join(parent, 'taken', 'outbox')
  const { outbox, events } = await open(clock, { folder, samplesMax: 2_000 })
  expect(events).toEqual(['outbox.diskFailed'])
  outbox.add(buildSamples(1, 1_500), false)
  clock.advance(200)
  outbox.add(buildSamples(1_501, 2_500), false)
  expect(outbox.waiting).toBe(2_000)
  expect(await outbox.takeLost()).toMatchObject({ samples: 500 })
  await rm(join(parent, 'taken'))
  clock.advance(10_000)
  await until(() => events.includes('outbox.diskBack'))
  expect(await drain(outbox)).toEqual(['late 501-2500'])
  expect(events.filter((event) => event === 'outbox.diskFailed')).toHaveLength(1)
})

test('a full disk loses no samples while memory lasts, and half a write is overwritten', async () => {
  const clock = new ManualClock()
  const folder = await createFolder()
  const { outbox, events } = await open(clock, { folder })
  const first = join(folder, '000000000001.seg')
  await symlink('/dev/full', first)
  outbox.add(buildSamples(1, 700), false)
  clock.advance(200)
  await until(() => events.includes('outbox.diskFailed'))
  expect(outbox.waiting).toBe(700)
  await rm(first)
  clock.advance(10_000)
  await until(() => events.includes('outbox.diskBack'))
  const { outbox: next } = await open(clock, { folder: await leave(folder) })
  expect(await drain(next)).toEqual(['late 1-700'])
})

test('with newest dropped, refused samples are one gap, reported until it is acknowledged and over restarts', async () => {
  const clock = new ManualClock()
  const folder = await createFolder()
  const fields = { folder, bytesMax: 64 * 1024, drop: 'newest' as const }
  const { outbox } = await open(clock, fields)
  for (let from = 0; from < 30_000; from += 500) outbox.add(buildSamples(from, from + 499), false)
  await outbox.close()
  const { outbox: next } = await open(clock, fields)
  const kept = next.waiting
  expect(kept).toBeLessThan(15_000)
  const lost = await next.takeLost()
  expect(lost?.samples).toBe(30_000 - kept)
  expect(lost?.from).toBe(buildSamples(kept, kept)[0]?.at)
  expect(await next.takeLost()).toBeNull()
  next.interrupt()
  expect(await next.takeLost()).toEqual(lost)
  await next.close()
  const { outbox: third } = await open(clock, fields)
  const again = await third.takeLost()
  expect(again).toEqual(lost)
  if (again) third.acknowledgeLost(again)
  await third.close()
  const { outbox: fourth } = await open(clock, fields)
  expect(await fourth.takeLost()).toBeNull()
})

test('samples of tags that moved, changed their type or were removed keep their own description', async () => {
  const folder = await createFolder()
  const tags = ['a', 'b', 'c'].map((name) => buildTag({ name }))
  const { outbox } = await open(new ManualClock(), { folder, tags })
  outbox.add(
    [0, 1, 2].map((tag) => buildSample({ tag, value: tag })),
    false,
  )
  await outbox.close()
  const changed = [buildTag({ name: 'c' }), buildTag({ name: 'b', type: 'string' })]
  const { outbox: next } = await open(new ManualClock(), { folder, tags: changed })
  const samples = (await next.takeBacklog(100))?.samples
  expect(samples?.map(({ value, tag, gone }) => [value, gone?.name ?? tag])).toEqual([
    [0, 'a'],
    [1, 'b'],
    [2, 0],
  ])
})
