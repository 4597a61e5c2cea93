import { useSite } from '@busbar/testkit/test-site.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { streamsOf } from '../../../test-support/destinations/reporting-project.ts'
import {
  addKey,
  appendTo,
  changed,
  createProject,
  numberRow,
  numbersOf,
  pull,
  removeProject,
  type TestProject,
  untilKnown,
} from '../../../test-support/project-data/project-rig.ts'
import { withClient } from '../../kernel/database/database.ts'
import { raiseEpoch } from '../../kernel/facts/epoch.ts'

const site = useSite()
let project: TestProject

beforeEach(async () => {
  const owner = await site.createUser()
  const machines = [
    await site.createMachine({ owner: owner.userId }),
    await site.createMachine({ owner: owner.userId }),
  ]
  project = await createProject(site.db, owner.userId, machines)
  await untilKnown(site, project)
})

afterEach(() => removeProject(site.db, project.projectId))

async function append(...numbers: number[]): Promise<void> {
  const [link] = project.links
  if (!link) throw new Error('a project without machines')
  await appendTo(
    site,
    project.projectId,
    numbers.map((n) => numberRow(link, n)),
  )
}

const usedRows = async () =>
  (
    await site.db
      .selectFrom('project_usage')
      .select('rows')
      .where('project_id', '=', project.projectId)
      .execute()
  )
    .map(({ rows }) => Number(rows))
    .at(0) ?? 0

it('pages go on where the one before ended', async () => {
  await append(1, 2, 3, 4, 5)
  const first = await pull(site, project, { limit: 4 })
  expect(numbersOf(first.data)).toEqual([0, 1, 2, 3])
  expect(first.data.rows[1]).toMatchObject({
    id: expect.stringMatching(`^${project.projectId}-[0-9a-f]{8}-2$`),
    group: 'press',
  })
  const second = await pull(site, project, { cursor: first.data.cursor })
  expect(numbersOf(second.data)).toEqual([4, 5])
  const third = await pull(site, project, { cursor: second.data.cursor })
  expect(numbersOf(third.data)).toEqual([])
  await append(6)
  expect(numbersOf((await pull(site, project, { cursor: third.data.cursor })).data)).toEqual([6])
})

it('a page counts once, when its cursor is presented', async () => {
  await append(1, 2)
  const first = await pull(site, project)
  expect(await usedRows()).toBe(0)
  for (let repeated = 0; repeated < 3; repeated++) {
    expect((await pull(site, project, { cursor: first.data.cursor })).code).toBe('')
    expect(await usedRows()).toBe(3)
  }
})

it('a program that gives no cursor back is counted, each row once', async () => {
  await append(1, 2)
  await pull(site, project)
  for (let repeated = 0; repeated < 3; repeated++) {
    expect(numbersOf((await pull(site, project)).data)).toEqual([0, 1, 2])
    expect(await usedRows()).toBe(3)
  }
  await append(3)
  const last = await pull(site, project)
  expect(numbersOf(last.data)).toEqual([0, 1, 2, 3])
  await pull(site, project, { cursor: last.data.cursor })
  expect(await usedRows()).toBe(4)
})

it('a program that gives one old cursor back again and again is counted, each row once', async () => {
  const first = await pull(site, project, { limit: 1 })
  for (const n of [1, 2, 3]) {
    await append(n)
    await pull(site, project, { cursor: first.data.cursor })
    expect(await usedRows()).toBe(n)
  }
  await pull(site, project, { cursor: first.data.cursor, limit: 1 })
  await pull(site, project, { cursor: first.data.cursor, limit: 2 })
  expect(await usedRows()).toBe(4)
})

it('pages that several calls get at once are counted once', async () => {
  await append(1, 2, 3, 4)
  const calls = [1, 5, 2, 4].map((limit) => pull(site, project, { limit }))
  expect((await Promise.all(calls)).map(({ code }) => code)).toEqual(['', '', '', ''])
  await pull(site, project)
  expect(await usedRows()).toBe(5)
})

it('a page of one machine counts at the next pull of another one', async () => {
  const [a, b] = project.links
  if (!a || !b) throw new Error('two machines are expected')
  await append(1, 2)
  await pull(site, project, { machineCode: a.code })
  expect(await usedRows()).toBe(0)
  await pull(site, project, { machineCode: b.code })
  expect(await usedRows()).toBe(3)
})

