import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { machines, operator } from '@busbar/contract'
import type { ImportOrder } from '@busbar/platform/test-support/machine-imports/imports-process.ts'
import {
  createMachine,
  createUser,
  failureOf,
  startTestPlatformOn,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { isLongRun } from '@busbar/testkit/seeds.ts'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox } from '../../kernel/secret-box.ts'
import { hashToken } from '../accounts/index.ts'
import { add } from './machine-imports-service.ts'

const waitMs = 20_000
const key = Buffer.alloc(32, 7)
let site: TestPlatform
let boss: TestUser
const database = useDatabase({ poolMax: 10 })
beforeAll(async () => {
  site = await startTestPlatformOn(database, {}, { secrets: createSecretBox(key) })
  boss = await createBoss()
})
afterAll(async () => {
  await site.stop()
})

async function createBoss(): Promise<TestUser> {
  const user = await createUser(site.db)
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', user.userId).execute()
  return user
}

let codes = 0
const newCode = () => `88${String(++codes).padStart(17, '0')}`

const begin = (csv: string, by = boss) => site.as(by).call(operator.importMachines, { csv })
const look = ({ jobId }: { jobId: string }, by = boss) =>
  site.as(by).call(operator.getMachineImport, { jobId })
const secretsOf = (job: { jobId: string }, by = boss) =>
  site.as(by).call(operator.getMachineImportSecrets, job)
const ended = async (job: { jobId: string }) => {
  await expect
    .poll(async () => (await look(job)).state, { timeout: waitMs })
    .toMatch(/^(?:done|failed|stopped)$/)
  return look(job)
}

/** The machines of an import whose hash is not that of a secret it tells. */
async function findLost(told: readonly operator.MachineSecrets[]): Promise<string[]> {
  const rows = await site.db
    .selectFrom('machines')
    .select(['code', 'secret_hash'])
    .where(
      'code',
      'in',
      told.map(({ machineCode }) => machineCode),
    )
    .execute()
  const hashes = new Map(rows.map((row) => [row.code, row.secret_hash]))
  return told
    .filter(({ machineCode, secret }) => !hashes.get(machineCode)?.equals(hashToken(secret)))
    .map(({ machineCode }) => machineCode)
}

test('valid lines are registered, the others are named, and the passwords work', async () => {
  const known = await createMachine(site.db, { code: newCode(), name: 'Before' })
  const [one, two] = [newCode(), newCode()]
  const job = await begin(
    ['Code;Type;Model;Password', one, `${two};pump;HX-T10;label-42x`, known.code, '12', one].join('\r\n'),
  )
  expect(await ended(job)).toMatchObject({
    ...{ state: 'done', lines: 5, done: 5, created: 2, secrets: 2 },
    refused: [
      { line: 4, reason: 'known' },
      { line: 5, reason: 'code' },
      { line: 6, reason: 'twice' },
    ],
  })
  const told = await secretsOf(job)
  expect(told[1]).toMatchObject({ machineCode: two, type: 'pump', model: 'HX-T10', password: 'label-42x' })
  expect(await findLost(told)).toEqual([])
  const person = await createUser(site.db)
  const added = await site.as(person).call(machines.addMachine, {
    machineName: 'Mine',
    machineCode: one,
    machinePwd: told[0]?.password,
  })
  expect(added.limit_authority).toBe(3)
  const row = await site.db
    .selectFrom('machines')
    .select(['name', 'password_hash'])
    .where('code', '=', known.code)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ name: 'Before', password_hash: null })
})

test('secrets were lost where the page that imported went away; they are kept until they are confirmed', async () => {
  const job = await begin([newCode(), newCode()].join('\n'))
  await ended(job)
  const [kept] = await site.as(boss).call(operator.listMachineImports, {})
  expect(kept).toMatchObject({ ...job, secrets: 2, refused: 0 })
  // Fetched once, and once more.
  const told = await secretsOf(job)
  expect(await secretsOf(job)).toEqual(told)
  const confirm = (secrets: number) => ({ ...job, secrets })
  expect((await failureOf(site.as(boss), operator.confirmMachineImport, confirm(1))).code).toBe(
    'IMPORT_SECRETS_CHANGED',
  )
  expect(await secretsOf(job)).toEqual(told)
  await site.as(boss).call(operator.confirmMachineImport, confirm(2))
  expect(await secretsOf(job)).toEqual([])
  const { rows } = await sql`
    select from machine_import_parts where import_id = ${job.jobId} and sealed is not null`.execute(site.db)
  expect(rows).toEqual([])
})

test('no password and no secret is readable in the database or the audit log', async () => {
  const code = newCode()
  const job = await begin(`${code},pump,HX,label-73y`)
  const { rows: before } = await sql<{ row: string }>`
    select parts::text as row from machine_import_parts parts where import_id = ${job.jobId}`.execute(site.db)
  await ended(job)
  const [told] = await secretsOf(job)
  const { rows: after } = await sql<{ row: string }>`
    select parts::text as row from machine_import_parts parts where import_id = ${job.jobId}
    union all select audit_entries::text from audit_entries`.execute(site.db)
  const readable = JSON.stringify([before, after])
  for (const secret of ['label-73y', told?.secret ?? '?']) {
    expect(readable).not.toContain(secret)
    expect(readable).not.toContain(Buffer.from(secret).toString('hex'))
  }
  expect(readable).toContain(code)
})

