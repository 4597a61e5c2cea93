import { useSite } from '@busbar/testkit/test-site.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  changed,
  createProject,
  type PulledPage,
  pull,
  removeProject,
  type TestProject,
} from '../../../test-support/project-data/project-rig.ts'
import { sample } from '../../../test-support/telemetry/test-store.ts'
import { HistoryCursors } from './history-cursor.ts'
import { PullHistory } from './pull-history.ts'

const site = useSite()
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The beginning of a minute some hours ago. */
const begin = Math.floor(Date.now() / hourMs) * hourMs - 5 * hourMs
let project: TestProject

beforeEach(async () => {
  project = await create()
})

afterEach(() => removeProject(site.db, project.projectId))

/** A project of two machines that were in it before `begin`, and tells each change. */
async function create(): Promise<TestProject> {
  const owner = await site.createUser()
  const machines = [
    await site.createMachine({ owner: owner.userId }),
    await site.createMachine({ owner: owner.userId }),
  ]
  const created = await createProject(site.db, owner.userId, machines)
  await setProject(created, { everyS: 0, linkedAt: begin - hourMs })
  return created
}

async function setProject(
  { projectId }: TestProject,
  { everyS, linkedAt }: { readonly everyS: number; readonly linkedAt: number },
): Promise<void> {
  await site.db.updateTable('projects').set({ every_s: everyS }).where('id', '=', projectId).execute()
  await site.db
    .updateTable('project_machines')
    .set({ linked_at: new Date(linkedAt) })
    .where('project_id', '=', projectId)
    .execute()
  await changed(site.db, projectId)
}

/** Stores numbers of a machine in the past, by the time after `begin`. */
async function tell(place: number, numbers: Readonly<Record<number, number>>): Promise<void> {
  const samples = Object.entries(numbers).map(([after, n]) =>
    sample('n', n, { time: begin + Number(after), late: true }),
  )
  await site.platform.telemetry.append(project.links[place]?.machineId ?? 0, samples)
}

const span = (more: Record<string, string | number> = {}) => ({
  from: begin,
  to: begin + 4 * hourMs,
  ...more,
})

/** All pages of a span. */
async function pullAll(request: Record<string, string | number>): Promise<PulledPage['rows'][]> {
  const pages: PulledPage['rows'][] = []
  for (let cursor = ''; ; ) {
    const { code, data } = await pull(site, project, cursor === '' ? request : { ...request, cursor })
    expect(code).toBe('')
    pages.push(data.rows)
    cursor = data.cursor
    if (cursor === '') return pages
  }
}

const told = (rows: PulledPage['rows']) => rows.map(({ machineCode, values }) => [machineCode, values?.n])

async function usedRows(): Promise<number> {
  const rows = await site.db
    .selectFrom('project_usage')
    .select('rows')
    .where('project_id', '=', project.projectId)
    .execute()
  return rows.reduce((sum, { rows }) => sum + Number(rows), 0)
}

it('a span of history is told machine by machine and by time, page by page, and each page counts', async () => {
  const [a, b] = project.links
  await tell(1, { 1000: 4, [2 * hourMs]: 5 })
  await tell(0, { [3 * hourMs]: 3, 1000: 1, 2000: 2, [4 * hourMs]: 9 })
  const pages = await pullAll(span({ limit: 2 }))
  expect(pages.map(told)).toEqual([
    [
      [a?.code, 1],
      [a?.code, 2],
    ],
    [
      [a?.code, 3],
      [b?.code, 4],
    ],
    [[b?.code, 5]],
  ])
  expect(pages[0]?.[0]).toMatchObject({
    ...{ id: `${project.projectId}-h${a?.linkId}-${begin + 1_000}`, time: begin + 1_000, late: true },
  })
  expect(await usedRows()).toBe(5)
  expect(told((await pullAll(span({ machineCode: b?.code ?? '' }))).flat())).toEqual([
    [b?.code, 4],
    [b?.code, 5],
  ])
  expect(await usedRows()).toBe(7)
})

it('nothing of the time before a machine came to the project is told', async () => {
  await tell(0, { 1000: 1, [hourMs]: 2 })
  await setProject(project, { everyS: 0, linkedAt: begin + minuteMs })
  expect(told((await pullAll(span())).flat())).toEqual([[project.links[0]?.code, 2]])
})

it('intervals are whole wherever a page or a read of history ends', async () => {
  const numbers = Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [n * 100_000 + 10_000, n]).filter(([ms = 0]) => ms < 3 * hourMs),
  )
  await tell(0, numbers)
  await setProject(project, { everyS: 900, linkedAt: begin - hourMs })
  const request = {
    from: begin + 10_000,
    to: begin + 3 * hourMs - 1,
    machineCode: project.links[0]?.code ?? '',
  }
  const whole = (await pullAll(request)).flat()
  expect(whole).toHaveLength(12)
  const means = whole.map((row) => (row as { stats?: { n: { mean: number } } }).stats?.n.mean)
  expect(means).toEqual([4, 13, 22, 31, 40, 49, 58, 67, 76, 85, 94, 103])
  expect((await pullAll({ ...request, limit: 1 })).flat()).toEqual(whole)
  expect((await pullAll({ ...request, limit: 5 })).flat()).toEqual(whole)
})

