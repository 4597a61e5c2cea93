import { destinations as contract, type RequestOf } from '@busbar/contract'
import type { TestMachine } from '@busbar/testkit'
import type { Receiver } from '@busbar/testkit/receiver.ts'
import type { TestSite } from '@busbar/testkit/test-site.ts'
import { createBus } from '../../src/kernel/bus/bus.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import { recordRightChange } from '../../src/kernel/rights/right-changes.ts'
import type { NewRow } from '../../src/modules/project-stream/index.ts'
import { ProjectStreams } from '../../src/modules/project-stream/stream-store.ts'

/** A project with machines, of the person who owns them. */
export interface ReportingProject {
  readonly projectId: number
  readonly owner: Awaited<ReturnType<TestSite['createUser']>>
  readonly links: readonly (TestMachine & { readonly linkId: number })[]
}

export const streamsOf = (site: Pick<TestSite, 'db'>) =>
  new ProjectStreams({ samplesDb: site.db, bus: createBus(silentLogger), now: Date.now })

export async function createReportingProject(
  site: Pick<TestSite, 'db' | 'createUser' | 'createMachine'>,
  machines = 1,
  ofOwner?: ReportingProject['owner'],
): Promise<ReportingProject> {
  const { db } = site
  const owner = ofOwner ?? (await site.createUser())
  const at = new Date()
  const { id: projectId } = await db
    .insertInto('projects')
    .values({ user_id: owner.userId, name: 'Portal', created_at: at, every_s: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('project_members')
    .values({ project_id: projectId, user_id: owner.userId, level: 3, invited_at: at, accepted_at: at })
    .execute()
  const links = []
  for (let n = 0; n < machines; n++) {
    const machine = await site.createMachine({ owner: owner.userId })
    const { id: linkId } = await db
      .insertInto('project_machines')
      .values({
        project_id: projectId,
        machine_id: machine.machineId,
        linked_by: owner.userId,
        linked_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    links.push({ linkId, ...machine })
  }
  await recordRightChange(db, { projectId, reason: 'project' })
  return { projectId, owner, links }
}

/** Appends rows as if machines had told them: row n is of machine n modulo their number. */
export function appendTold(
  site: Pick<TestSite, 'db'>,
  project: ReportingProject,
  count: number,
): Promise<void> {
  return appendRows(
    site,
    project,
    Array.from({ length: count }, (_, n) => `"values":{"n":${n}}`),
  )
}

/** Appends rows with these ends, as members of JSON. */
export async function appendRows(
  site: Pick<TestSite, 'db'>,
  project: ReportingProject,
  ends: readonly string[],
): Promise<void> {
  const rows = ends.map((end, n): NewRow => {
    const { linkId, machineId, code } = project.links[n % project.links.length] as (typeof project.links)[0]
    const time = Date.now()
    const text = `"machineCode":"${code}","machineName":"M","group":"g","time":${time},"receivedAt":${time},${end}}`
    return { linkId, machineId, kind: 'row', time, late: false, text }
  })
  await streamsOf(site).append(project.projectId, rows)
}

/** A webhook to a receiver of the test. */
export async function createWebhook(
  site: TestSite,
  { projectId, owner }: ReportingProject,
  receiver: Pick<Receiver, 'url'>,
  settings: Partial<RequestOf<typeof contract.createDestination>> = {},
) {
  return site.as(owner).call(contract.createDestination, {
    ...{ id: projectId, name: 'MES', type: 'webhook', url: receiver.url },
    ...settings,
  })
}

/** A destination that is a broker of theirs. */
export async function createBroker(
  site: TestSite,
  { projectId, owner }: ReportingProject,
  { url }: { readonly url: string },
  mqtt: Partial<NonNullable<RequestOf<typeof contract.createDestination>['mqtt']>> = {},
  format: contract.RowFormat = 'json',
) {
  return site.as(owner).call(contract.createDestination, {
    ...{ id: projectId, name: 'Broker', type: 'mqtt', url, format },
    mqtt: { topic: 'factory/{machineCode}', ...mqtt },
  })
}
