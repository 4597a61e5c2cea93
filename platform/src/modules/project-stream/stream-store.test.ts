import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { KnownChunks } from './known-chunks.ts'
import { ChunkDamaged, encodeChunk } from './stream-chunk.ts'
import type { NewRow } from './stream-row.ts'
import { ProjectStreams } from './stream-store.ts'

const database = useDatabase()
const bus = createLocalBus(silentLogger)
let now = Date.now()
let projectId: number
let streams: ProjectStreams

const openStreams = () => new ProjectStreams({ samplesDb: database.db, bus, now: () => now })

beforeEach(async () => {
  const { userId } = await database.createUser()
  const { rows } = await sql<{ id: number }>`
    insert into projects (user_id, name, created_at) values (${userId}, 'A', now()) returning id`.execute(
    database.db,
  )
  projectId = rows[0]?.id ?? 0
  streams = openStreams()
})

const rowOf = (text: string): NewRow => ({
  ...{ linkId: 1, machineId: 1, kind: 'row', late: false, time: 0 },
  text: `"text":"${text}"}`,
})

/** Each in a piece of its own, a second after the one before. */
async function append(...texts: string[]): Promise<void> {
  for (const text of texts) {
    now += 1_000
    await streams.append(projectId, [rowOf(text)])
  }
}

async function read(afterNo: number, maxRows: number, from = streams): Promise<string[]> {
  const rows = await from.read(projectId, afterNo, { maxRows, maxBytes: 1e9 })
  return rows.map(({ no, text }) => `${no} ${text.slice(8, -2)}`)
}

/** Puts one piece in the place of all, as joining and a restored database do. */
async function replace(texts: readonly string[], at: Date): Promise<void> {
  await sql`delete from project_stream where project_id = ${projectId}`.execute(database.db)
  await sql`insert into project_stream (project_id, from_no, to_no, at, bytes)
    values (${projectId}, 1, ${texts.length}, ${at}, ${encodeChunk(texts.map(rowOf))})`.execute(database.db)
}

test('a reader gets the next rows over any number of pieces, and no more than it wants', async () => {
  const texts = Array.from({ length: 40 }, (_, n) => `r${n + 1}`)
  await append(...texts)
  const expected = texts.map((text, n) => `${n + 1} ${text}`)
  for (const [after, count] of [
    [0, 1],
    [0, 30],
    [7, 30],
    [0, 100],
    [39, 5],
    [40, 5],
  ] as const)
    expect(await read(after, count)).toEqual(expected.slice(after, after + count))
})

test('a reader that is far behind gets the rows that are still kept', async () => {
  await append('a', 'b', 'c', 'd', 'e', 'f')
  await sql`delete from project_stream where project_id = ${projectId} and from_no < 5`.execute(database.db)
  expect(await read(0, 1)).toEqual(['5 e'])
  expect(await read(2, 9)).toEqual(['5 e', '6 f'])
})

test('a piece that was read is not read again, and one that took its place is', async () => {
  await append('a', 'b')
  expect(await read(0, 9)).toEqual(['1 a', '2 b'])
  await sql`update project_stream set bytes = '\\x00' where project_id = ${projectId}`.execute(database.db)
  expect(await read(0, 9)).toEqual(['1 a', '2 b'])
  expect(await read(1, 9)).toEqual(['2 b'])
  await expect(read(0, 9, openStreams())).rejects.toThrow(ChunkDamaged)
  await replace(['a', 'b', 'c'], new Date(now))
  expect(await read(0, 9)).toEqual(['1 a', '2 b', '3 c'])
  await replace(['x', 'y', 'z'], new Date(now + 1_000))
  expect(await read(0, 9)).toEqual(['1 x', '2 y', '3 z'])
})

test('of the pieces that were read, the last ones are kept', () => {
  const known = new KnownChunks({ chunks: 4, characters: 100 })
  const keep = (fromNo: number, length: number) =>
    known.keep({
      ...{ projectId: 1, fromNo, toNo: fromNo, at: new Date(0) },
      rows: [{ ...rowOf(''), no: fromNo, text: 'x'.repeat(length) }],
    })
  const list = (after = 0) => known.list(1, after).map(({ fromNo }) => fromNo)
  for (const fromNo of [1, 2, 3]) keep(fromNo, 33)
  keep(1, 33)
  keep(4, 33)
  expect(list()).toEqual([3, 1, 4])
  expect(list(2)).toEqual([3, 4])
  expect(known.list(2, 0)).toEqual([])
  keep(5, 200)
  expect(list()).toEqual([])
  for (const fromNo of [6, 7, 8, 9, 10]) keep(fromNo, 1)
  expect(list()).toEqual([7, 8, 9, 10])
})
