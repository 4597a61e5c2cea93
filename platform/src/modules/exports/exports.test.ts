import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exports as contract, type RequestOf, tagSettings, telemetry } from '@busbar/contract'
import { failureOf, type TestMachine, type TestUser } from '@busbar/testkit'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { drawCounter } from '../../../test-support/counters.ts'
import { createRandom } from '../../../test-support/histories/random.ts'
import type { SampleRecord } from '../telemetry/index.ts'
import { Intervals } from './intervals.ts'

const run = promisify(execFile)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** In the hour before the clocks of Berlin go back. */
const start = Date.UTC(2026, 9, 25, 0)

const site = useSite()

type Value = SampleRecord['value']
type Wish = RequestOf<typeof contract.createExport>

async function store(
  { machineId }: TestMachine,
  tag: string,
  type: SampleRecord['type'],
  values: readonly (readonly [minute: number, value: Value, quality?: SampleRecord['quality']])[],
): Promise<number> {
  await site.platform.telemetry.append(
    machineId,
    values.map(([minute, value, quality = 192]) => ({
      kind: 'sample',
      group: '',
      tag,
      type,
      value,
      quality,
      time: start + minute * minuteMs,
      late: true,
    })),
  )
  const tags = await site.platform.telemetry.listTags(machineId, 'en')
  return tags.find((one) => one.tag === tag)?.tagId ?? 0
}

async function createPress(name = 'Press'): Promise<{ owner: TestUser; machine: TestMachine }> {
  const owner = await site.createUser()
  return { owner, machine: await site.createMachine({ owner: owner.userId, name }) }
}

const wishOf = (tagIds: readonly number[], more: Partial<Wish> = {}): Wish => ({
  tagIds: [...tagIds],
  from: start,
  to: start + 3 * hourMs,
  format: 'csv',
  layout: 'long',
  timezone: 'Europe/Berlin',
  ...more,
})

/** Requests an export and waits for its end. */
async function make(user: TestUser, wish: Wish) {
  const { jobId } = await site.as(user).call(contract.createExport, wish)
  return ended(user, jobId)
}