test('an import is only for the person who started it, while they are an operator', async () => {
  const other = await createBoss()
  const own = await createBoss()
  const job = await begin(newCode(), own)
  await expect.poll(async () => (await look(job, own)).state, { timeout: waitMs }).toBe('done')
  for (const route of [
    operator.getMachineImport,
    operator.getMachineImportSecrets,
    operator.downloadMachineImportSecrets,
    operator.stopMachineImport,
  ])
    expect((await failureOf(site.as(other), route, job)).code).toBe('404')
  const confirm = { ...job, secrets: 1 }
  expect((await failureOf(site.as(other), operator.confirmMachineImport, confirm)).code).toBe('404')
  expect(await site.as(other).call(operator.listMachineImports, {})).toEqual([])
  await site.db.updateTable('users').set({ is_operator: false }).where('id', '=', own.userId).execute()
  expect((await failureOf(site.as(own), operator.getMachineImportSecrets, job)).code).toBe('403')
})

test('an import ends where its person loses the right', async () => {
  const own = await createBoss()
  const list = Array.from({ length: 41 }, newCode)
  const { jobId } = await begin(list.join('\n'), own)
  await site.db.updateTable('users').set({ is_operator: false }).where('id', '=', own.userId).execute()
  const read = () =>
    site.db.selectFrom('machine_imports').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  await expect.poll(async () => (await read()).state, { timeout: waitMs }).toBe('failed')
  expect(await read()).toMatchObject({ reason: '403' })
  const rows = await site.db.selectFrom('machines').select('id').where('code', 'in', list).execute()
  expect(rows).toHaveLength((await read()).created)
})

test('a stopped import registers no more, and keeps the secrets of what it registered', async () => {
  const list = Array.from({ length: 200 }, newCode)
  const job = await begin(list.join('\n'))
  await expect.poll(async () => (await look(job)).created, { timeout: waitMs }).toBeGreaterThan(0)
  await site.as(boss).call(operator.stopMachineImport, job)
  const { created, secrets, state } = await ended(job)
  expect(state).toBe('stopped')
  expect([created < 200, secrets]).toEqual([true, created])
  const told = await secretsOf(job)
  expect(told).toHaveLength(created)
  expect(await findLost(told)).toEqual([])
  const rows = await site.db.selectFrom('machines').select('id').where('code', 'in', list).execute()
  expect(rows).toHaveLength(created)
  await site.as(boss).call(operator.confirmMachineImport, { ...job, secrets: created })
})

test('the same file twice at the same moment registers each machine once, and tells its secret once', async () => {
  const csv = [newCode(), newCode()].join('\n')
  const jobs = await Promise.all([begin(csv), begin(csv)])
  const done = await Promise.all(jobs.map(ended))
  expect(done.reduce((sum, { created }) => sum + created, 0)).toBe(2)
  const told = (await Promise.all(jobs.map((job) => secretsOf(job)))).flat()
  expect(told).toHaveLength(2)
  expect(await findLost(told)).toEqual([])
})

test('a person has five imports that run or whose secrets are not saved', async () => {
  const own = await createBoss()
  const jobs: { jobId: string }[] = []
  for (let count = 0; count < operator.importsKeptMax; count++) jobs.push(await begin(newCode(), own))
  const sixth = { csv: newCode() }
  expect((await failureOf(site.as(own), operator.importMachines, sixth)).code).toBe('IMPORTS_FULL')
  const [first] = jobs
  if (!first) throw new Error('no import')
  await expect.poll(async () => (await look(first, own)).state, { timeout: waitMs }).toBe('done')
  await site.as(own).call(operator.confirmMachineImport, { ...first, secrets: 1 })
  await begin(sixth.csv, own)
})

test('imports that ended without secrets would have filled the database', async () => {
  const own = await createBoss()
  for (let count = 0; count < operator.importsListed + 2; count++) {
    const job = await begin('12', own)
    await expect.poll(async () => (await look(job, own)).state, { timeout: waitMs }).toBe('done')
  }
  const list = await site.as(own).call(operator.listMachineImports, {})
  // The newest one came after the others were counted.
  expect(list).toHaveLength(operator.importsListed + 1)
})

test('a workbook of secrets has codes and secrets as texts', async () => {
  const job = await begin(newCode())
  await ended(job)
  const url = `${site.url}${operator.downloadMachineImportSecrets.path.replace(':jobId', job.jobId)}`
  const answer = await fetch(url, { headers: { token: boss.token } })
  expect(answer.headers.get('content-type')).toContain('spreadsheetml')
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
})

/** A process that runs an import; resolves with what it tells next. */
const start = () => {
  const file = join(import.meta.dirname, '../../../test-support/machine-imports/imports-process.ts')
  return fork(file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}
const next = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0]

const kills = isLongRun() ? 20 : 2

test(`no machine comes twice and no secret is lost, through ${kills} kills of the process`, async () => {
  const list = Array.from({ length: 20 * (kills + 2) }, newCode)
  const deps = {
    db: site.db,
    jobs: { send: async () => '', cancel: async () => false },
    secrets: createSecretBox(key),
    factor: false,
    selfRegistered: { from: '0'.repeat(19), to: '0'.repeat(19) },
    now: Date.now,
  }
  const actor = { user: { userId: boss.userId, sessionId: boss.sessionId }, address: '', now: Date.now() }
  const importId = await add(deps, actor as unknown as Parameters<typeof add>[1], list.join('\n'))
  const order: ImportOrder = { connection: site.connection, key: key.toString('hex'), importId }
  let child = start()
  for (let life = 0; life < kills; life++) {
    const spare = start()
    child.send(order)
    await next(child)
    // In the middle of the next part, at another place each time.
    await new Promise((resolve) => setTimeout(resolve, (life * 97) % 400))
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    child = spare
  }
  child.send(order)
  while ((await next(child)) !== 'done');
  const job = { jobId: importId }
  const told = await secretsOf(job)
  expect(told.map(({ machineCode }) => machineCode)).toEqual(list)
  expect(await findLost(told)).toEqual([])
  expect(await look(job)).toMatchObject({ state: 'done', created: list.length, refused: [] })
})
