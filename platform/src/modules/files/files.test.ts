import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { FileFolder } from './file-folder.ts'
import { Files } from './files.ts'
import type { NewFile, StoredFile } from './files-store.ts'

let db: Database
let files: Files
let time = Date.now()
const site = useSite({}, { now: () => time })
beforeAll(async () => {
  db = site.db
  files = site.platform.files
})

const hourMs = 3_600_000

const wishOf = (userId: number): NewFile => ({
  userId,
  purpose: 'export',
  name: '压机 4.csv',
  mediaType: 'text/csv',
  lifeMs: hourMs,
})

async function* piecesOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function read(file: StoredFile, from = 0, to = file.bytes - 1): Promise<string> {
  const answer = await files.open(file)
  const pieces: Uint8Array[] = []
  for await (const piece of answer.open(from, to)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** The keys of all bytes in the folder. */
async function listBytes(): Promise<string[]> {
  const [installation = ''] = await readdir(site.filesDir)
  return readdir(join(site.filesDir, installation))
}

const rowsOf = (userId: number) =>
  db.selectFrom('files').select(['id', 'key', 'state', 'bytes']).where('user_id', '=', userId).execute()

test('a file is ready once all of it is there, and gone at the end of its time', async () => {
  const { userId } = await createUser(db)
  const file = await files.create(wishOf(userId), piecesOf('one,', 'two'), {
    done: async (_, { state, bytes }) => expect([state, bytes]).toEqual(['ready', 7]),
  })
  expect(await read(file)).toBe('one,two')
  expect(await read(file, 4, 5)).toBe('tw')
  expect(await files.find(db, file.id)).toMatchObject({ name: '压机 4.csv', bytes: 7, purpose: 'export' })
  time += hourMs
  await expect(files.open(file)).rejects.toMatchObject({ code: 'FILE_GONE' })
  await files.sweep()
  expect(await rowsOf(userId)).toMatchObject([{ state: 'expired' }])
  expect(await listBytes()).not.toContain(file.key)
  time += 31 * 24 * hourMs
  await files.sweep()
  expect(await rowsOf(userId)).toEqual([])
})

test('a source that fails, and a cancelled one, leave no bytes and a failed row', async () => {
  const { userId } = await createUser(db)
  async function* broken() {
    yield Buffer.from('half')
    throw new Error('no more')
  }
  await expect(files.create(wishOf(userId), broken())).rejects.toThrow('no more')
  const cancelling = new AbortController()
  async function* endless() {
    yield Buffer.from('half')
    cancelling.abort(new Error('cancelled'))
    // The rest of a query that nothing ends.
    await new Promise(() => {})
  }
  await expect(files.create(wishOf(userId), endless(), cancelling)).rejects.toThrow('cancelled')
  const rows = await rowsOf(userId)
  expect(rows.map(({ state }) => state)).toEqual(['failed', 'failed'])
  const left = await listBytes()
  expect(rows.filter(({ key }) => left.some((name) => name.startsWith(key)))).toEqual([])
})

test('the file of a failed transaction does not exist', async () => {
  const { userId } = await createUser(db)
  const done = () => Promise.reject(new Error('the other row'))
  await expect(files.create(wishOf(userId), piecesOf('x'), { done })).rejects.toThrow('the other row')
  expect(await rowsOf(userId)).toMatchObject([{ state: 'failed' }])
})

test('a killed writer leaves no file that looks ready, and its bytes are removed', async () => {
  const { userId } = await createUser(db)
  const started = Promise.withResolvers<void>()
  async function* hanging() {
    yield Buffer.from('half')
    started.resolve()
    await new Promise(() => {})
  }
  const killed = new AbortController()
  const writing = files.create(wishOf(userId), hanging(), killed)
  writing.catch(() => {})
  await started.promise
  const [row] = await rowsOf(userId)
  expect(row?.state).toBe('writing')
  await files.sweep()
  expect(await rowsOf(userId)).toMatchObject([{ state: 'writing' }])
  time += 61_000
  await files.sweep()
  expect(await rowsOf(userId)).toMatchObject([{ state: 'failed' }])
  expect((await listBytes()).filter((name) => name.startsWith(row?.key ?? ''))).toEqual([])
  // It lives after all: its file stays failed.
  killed.abort()
  await expect(writing).rejects.toThrow()
  expect(await rowsOf(userId)).toMatchObject([{ state: 'failed' }])
})

test('the files of an erased person go with them', async () => {
  const { userId } = await createUser(db)
  const file = await files.create(wishOf(userId), piecesOf('private'))
  await db.deleteFrom('users').where('id', '=', userId).execute()
  await files.sweep()
  expect(await listBytes()).not.toContain(file.key)
})

test('a removed file is gone after the commit, and there after a rollback', async () => {
  const { userId } = await createUser(db)
  const file = await files.create(wishOf(userId), piecesOf('x'))
  const undone = withTransaction(db, async (trx) => {
    await files.remove(trx, file.id)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await read(file)).toBe('x')
  await withTransaction(db, (trx) => files.remove(trx, file.id))
  expect(await files.find(db, file.id)).toBeUndefined()
  await files.sweep()
  expect(await listBytes()).not.toContain(file.key)
})

/** Files of which all may have this number of bytes. */
const filesOf = (bytesMax: number) => {
  const folder = Object.assign(new FileFolder(site.filesDir), { room: async () => 2 ** 40 })
  return new Files({ db, logger: silentLogger, folder, bytesMax, now: () => time })
}
const bytesOf = (count: number) => piecesOf('x'.repeat(count))
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'made',
    ({ code }: { code: string }) => code,
  )

test('five accounts filled the disk with exports, and no report was made', async () => {
  await db.deleteFrom('files').execute()
  const all = filesOf(1_000)
  const people = await Promise.all(Array.from({ length: 5 }, () => createUser(db)))
  for (const { userId } of people) {
    time += 1_000
    await all.create(wishOf(userId), bytesOf(90))
    time += 1_000
    await all.create(wishOf(userId), bytesOf(90))
  }
  const states = async () =>
    Promise.all(people.map(async ({ userId }) => (await rowsOf(userId)).map(({ state }) => state).sort()))
  // Exports have 600 bytes: the oldest of the largest owner went for each one beyond it.
  expect((await states()).flat().filter((state) => state === 'ready')).toHaveLength(6)
  expect((await states()).every((own) => own.includes('ready'))).toBe(true)
  const { userId } = await createUser(db)
  const report = { ...wishOf(userId), purpose: 'report' as const }
  for (let count = 0; count < 2; count++) expect(await codeOf(all.create(report, bytesOf(90)))).toBe('made')
  // A fifth of all for one kind of one space.
  expect(await codeOf(all.create(report, bytesOf(90)))).toBe('FILES_FULL')
  const other = { ...report, userId: (await createUser(db)).userId }
  for (let count = 0; count < 2; count++) expect(await codeOf(all.create(other, bytesOf(90)))).toBe('made')
  expect((await states()).flat().filter((state) => state === 'ready')).toHaveLength(6)
  // Reports beyond their 40 % displace exports, but no export displaces a report.
  const third = { ...report, userId: (await createUser(db)).userId }
  for (let count = 0; count < 2; count++) expect(await codeOf(all.create(third, bytesOf(90)))).toBe('made')
  expect((await states()).flat().filter((state) => state === 'ready')).toHaveLength(5)
  const reports = db
    .selectFrom('files')
    .select('id')
    .where('purpose', '=', 'report')
    .where('state', '=', 'ready')
  expect(await reports.execute()).toHaveLength(6)
  const left = await readdir(site.filesDir)
  const rows = await db.selectFrom('files').select(['key', 'state']).execute()
  const there = rows.filter(({ key }) => left.includes(key)).map(({ state }) => state)
  expect(there.sort()).toEqual(Array.from({ length: 11 }, () => 'ready'))
  await db.deleteFrom('files').execute()
})

test('exports of the largest owner go first, the oldest of them before the others', async () => {
  const all = filesOf(1_000)
  const [large, small] = [await createUser(db), await createUser(db)]
  const mine = await all.create(wishOf(small.userId), bytesOf(50))
  await db
    .insertInto('files')
    .values(
      [1, 2, 3].map((n) => ({
        key: `${n}`.repeat(32),
        user_id: large.userId,
        purpose: 'export',
        name: 'x',
        media_type: 'text/csv',
        state: 'ready',
        bytes: 185,
        made_at: new Date(time - n),
        written_at: new Date(time),
        expires_at: new Date(time + hourMs),
      })),
    )
    .execute()
  expect(await codeOf(all.create(wishOf(large.userId), bytesOf(50)))).toBe('FILES_FULL')
  expect(await codeOf(all.create(wishOf(small.userId), bytesOf(50)))).toBe('made')
  expect((await files.find(db, mine.id))?.state).toBe('ready')
  expect((await rowsOf(large.userId)).map(({ key, state }) => [key[0], state]).sort()).toEqual([
    ['1', 'ready'],
    ['2', 'ready'],
    ['3', 'displaced'],
  ])
  await db.deleteFrom('files').execute()
})

/** The descriptors of this process that lead to a file's bytes. */
async function countOpen({ key }: StoredFile): Promise<number> {
  const all = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(all)).filter((path) => path.includes(key)).length
}

test('a file of an unread answer is closed', async () => {
  const { userId } = await createUser(db)
  const file = await files.create(wishOf(userId), piecesOf('x'))
  const { open } = await files.open(file)
  const unread = Readable.from(open(0, 0))
  await new Promise((resolve) => unread.once('close', resolve).destroy())
  // A stream opens its file at the next turns of the loop.
  await files.open(file)
  expect(await countOpen(file)).toBe(0)
  const begun = open(0, 0)[Symbol.asyncIterator]()
  await begun.next()
  await begun.return?.()
  await vi.waitFor(async () => expect(await countOpen(file)).toBe(0))
})

test('a sweep failed where more files lay than a statement has parameters', async () => {
  const removed: string[] = []
  const { userId } = await createUser(db)
  const kept = await files.create(wishOf(userId), piecesOf('x'))
  const stray = Array.from({ length: 70_000 }, (_, place) => place.toString(16).padStart(32, '0'))
  const folder = Object.assign(new FileFolder(site.filesDir), {
    list: async () => [...stray, kept.key],
    remove: async (key: string) => void removed.push(key),
  })
  await new Files({ db, logger: silentLogger, folder, bytesMax: 1, now: () => time }).sweep()
  expect(removed).toEqual(stray)
})

test('a file that could not be begun went on asking the database', async () => {
  const { userId } = await createUser(db)
  const folder = Object.assign(new FileFolder(site.filesDir), {
    begin: () => Promise.reject(new Error('no such folder')),
  })
  const broken = new Files({ db, logger: silentLogger, folder, bytesMax: 2 ** 40, now: () => time })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await expect(broken.create(wishOf(userId), piecesOf('x'))).rejects.toThrow('no such folder')
  expect(vi.getTimerCount()).toBe(0)
})