async function ended(user: TestUser, jobId: string) {
  for (;;) {
    const one = await site.as(user).call(contract.getExport, { jobId })
    if (one.state !== 'waiting' && one.state !== 'running') return one
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const load = (user: TestUser, jobId: string, headers: Record<string, string> = {}) =>
  fetch(`${site.url}/api/v1/data/export/${jobId}/file`, {
    headers: { token: user.token, 'accept-language': 'en', ...headers },
  })

async function lines(user: TestUser, wish: Wish): Promise<string[]> {
  const one = await make(user, wish)
  expect(one.reason).toBe('')
  // `text()` would leave the byte order mark out.
  const text = Buffer.from(await (await load(user, one.jobId)).arrayBuffer()).toString()
  expect(text.startsWith(`\uFEFFTime (${wish.timezone})`)).toBe(true)
  return text.slice(1).split('\r\n').slice(1, -1)
}

/** The cells of each sheet, as another program reads them. */
async function readXlsx(bytes: Buffer): Promise<Record<string, (string | number | null)[][]>> {
  const file = join(site.filesDir, 'read.xlsx')
  await writeFile(file, bytes)
  const script = `
import json, sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
print(json.dumps({ sheet.title: [[str(cell.value) if cell.is_date else cell.value for cell in row] for row in sheet.iter_rows()] for sheet in book.worksheets }))`
  const python = process.env.BUSBAR_PYTHON ?? '/usr/bin/python3'
  return JSON.parse((await run(python, ['-c', script, file])).stdout)
}

test('a long file has a row for each value: exact numbers, texts that are not formulas, qualities, times of the zone', async () => {
  const { owner, machine } = await createPress('=Press, 4')
  const speed = await store(machine, 'speed', 'float64', [
    [59, 0.1],
    [60, -1.5e-7, 64],
    [61, null, 0],
  ])
  const count = await store(machine, 'count', 'int64', [[1, 9_007_199_254_740_993n]])
  const note = await store(machine, 'note', 'string', [[2, '=1+1']])
  const on = await store(machine, 'on', 'bool', [[3, true]])
  const device = `"'=Press, 4"`
  expect(await lines(owner, wishOf([speed, count, note, on]))).toEqual([
    // The clocks go from 03:00 back to 02:00.
    `2026-10-25 02:59:00.000+02:00,${device},,speed,0.1,,good`,
    `2026-10-25 02:00:00.000+01:00,${device},,speed,-1.5e-7,,uncertain`,
    `2026-10-25 02:01:00.000+01:00,${device},,speed,,,bad`,
    `2026-10-25 02:01:00.000+02:00,${device},,count,9007199254740993,,good`,
    `2026-10-25 02:02:00.000+02:00,${device},,note,'=1+1,,good`,
    `2026-10-25 02:03:00.000+02:00,${device},,on,true,,good`,
  ])
})

test('a German Excel could not open a file with commas and points; separator and decimal sign can be chosen', async () => {
  const { owner, machine } = await createPress('Press; 4')
  const a = await store(machine, 'a', 'float64', [[0, 1.5]])
  const b = await store(machine, 'b', 'int64', [[0, 9_007_199_254_740_993n]])
  const semicolons = { delimiter: 'semicolon', decimal: 'comma' } as const
  const read = async (more: Partial<Wish>) =>
    (await lines(owner, wishOf([a, b], more))).map((line) => line.slice(line.search(/[;\t]/)))
  expect(await read({ layout: 'wide', ...semicolons })).toEqual([';1,5;9007199254740993'])
  expect(await read(semicolons)).toEqual([
    ';"Press; 4";;a;1,5;;good',
    ';"Press; 4";;b;9007199254740993;;good',
  ])
  expect(await read({ layout: 'wide', delimiter: 'tab' })).toEqual(['\t1.5\t9007199254740993'])
})

test('a wide file has a row for each time and a column for each variable', async () => {
  const { owner, machine } = await createPress()
  const a = await store(machine, 'a', 'float64', [
    [0, 1],
    [1, 2],
    [3, null, 0],
  ])
  const b = await store(machine, 'b', 'float64', [
    [1, 20],
    [2, 30],
  ])
  expect(await lines(owner, wishOf([a, b], { layout: 'wide' }))).toEqual([
    '2026-10-25 02:00:00.000+02:00,1,',
    '2026-10-25 02:01:00.000+02:00,2,20',
    '2026-10-25 02:02:00.000+02:00,,30',
  ])
})

test('intervals: means of numbers, the last of states, days as the zone has them', async () => {
  const { owner, machine } = await createPress()
  const speed = await store(machine, 'speed', 'float64', [
    [0, 1],
    [59, 3],
    [60, 10],
    [60 * 22.5, 100],
  ])
  const on = await store(machine, 'on', 'bool', [
    [0, true],
    [30, false],
  ])
  const hours = wishOf([speed, on], { layout: 'wide', interval: '3600' })
  expect(await lines(owner, hours)).toEqual([
    '2026-10-25 02:00:00.000+02:00,2,false',
    '2026-10-25 02:00:00.000+01:00,10,',
  ])
  const days = wishOf([speed], {
    layout: 'wide',
    interval: 'day',
    agg: 'max',
    from: start - 24 * hourMs,
    to: start + 48 * hourMs,
  })
  // Its day has 25 hours: the last sample comes 24 and a half after its midnight.
  expect(await lines(owner, days)).toEqual(['2026-10-25 00:00:00.000+02:00,100'])
})

const riseOf = async (owner: TestUser, tagId: number, wish: Partial<Wish>) =>
  (await lines(owner, wishOf([tagId], { layout: 'wide', agg: 'delta', interval: '3600', ...wish }))).map(
    (line) => Number(line.split(',')[1]),
  )

test.each([
  ['a reset is no fall by 985', [1000, 1005, 1010, 5, 10, 15], 25],
  ['a dip by rounding is no reset', [100.5, 100.4, 100.6, 100.5, 100.7, 100.8], 0.3],
  ['a glitch is no reset', [1010, 1012, 0, 1013, 1014, 1016], 6],
])('the rise in a file is that of statistics: %s', async (_, values, expected) => {
  const { owner, machine } = await createPress()
  const tagId = await store(
    machine,
    'kwh',
    'float64',
    values.map((value, place) => [place * 10, value]),
  )
  const [told] = await site
    .as(owner)
    .call(telemetry.getStatistics, { tagIds: [tagId], from: start, to: start + hourMs })
  expect(Number(Number(told?.delta?.value).toPrecision(12))).toBe(expected)
  expect(await riseOf(owner, tagId, {})).toEqual([expected])
})

test('the rise of an hour has the step across its border, also where the clocks change', async () => {
  const { owner, machine } = await createPress()
  const from = start - 2 * hourMs
  const values = Array.from({ length: 6 * 49 + 1 }, (_, place): [number, number] => [place * 10 - 120, place])
  const tagId = await store(machine, 'kwh', 'float64', values)
  const wish = { from, to: from + 49 * hourMs }
  const hours = await riseOf(owner, tagId, wish)
  expect(hours).toEqual([5, ...Array.from({ length: 48 }, () => 6)])
  expect(await riseOf(owner, tagId, { ...wish, interval: 'day' })).toEqual([149, 144])
})

const zones = [
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Asia/Shanghai',
] as const

test('the rises of hours and of days add up to the rise of the whole, for random counters and zones', async () => {
  const { owner, machine } = await createPress()
  for (const seed of pickSeeds()) {
    const random = createRandom(seed)
    const timezone = random.pick(zones)
    const counter = drawCounter(random, start - 48 * hourMs, 400)
    const tagId = await store(
      machine,
      `counter ${seed}`,
      'float64',
      counter.map(({ at, value }) => [(at - start) / minuteMs, value as number]),
    )
    // Begins of days of the zone.
    const intervals = new Intervals('day', timezone)
    const from = intervals.startOf((counter[100]?.at ?? 0) + 24 * hourMs)
    const to = intervals.startOf((counter[350]?.at ?? 0) + 24 * hourMs)
    const [told] = await site.as(owner).call(telemetry.getStatistics, { tagIds: [tagId], from, to })
    const whole = Number(told?.delta?.value ?? 0)
    for (const interval of ['300', '3600', 'day'] as const) {
      const parts = await riseOf(owner, tagId, { from, to, timezone, interval })
      expect(parts.every((part) => part >= 0)).toBe(true)
      const sum = parts.reduce((all, part) => all + part, 0)
      expect(sum, `seed ${seed}, ${timezone}, ${interval}`).toBeCloseTo(whole, 6)
    }
  }
})

test('a meter that was replaced goes from reading to reading, in the past too, until the entry is removed', async () => {
  const { owner, machine } = await createPress()
  const { machineId } = machine
  const tagId = await store(machine, 'kwh', 'float64', [
    [0, 8_000],
    [10, 8_010],
    [20, 20],
    [30, 25],
    [40, 31],
  ])
  const client = site.as(owner)
  const asked = { tagIds: [tagId], from: start, to: start + hourMs }
  const rise = async () => (await client.call(telemetry.getStatistics, asked))[0]?.delta
  expect(await rise()).toEqual({ value: 10 + 20 + 5 + 6, resets: 1 })
  const at = start + 15 * minuteMs
  await client.call(tagSettings.setTagReset, { machineId, tagId, at, from: 1, to: 2 })
  await client.call(tagSettings.setTagReset, { machineId, tagId, at, from: 8_012, to: 18 })
  expect(await rise()).toEqual({ value: 10 + 2 + 2 + 5 + 6, resets: 0 })
  expect(await riseOf(owner, tagId, { interval: '300' })).toEqual([0, 10, 4, 5, 6])
  await client.call(tagSettings.setTag, { machineId, tagId, unit: 'kWh' })
  const [told] = await client.call(telemetry.listTags, { machineId })
  expect(told?.settings).toEqual({ unit: 'kWh', resets: [{ at, from: 8_012, to: 18 }] })
  await client.call(tagSettings.removeTagReset, { machineId, tagId, at })
  expect(await rise()).toEqual({ value: 41, resets: 1 })
  expect(await failureOf(client, tagSettings.removeTagReset, { machineId, tagId, at })).toMatchObject({
    code: '404',
  })
  const text = await store(machine, 'lot', 'string', [[0, 'A']])
  const wrong = { machineId, tagId: text, at, from: 1, to: 0 }
  expect(await failureOf(client, tagSettings.setTagReset, wrong)).toMatchObject({ code: 'TAG_RESETS_TYPE' })
})

test('numbers have two digits more than the variable', async () => {
  const { owner, machine } = await createPress()
  const tagId = await store(machine, 'temp', 'float64', [
    [0, Math.fround(0.1)],
    [1, 0.7],
    [2, 21.123456],
  ])
  const values = async (wish: Partial<Wish> = {}) =>
    (await lines(owner, wishOf([tagId], wish))).map((line) => line.split(',')[4])
  expect(await values()).toEqual(['0.10000000149011612', '0.7', '21.123456'])
  expect(await values({ interval: '3600' })).toEqual(['7.30781866716337'])
  await site.as(owner).call(tagSettings.setTag, { machineId: machine.machineId, tagId, scale: 1 })
  expect(await values()).toEqual(['0.1', '0.7', '21.123'])
  expect(await values({ interval: '3600' })).toEqual(['7.308'])
})

test('values of before a change of type are in the file', async () => {
  const { owner, machine } = await createPress()
  await store(machine, 't', 'int64', [[0, 7n]])
  const tagId = await store(machine, 't', 'float64', [[5, 7.5]])
  const values = (await lines(owner, wishOf([tagId]))).map((line) => line.split(',')[4])
  expect(values).toEqual(['7', '7.5'])
})

test('xlsx: a sheet for each device, whole numbers beyond 15 digits as text', async () => {
  const { owner, machine } = await createPress('Press')
  const other = await site.createMachine({ owner: owner.userId, name: '压机/2' })
  const a = await store(machine, 'a', 'int64', [[0, 9_007_199_254_740_993n]])
  const b = await store(other, 'b', 'float64', [[1, 2.5]])
  const wish = wishOf([a, b], { format: 'xlsx', layout: 'sheetPerMachine' })
  const one = await make(owner, wish)
  const answer = await load(owner, one.jobId)
  expect(answer.headers.get('content-disposition')).toContain('2%20devices%202026-10-25')
  expect(await readXlsx(Buffer.from(await answer.arrayBuffer()))).toEqual({
    Press: [
      ['Time (Europe/Berlin)', 'UTC offset', 'a'],
      ['2026-10-25 02:00:00', '+02:00', '9007199254740993'],
    ],
    '压机 2': [
      ['Time (Europe/Berlin)', 'UTC offset', 'b'],
      ['2026-10-25 02:01:00', '+02:00', 2.5],
    ],
  })
  expect(await failureOf(site.as(owner), contract.createExport, { ...wish, format: 'csv' })).toMatchObject({
    code: 'EXPORT_CSV_SHEETS',
  })
})

test('many windows make one file, and a preview gives its beginning and its size', async () => {
  const { owner, machine } = await createPress()
  const values = Array.from({ length: 4_000 }, (_, minute): [number, number] => [minute, minute / 8])
  const tagId = await store(machine, 'ramp', 'float64', values)
  const wish = wishOf([tagId], { to: start + 4_000 * minuteMs })
  const preview = await site.as(owner).call(contract.previewExport, wish)
  expect(preview).toMatchObject({ samples: 4_000, rows: 4_000, sheets: 1 })
  expect(preview.columns[0]).toBe('Time (Europe/Berlin)')
  expect(preview.head.slice(0, 2)).toEqual([
    ['2026-10-25 02:00:00.000+02:00', 'Press', '', 'ramp', '0', '', 'good'],
    ['2026-10-25 02:01:00.000+02:00', 'Press', '', 'ramp', '0.125', '', 'good'],
  ])
  const all = await lines(owner, wish)
  expect(all.map((line) => Number(line.split(',')[4]))).toEqual(values.map(([, value]) => value))
  const bytes = Buffer.byteLength(all.join('\r\n'))
  expect(preview.bytes / bytes).toBeGreaterThan(0.9)
  expect(preview.bytes / bytes).toBeLessThan(1.1)
})

test('a download goes on where it was cut', async () => {
  const { owner, machine } = await createPress()
  const tagId = await store(machine, 'a', 'float64', [[0, 1]])
  const { jobId, bytes } = await make(owner, wishOf([tagId]))
  const whole = Buffer.from(await (await load(owner, jobId)).arrayBuffer())
  expect(whole.length).toBe(bytes)
  const rest = await load(owner, jobId, { range: 'bytes=10-' })
  expect([rest.status, rest.headers.get('content-range')]).toEqual([
    206,
    `bytes 10-${whole.length - 1}/${bytes}`,
  ])
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(whole.subarray(10))
})

test('the right is checked again at the download, and the error names the device', async () => {
  const { owner, machine } = await createPress('Oven 3')
  const guest = await site.createHolder(machine.machineId, { role: 'visitor' })
  await site.db
    .updateTable('machine_list_entries')
    .set({ name: 'Oven 3' })
    .where('user_id', '=', guest.userId)
    .execute()
  const tagId = await store(machine, 'a', 'float64', [[0, 1]])
  const { jobId } = await make(guest, wishOf([tagId]))
  expect((await load(guest, jobId)).status).toBe(200)
  expect((await load(owner, jobId)).status).toBe(404)
  await site.db.deleteFrom('machine_grants').where('user_id', '=', guest.userId).execute()
  const answer = await load(guest, jobId)
  const body = (await answer.json()) as { hwdata: unknown; error: { code: string; message: string } }
  expect(body.error).toMatchObject({ code: 'EXPORT_RIGHT_LOST' })
  expect(body.error.message).toContain('Oven 3')
  expect(await site.as(guest).call(contract.getExport, { jobId })).toMatchObject({
    url: null,
    lost: ['Oven 3'],
  })
})

test('values of a former owner cannot be exported, whoever owns the device now', async () => {
  const { owner, machine } = await createPress('Oven 4')
  const tagId = await store(machine, 'a', 'float64', [[0, 1]])
  const { jobId } = await make(owner, wishOf([tagId]))
  await site.db
    .updateTable('tags')
    .set({ retired_at: new Date(), disowned_at: new Date() })
    .where('id', '=', tagId)
    .execute()
  expect(await site.as(owner).call(contract.getExport, { jobId })).toMatchObject({
    url: null,
    lost: ['Oven 4'],
  })
})

test('exports of a person run one after another; a cancelled one leaves no file, and the next begins', async () => {
  const { owner, machine } = await createPress()
  const tagId = await store(machine, 'a', 'float64', [[0, 1]])
  const wish = wishOf([tagId], { interval: '60' })
  const held = await holdReads()
  const client = site.as(owner)
  const first = await client.call(contract.createExport, wish)
  const second = await client.call(contract.createExport, wish)
  const { rows: jobs } = await sql<{ id: string }>`
    select id from jobs.job where name = 'exports' and id in (${first.jobId}, ${second.jobId})`.execute(
    site.db,
  )
  expect(jobs).toEqual([{ id: first.jobId }])
  while ((await client.call(contract.getExport, first)).state !== 'running')
    await new Promise((resolve) => setTimeout(resolve, 20))
  await client.call(contract.deleteExport, first)
  expect(await client.call(contract.getExport, first)).toMatchObject({ state: 'cancelled', url: null })
  await held.end()
  expect(await ended(owner, second.jobId)).toMatchObject({ state: 'ready', rows: 1 })
  expect((await client.call(contract.listExports, {})).map(({ state }) => state)).toEqual([
    'ready',
    'cancelled',
  ])
  await client.call(contract.deleteExport, second)
  expect((await client.call(contract.listExports, {})).map(({ state }) => state)).toEqual(['cancelled'])
  expect((await load(owner, second.jobId)).status).toBe(404)
})

/** Keeps samples from being read until `end`: exports wait in the middle. */
async function holdReads() {
  const began = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const done = site.db.transaction().execute(async (trx) => {
    await sql`lock table sample_chunks, sample_averages in access exclusive mode`.execute(trx)
    began.resolve()
    await release.promise
  })
  await began.promise
  return {
    async end() {
      release.resolve()
      await done
    },
  }
}

test('an export whose process was killed begins anew, and its half file does not look ready', async () => {
  const { owner, machine } = await createPress()
  const tagId = await store(machine, 'a', 'float64', [[0, 1]])
  const { jobId } = await make(owner, wishOf([tagId]))
  // The state left by the killed process: the export runs, half a file exists, and its heartbeat has ended.
  const half = await site.db
    .insertInto('files')
    .values({
      ...{
        key: 'f'.repeat(32),
        user_id: owner.userId,
        purpose: 'export',
        name: 'half.csv',
        media_type: 'text/csv',
      },
      ...{ state: 'writing', made_at: new Date(0), written_at: new Date(0), expires_at: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await site.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('exports')
      .set({ state: 'running', file_id: null, progress: 0.5 })
      .where('id', '=', jobId)
      .execute()
    await sql`update jobs.job set state = 'active', retry_limit = 5, completed_on = null,
      started_on = now() - interval '2 minutes', heartbeat_on = now() - interval '1 minute'
      where name = 'exports' and id = ${jobId}`.execute(trx)
  })
  expect(await ended(owner, jobId)).toMatchObject({ state: 'ready', rows: 1 })
  expect((await load(owner, jobId)).status).toBe(200)
  await site.platform.files.sweep()
  expect(await site.platform.files.find(site.db, half.id)).toMatchObject({ state: 'failed' })
})

test('a person has ten exports that are not finished', async () => {
  const { owner, machine } = await createPress()
  const tagId = await store(machine, 'a', 'float64', [[0, 1]])
  const wish = wishOf([tagId], { interval: '60' })
  const held = await holdReads()
  const made: string[] = []
  for (let count = 0; count < 10; count++)
    made.push((await site.as(owner).call(contract.createExport, wish)).jobId)
  expect(await failureOf(site.as(owner), contract.createExport, wish)).toMatchObject({
    code: 'EXPORTS_FULL',
  })
  await held.end()
  for (const jobId of made) expect(await ended(owner, jobId)).toMatchObject({ state: 'ready' })
})

test('an export of short intervals over years kept a worker busy for days', async () => {
  const { owner, machine } = await createPress()
  const tagId = await store(machine, 'a', 'float64', [[0, 1]])
  const wish = wishOf([tagId], { to: start, from: start - 4 * 366 * 24 * hourMs, interval: '1' })
  for (const route of [contract.previewExport, contract.createExport])
    expect(await site.refusalOf(owner, route, wish)).toBe('EXPORT_TOO_LARGE')
  const longer = await site.as(owner).call(contract.previewExport, { ...wish, interval: '10' })
  expect(longer.rows).toBeGreaterThan(0)
})

test('a span that ends before it begins is refused', async () => {
  const { owner, machine } = await createPress()
  const tagId = await store(machine, 'a', 'float64', [[0, 1]])
  for (const to of [start, start - 1, start + 6 * 366 * 24 * hourMs])
    expect(await failureOf(site.as(owner), contract.createExport, wishOf([tagId], { to }))).toMatchObject({
      code: 'EXPORT_SPAN',
    })
})
