import { projects } from '@busbar/contract'
import {
  createReportingProject,
  streamsOf,
} from '@busbar/platform/test-support/destinations/reporting-project.ts'
import { parseRow } from '@busbar/platform/test-support/project-stream/stream-rig.ts'
import { sample } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const site = useSite()

test('values of a project’s machines reach its stream, those of others do not, and they end with the link', async () => {
  const { projectId, owner, links } = await createReportingProject(site)
  const machineId = links[0]?.machineId ?? 0
  const client = site.as(owner)
  const other = await site.createMachine({ owner: owner.userId })
  const { telemetry } = site.platform
  const values = async () => {
    const rows = await streamsOf(site).read(projectId, 0, { maxRows: 100, maxBytes: 1e6 })
    return rows.filter(({ kind }) => kind === 'row').map((row) => parseRow(row).values)
  }
  const isReading = async () =>
    (await sql<{ is: boolean }>`select is_reading as is from project_stream_reader`.execute(site.db)).rows[0]
      ?.is
  await expect.poll(isReading).toBe(true)
  await telemetry.append(other.machineId, [sample('flow', 1)])
  await telemetry.append(machineId, [sample('flow', 2), sample('heat', 3)])
  await expect.poll(values).toEqual([{ flow: 2, heat: 3 }])
  const told = await client.call(projects.listProjectMachines, { id: projectId })
  expect(told.find((row) => row.machine_id === machineId)?.lastRowAt).toBeGreaterThan(0)
  await client.call(projects.removeProjectMachine, { id: projectId, machineId })
  await expect.poll(isReading).toBe(false)
  await telemetry.append(machineId, [sample('flow', 4)])
  expect(await values()).toEqual([{ flow: 2, heat: 3 }])
})