it('a used quota ends pulls without a cursor as well', async () => {
  await append(1)
  await pull(site, project)
  const month = new Date().toISOString().slice(0, 8).concat('01')
  await site.db
    .insertInto('project_usage')
    .values({ project_id: project.projectId, month, rows: 199_999, told: 95 })
    .execute()
  expect((await pull(site, project)).code).toBe('QUOTA_OVER')
  expect(await usedRows()).toBe(200_000)
})

it('machines that are pulled apart count apart, and their cursors are not exchanged', async () => {
  const [a, b] = project.links
  if (!a || !b) throw new Error('two machines are expected')
  await appendTo(site, project.projectId, [numberRow(b, 7), numberRow(a, 8), numberRow(b, 9)])
  const ofA = await pull(site, project, { machineCode: a.code })
  expect(numbersOf(ofA.data)).toEqual([0, 8])
  const ofB = await pull(site, project, { machineCode: b.code })
  expect(numbersOf(ofB.data)).toEqual([7, 9])
  await pull(site, project, { machineCode: a.code, cursor: ofA.data.cursor })
  await pull(site, project, { machineCode: b.code, cursor: ofB.data.cursor })
  expect(await usedRows()).toBe(4)
  expect((await pull(site, project, { cursor: ofA.data.cursor })).code).toBe('CURSOR_WRONG')
})

