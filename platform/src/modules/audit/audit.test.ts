import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { silentLogger } from '../../kernel/logger.ts'
import {
  type AuditKey,
  AuditSealer,
  type AuditVerdict,
  auditFiles,
  openAuditKey,
  readAuditHead,
  verifyAudit,
  writeAudit,
} from './index.ts'

interface Log {
  readonly database: TestDatabase
  readonly key: AuditKey
  readonly headFile: string
  readonly sealer: AuditSealer
}

let folder: string
/** Two sealed batches of two entries each; tests leave it as it is. */
let sealed: Log
const opened: Log[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-audit-'))
  sealed = await openSealedLog()
})
afterAll(async () => {
  for (const { database } of opened) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function openLog(): Promise<Log> {
  const database = await createTestDatabase()
  const files = auditFiles(await mkdtemp(join(folder, 'data-')), undefined)
  const key = await openAuditKey(files.key)
  const sealer = new AuditSealer({ db: database.db, key, headFile: files.head, logger: silentLogger })
  const log = { database, key, headFile: files.head, sealer }
  opened.push(log)
  return log
}

async function openSealedLog(): Promise<Log> {
  const log = await openLog()
  for (const names of [
    ['a', 'b'],
    ['c', 'd'],
  ]) {
    for (const name of names) await writeAudit(log.database.db, entry(name))
    await log.sealer.seal()
  }
  return log
}

const entry = (target: string) => ({
  actorUserId: 7,
  action: 'user.lock',
  target,
  address: '127.0.0.1',
  result: 'ok' as const,
  detail: { note: target },
  at: new Date(1_795_000_000_123),
})

async function verify({ database, key, headFile }: Log, db: Kysely<DB> = database.db): Promise<AuditVerdict> {
  return verifyAudit(db, key, await readAuditHead(headFile))
}

/** Makes a change that needs access to the database itself. */
async function tamper(db: Kysely<DB>, statement: string): Promise<void> {
  await sql.raw('alter table audit_entries disable trigger user').execute(db)
  await sql.raw('alter table audit_batches disable trigger user').execute(db)
  await sql.raw(statement).execute(db)
}

/** The verdict on the sealed log after a statement, which is then undone. */
async function verdictAfter(statement: string): Promise<AuditVerdict> {
  let verdict: AuditVerdict | undefined
  const undone = sealed.database.db.transaction().execute(async (trx) => {
    await tamper(trx, statement)
    verdict = await verify(sealed, trx)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  if (!verdict) throw new Error('there is no verdict')
  return verdict
}

describe('the audit log', () => {
  test.each([
    `update audit_entries set target = 'somebody else'`,
    'update audit_entries set batch_id = null',
    'delete from audit_entries',
    'truncate audit_entries',
    `update audit_batches set mac = decode(repeat('00', 32), 'hex')`,
    'delete from audit_batches',
  ])('refuses: %s', async (statement) => {
    await expect(sql.raw(statement).execute(sealed.database.db)).rejects.toThrow(/only ever added to/)
  })

  test('keeps an entry whatever strangers put into it', async () => {
    const { database } = await openLog()
    const hostile = `\0<script>\ud800${'x'.repeat(100_000)}`
    await writeAudit(database.db, { ...entry(hostile), terminal: hostile, address: hostile })
    const row = await database.db.selectFrom('audit_entries').selectAll().executeTakeFirstOrThrow()
    expect(row.target).toMatch(/^<script>\ufffdx+$/)
    expect(row.target.length).toBeLessThanOrEqual(254)
  })

  test('belongs to the transaction of its act: after a rollback it does not exist', async () => {
    const undone = sealed.database.db.transaction().execute(async (trx) => {
      await writeAudit(trx, entry('a'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await verify(sealed)).open.count).toBe(0)
  })
})

describe('the seals', () => {
  test('match the sealed entries', async () => {
    expect(await verify(sealed)).toMatchObject({ batches: 2, entries: 4, open: { count: 0 }, findings: [] })
  })

  test.each([
    ['a changed entry', `update audit_entries set target = 'x' where target = 'b'`, /Batch 1 is not what/],
    ['a changed detail', `update audit_entries set detail = '{}' where target = 'b'`, /Batch 1 is not what/],
    [
      'a removed entry',
      `delete from audit_entries where target = 'c'`,
      /Batch 2 was sealed with 2 entries and has 1/,
    ],
    [
      'an entry put in later',
      `insert into audit_entries (at, action, target, address, result, batch_id) values (now(), 'a', 'z', '', 'ok', 1)`,
      /Batch 1 was sealed with 2 entries and has 3/,
    ],
    [
      'a batch removed from the middle',
      'delete from audit_entries where batch_id = 1; delete from audit_batches where id = 1',
      /Batches 1 to 1 are gone/,
    ],
    [
      'batches cut off the end',
      'delete from audit_entries where batch_id = 2; delete from audit_batches where id = 2',
      /Batches 2 to 2 were sealed and are gone/,
    ],
  ])('tell %s', async (_, statement, finding) => {
    expect((await verdictAfter(statement)).findings.join('\n')).toMatch(finding)
  })

  test('cannot be made anew without the key', async () => {
    const log = await openSealedLog()
    const { db } = log.database
    await tamper(db, `update audit_entries set target = 'x', batch_id = null; delete from audit_batches`)
    const other = join(folder, 'other.key')
    await writeFile(other, `${Buffer.alloc(32, 1).toString('base64url')}\n`)
    const forger = new AuditSealer({
      db,
      key: await openAuditKey(other),
      headFile: `${log.headFile}.forged`,
      logger: silentLogger,
    })
    await forger.seal()
    expect((await verify(log)).findings[0]).toMatch(/was sealed with the key/)
  })

  test('still reveal a cut log after it has grown again', async () => {
    const log = await openSealedLog()
    const { db } = log.database
    await tamper(db, 'delete from audit_entries where batch_id = 2; delete from audit_batches where id = 2')
    await writeAudit(db, entry('e'))
    await log.sealer.seal()
    expect((await verify(log)).findings.join('\n')).toMatch(/another seal than the one noted/)
  })

  test('include an entry whose transaction ended after later ones were sealed', async () => {
    const log = await openLog()
    const { db } = log.database
    let commit = () => {}
    const held = new Promise<void>((resolve) => {
      commit = resolve
    })
    let isWritten = () => {}
    const written = new Promise<void>((resolve) => {
      isWritten = resolve
    })
    const late = db.transaction().execute(async (trx) => {
      await writeAudit(trx, entry('late'))
      isWritten()
      await held
    })
    await written
    await writeAudit(db, entry('early'))
    await log.sealer.seal()
    commit()
    await late
    await log.sealer.seal()
    expect(await verify(log)).toMatchObject({ batches: 2, entries: 2, open: { count: 0 }, findings: [] })
  })
})
