import { randomBytes } from 'node:crypto'
import type { TestMachine } from '@busbar/testkit/builders.ts'
import type { TestSite } from '@busbar/testkit/test-site.ts'
import { expect } from 'vitest'
import { type Database, withTransaction } from '../../src/kernel/database/database.ts'
import { recordRightChanges } from '../../src/kernel/rights/right-changes.ts'
import { hashToken } from '../../src/modules/accounts/index.ts'
import type { NewRow } from '../../src/modules/project-stream/index.ts'
import { ProjectStreams } from '../../src/modules/project-stream/stream-store.ts'

/** A project of a person with machines, whose rows a test appends itself. */
export interface TestProject {
  readonly projectId: number
  readonly key: string
  /** Of each machine, in their order. */
  readonly links: readonly { readonly linkId: number; readonly machineId: number; readonly code: string }[]
  /** The authorization of a call. */
  readonly authorization: string
}

export async function createProject(
  db: Database,
  ownerId: number,
  machines: readonly TestMachine[],
  more: { readonly mayWrite?: boolean } = {},
): Promise<TestProject> {
  const at = new Date()
  const key = randomBytes(32).toString('hex')
  const { id: projectId } = await db
    .insertInto('projects')
    .values({ user_id: ownerId, name: 'ERP', may_write: more.mayWrite ?? false, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('project_members')
    .values({ project_id: projectId, user_id: ownerId, level: 3, invited_at: at, accepted_at: at })
    .execute()
  await addKey(db, projectId, key)
  const links: TestProject['links'][number][] = []
  for (const { machineId, code } of machines) {
    const { id: linkId } = await db
      .insertInto('project_machines')
      .values({ project_id: projectId, machine_id: machineId, linked_by: ownerId, linked_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    links.push({ linkId, machineId, code })
  }
  await changed(db, projectId)
  const authorization = `Basic ${Buffer.from(`${projectId}:${key}`).toString('base64')}`
  return { projectId, key, links, authorization }
}

export async function addKey(db: Database, projectId: number, key: string): Promise<void> {
  await db
    .insertInto('project_keys')
    .values({ project_id: projectId, hash: hashToken(key), sealed: Buffer.alloc(1), created_at: new Date() })
    .execute()
}

/** Removes a project whose connections may still store their places: after a deadlock again, as the product does. */
export const removeProject = (db: Database, projectId: number): Promise<unknown> =>
  withTransaction(db, (trx) => trx.deleteFrom('projects').where('id', '=', projectId).execute())

/** Tells every process that something of a project changed. */
export async function changed(db: Database, projectId: number): Promise<void> {
  await db.transaction().execute((trx) => recordRightChanges(trx, [{ projectId, reason: 'project' }]))
}

/** A row in which a machine's only variable has a number. */
export function numberRow({ linkId, machineId, code }: TestProject['links'][number], n: number): NewRow {
  const time = Date.now()
  const head = `"machineCode":"${code}","machineName":"Machine","group":"press","time":${time},"receivedAt":${time}`
  return { linkId, machineId, kind: 'row', time, late: false, text: `${head},"values":{"n":${n}}}` }
}

/** Appends rows to the stream of a project. */
export async function appendTo(site: TestSite, projectId: number, rows: readonly NewRow[]): Promise<void> {
  const { db: samplesDb, platform } = site
  await new ProjectStreams({ samplesDb, bus: platform.bus, now: Date.now }).append(projectId, rows)
}

export interface PulledPage {
  readonly rows: {
    readonly id: string
    readonly values?: { readonly n: number }
    readonly machineCode?: string
  }[]
  readonly cursor: string
}

/** Calls for rows; `code` is empty without a refusal. */
export async function pull(
  site: TestSite,
  { projectId, key }: Pick<TestProject, 'projectId' | 'key'>,
  request: Record<string, string | number> = {},
): Promise<{ readonly status: number; readonly code: string; readonly data: PulledPage }> {
  const query = new URLSearchParams(Object.entries(request).map(([name, value]) => [name, String(value)]))
  const response = await fetch(`${site.url}/api/project/v1/data?${query}`, {
    headers: { authorization: `Basic ${Buffer.from(`${projectId}:${key}`).toString('base64')}` },
  })
  const { hwcode, hwreason, hwdata } = (await response.json()) as {
    hwcode: number
    hwreason: string
    hwdata: PulledPage
  }
  return { status: response.status, code: hwcode === 0 ? '' : hwreason, data: hwdata }
}

/** The numbers of pulled rows. */
export const numbersOf = ({ rows }: PulledPage): number[] => rows.flatMap(({ values }) => values?.n ?? [])

/** Resolves when this process knows the links of a project. */
export async function untilKnown(site: TestSite, project: TestProject): Promise<void> {
  const [link] = project.links
  if (!link) return
  await appendTo(site, project.projectId, [numberRow(link, 0)])
  await expect.poll(async () => (await pull(site, project)).data?.rows.length, { timeout: 10_000 }).toBe(1)
  // The pulls of this wait are not counted.
  await site.db.deleteFrom('project_pulls').where('project_id', '=', project.projectId).execute()
  await site.db.deleteFrom('project_usage').where('project_id', '=', project.projectId).execute()
}