it('a call waits for the next row, and is answered with it at once', async () => {
  const { data } = await pull(site, project)
  const startedAt = performance.now()
  const waiting = pull(site, project, { cursor: data.cursor, wait: 10 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await append(1)
  expect(numbersOf((await waiting).data)).toEqual([1])
  expect(performance.now() - startedAt).toBeLessThan(9_000)
})

it('a call that waits for a machine goes on waiting when another one tells something', async () => {
  const [a, b] = project.links
  if (!a || !b) throw new Error('two machines are expected')
  const { data } = await pull(site, project, { machineCode: b.code })
  const waiting = pull(site, project, { machineCode: b.code, cursor: data.cursor, wait: 10 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await append(1)
  await appendTo(site, project.projectId, [numberRow(b, 2)])
  expect(numbersOf((await waiting).data)).toEqual([2])
})

it('a wait without rows ends with the same place', async () => {
  const { data } = await pull(site, project)
  const none = await pull(site, project, { cursor: data.cursor, wait: 1 })
  expect(none.data.rows).toEqual([])
  await append(1)
  expect(numbersOf((await pull(site, project, { cursor: none.data.cursor })).data)).toEqual([1])
})

it('few calls of a project wait at a time', async () => {
  const { data } = await pull(site, project)
  const waiting = Array.from({ length: 6 }, () => pull(site, project, { cursor: data.cursor, wait: 2 }))
  const codes = (await Promise.all(waiting)).map(({ code }) => code)
  expect(codes.filter((code) => code === '')).toHaveLength(4)
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(2)
})

it('a cursor whose rows are gone is refused with the oldest one that works', async () => {
  const { data } = await pull(site, project)
  await append(1, 2, 3)
  await site.db
    .deleteFrom('project_stream')
    .where('project_id', '=', project.projectId)
    .where('from_no', '=', 2)
    .execute()
  await append(4)
  await site.db
    .updateTable('project_streams')
    .set({ first_no: 5 })
    .where('project_id', '=', project.projectId)
    .execute()
  const refused = await pull(site, project, { cursor: data.cursor })
  expect(refused.code).toBe('CURSOR_TOO_OLD')
  expect(numbersOf((await pull(site, project, { cursor: refused.data.cursor })).data)).toEqual([4])
})

it('a cursor of before a restore is refused, whatever its number is', async () => {
  await append(1)
  const { data } = await pull(site, project)
  await withClient(site.db, raiseEpoch)
  const refused = await pull(site, project, { cursor: data.cursor })
  expect(refused.code).toBe('CURSOR_TOO_OLD')
  const again = (await pull(site, project, { cursor: refused.data.cursor })).data
  expect(numbersOf(again)).toEqual([0, 1])
  // Its numbers are given to other rows as well, which must not be taken for those that a receiver has.
  const ids = [...data.rows, ...again.rows].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

it('a cursor that was changed, or is of another project, is wrong', async () => {
  const { data } = await pull(site, project)
  const other = await createProject(site.db, (await site.createUser()).userId, [])
  expect((await pull(site, other, { cursor: data.cursor })).code).toBe('CURSOR_WRONG')
  for (const cursor of ['x', data.cursor.slice(1), `${data.cursor}A`, data.cursor.replace(/^./, '_')])
    expect([cursor, (await pull(site, project, { cursor })).code]).toEqual([cursor, 'CURSOR_WRONG'])
})

it('rows of a link that ended are passed over', async () => {
  const { data } = await pull(site, project)
  await append(1)
  await site.db
    .updateTable('project_machines')
    .set({ stop: 'rightLost', ended_at: new Date() })
    .where('id', '=', project.links[0]?.linkId ?? 0)
    .execute()
  await changed(site.db, project.projectId)
  await expect
    .poll(async () => numbersOf((await pull(site, project, { cursor: data.cursor })).data))
    .toEqual([])
})

it('a used quota is refused after the page before is counted', async () => {
  await append(1)
  const { data } = await pull(site, project)
  const month = new Date().toISOString().slice(0, 8).concat('01')
  await site.db
    .insertInto('project_usage')
    .values({ project_id: project.projectId, month, rows: 199_999, told: 95 })
    .execute()
  expect((await pull(site, project, { cursor: data.cursor })).code).toBe('QUOTA_OVER')
  expect(await usedRows()).toBe(200_000)
})

it('a project that does not report is refused', async () => {
  await site.db
    .updateTable('projects')
    .set({ is_reporting: false })
    .where('id', '=', project.projectId)
    .execute()
  expect((await pull(site, project)).code).toBe('PROJECT_NOT_REPORTING')
})

it('both keys of a change work, and no other one', async () => {
  await site.db
    .updateTable('project_keys')
    .set({ ends_at: new Date(Date.now() + 60_000) })
    .where('project_id', '=', project.projectId)
    .execute()
  await addKey(site.db, project.projectId, 'the new one')
  for (const key of [project.key, 'the new one'])
    expect((await pull(site, { ...project, key })).code).toBe('')
  const wrong = await pull(site, { ...project, key: 'no' })
  expect([wrong.status, wrong.code]).toEqual([401, 'PROJECT_KEY_WRONG'])
})

it('rows go out as they are stored, in the usual envelope', async () => {
  const [link] = project.links
  if (!link) throw new Error('a project without machines')
  const row = numberRow(link, 1)
  await appendTo(site, project.projectId, [{ ...row, text: row.text.replace('"n":1}', '"n":1.50}') }])
  const response = await fetch(`${site.url}/api/project/v1/data`, {
    headers: { authorization: project.authorization },
  })
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  const { projectId } = project
  const epoch = (await streamsOf(site).heads([projectId])).get(projectId)?.epoch.slice(0, 8)
  expect(text).toContain(`{"id":"${projectId}-${epoch}-2",${row.text.slice(0, -3)}1.50}}`)
  const { cursor } = (await pull(site, project)).data
  expect(JSON.parse(text)).toEqual({
    ...{ hwcode: 0, hwreason: 'OK' },
    hwdata: {
      rows: [
        expect.objectContaining({ id: `${projectId}-${epoch}-1` }),
        expect.objectContaining({ values: { n: 1.5 } }),
      ],
      cursor,
    },
  })
})

it('a call that waits gets no row after its key has ended', async () => {
  const { data } = await pull(site, project)
  const waiting = pull(site, project, { cursor: data.cursor, wait: 10 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await site.db.deleteFrom('project_keys').where('project_id', '=', project.projectId).execute()
  await append(1)
  expect((await waiting).code).toBe('PROJECT_KEY_WRONG')
})

it('long pages are compressed for callers who take that', async () => {
  await append(...Array.from({ length: 200 }, (_, index) => index))
  const response = await fetch(`${site.url}/api/project/v1/data`, {
    headers: { authorization: project.authorization, 'accept-encoding': 'gzip' },
  })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(((await response.json()) as { hwdata: { rows: unknown[] } }).hwdata.rows).toHaveLength(201)
})