it('a span without a beginning, of the future, or of more than 31 days is refused', async () => {
  const refusal = async (request: Record<string, number>) => (await pull(site, project, request)).code
  const now = Date.now()
  expect(await refusal({ to: now - 1 })).toBe('HISTORY_SPAN')
  expect(await refusal({ from: now - 1, to: now - 1 })).toBe('HISTORY_SPAN')
  expect(await refusal({ from: now - 1, to: now + hourMs })).toBe('HISTORY_SPAN')
  expect(await refusal({ from: now - 32 * 24 * hourMs, to: now - 1 })).toBe('HISTORY_SPAN')
  expect(await refusal({ from: now - 31 * 24 * hourMs, to: now - 1 })).toBe('')
})

it('a cursor of history works for its project and machine alone', async () => {
  await tell(0, { 1000: 1, 2000: 2 })
  const { cursor } = (await pull(site, project, span({ limit: 1 }))).data
  expect(cursor).not.toBe('')
  expect((await pull(site, await create(), { cursor })).code).toBe('CURSOR_WRONG')
  const [a] = project.links
  expect((await pull(site, project, { cursor, machineCode: a?.code ?? '' })).code).toBe('CURSOR_WRONG')
  expect((await pull(site, project, { cursor: `${cursor.slice(0, -2)}AA` })).code).toBe('CURSOR_WRONG')
  expect(told((await pull(site, project, { cursor })).data.rows)).toEqual([[a?.code, 2]])
})

it('rows end with the quota, and nothing goes out uncounted', async () => {
  await tell(0, { 1000: 1, 2000: 2, 3000: 3 })
  const month = new Date().toISOString().slice(0, 8).concat('01')
  await site.db
    .insertInto('project_usage')
    .values({ project_id: project.projectId, month, rows: 199_998, told: 95 })
    .execute()
  const first = await pull(site, project, span())
  expect(told(first.data.rows).map(([, n]) => n)).toEqual([1, 2])
  expect((await pull(site, project, { cursor: first.data.cursor })).code).toBe('QUOTA_OVER')
  expect((await pull(site, project, span())).code).toBe('QUOTA_OVER')
  expect(await usedRows()).toBe(200_000)
})

it('a machine whose link ended, or that is not of the project, tells nothing', async () => {
  await tell(0, { 1000: 1 })
  const stranger = await site.createMachine({ owner: (await site.createUser()).userId })
  await site.platform.telemetry.append(stranger.machineId, [sample('n', 9, { time: begin, late: true })])
  expect((await pullAll(span({ machineCode: stranger.code }))).flat()).toEqual([])
  expect((await pullAll(span())).flat()).toHaveLength(1)
  await site.db
    .updateTable('project_machines')
    .set({ stop: 'rightLost', ended_at: new Date() })
    .where('id', '=', project.links[0]?.linkId ?? 0)
    .execute()
  await changed(site.db, project.projectId)
  await expect.poll(async () => (await pullAll(span())).flat(), { timeout: 10_000 }).toEqual([])
})

it('a link that ends while history is read takes its rows with it', async () => {
  let isActive = true
  const history = createHistory({
    isActive: () => isActive,
    readSamples: async () => {
      isActive = false
    },
  })
  await tell(0, { 1000: 1 })
  expect((await history.pull(pullOf(project))).rows).toEqual([])
  expect(await usedRows()).toBe(0)
})

it('one of a person’s pulls reads history at a time, and others’ go on beside it', async () => {
  await tell(0, { 1000: 1 })
  const [began, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reads = 0
  const history = createHistory({
    readSamples: async () => {
      reads++
      began.resolve()
      if (reads === 1) await goOn.promise
    },
  })
  const first = history.pull(pullOf(project))
  await began.promise
  const refused = history.pull(pullOf(project)).then(
    () => '',
    ({ code }: { code: string }) => code,
  )
  const other = await create()
  expect((await history.pull({ ...pullOf(other), machineCode: '' })).rows).toEqual([])
  expect(await refused).toBe('429')
  goOn.resolve()
  expect((await first).rows).toHaveLength(1)
})

const pullOf = ({ projectId }: TestProject) => ({
  ...{ projectId, machineCode: '', cursor: undefined, limit: 10, signal: AbortSignal.timeout(30_000) },
  ...{ from: begin, to: begin + hourMs },
})

/** A service whose reads of history begin with a test's own function. */
function createHistory(fakes: {
  readonly isActive?: () => boolean
  readonly readSamples: () => Promise<void>
}): PullHistory {
  const { db, platform } = site
  const { telemetry } = platform
  return new PullHistory({
    ...{ db, now: Date.now, cursors: new HistoryCursors(Buffer.alloc(32)) },
    telemetry: {
      readSamples: async (...read) => {
        await fakes.readSamples()
        return telemetry.readSamples(...read)
      },
    },
    links: {
      isActive: fakes.isActive ?? (() => true),
      isTrusted: () => true,
      catchUp: async () => undefined,
      listPlans: () => [
        {
          ...{ projectId: project.projectId, everyS: 0, variables: null },
          links: project.links.slice(0, 1).map(({ code, ...link }) => ({
            ...{ ...link, machineCode: code, machineName: 'M', linkedAt: new Date(0) },
          })),
        },
      ],
    },
    quota: platform.projects.quota,
  })
}
