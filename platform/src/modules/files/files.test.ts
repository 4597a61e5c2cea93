import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createUser, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { FileFolder } from './file-folder.ts'
import { Files, filesBytesPerPerson } from './files.ts'
import type { NewFile, StoredFile } from './files-store.ts'

let site: TestPlatform
let db: Database
let files: Files
let time = Date.now()
beforeAll(async () => {
  site = await startTestPlatform({}, { now: () => time })
  db = site.db
  files = site.platform.files
})
afterAll(() => site.stop())

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

test('people cannot fill the disk: each has a limit, and there is one for all', async () => {
  const { userId } = await createUser(db)
  const other = await createUser(db)
  const file = await files.create(wishOf(userId), piecesOf('x'))
  await db.updateTable('files').set({ bytes: filesBytesPerPerson }).where('id', '=', file.id).execute()
  await expect(files.create(wishOf(userId), piecesOf('x'))).rejects.toMatchObject({ code: 'FILES_FULL' })
  await files.create(wishOf(other.userId), piecesOf('x'))
  const folder = new FileFolder(site.filesDir)
  const full = new Files({ db, logger: silentLogger, folder, bytesMax: filesBytesPerPerson, now: () => time })
  await expect(full.create(wishOf(other.userId), piecesOf('x'))).rejects.toMatchObject({
    code: 'FILES_NO_ROOM',
  })
  await withTransaction(db, (trx) => files.remove(trx, file.id))
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
