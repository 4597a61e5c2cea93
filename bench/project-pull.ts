import { projects } from '@busbar/contract'
import { ProjectStreams } from '@busbar/platform/modules/project-stream/stream-store.ts'
import { createMachine, createUser, startTestPlatform } from '@busbar/testkit'
import { startTestPostgres } from '@busbar/testkit/test-postgres.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'

/* Pulls of a project's rows by a program: pages of 10,000, one after the other, each counted by the next one. */

const pageRows = 10_000
const pages = 60
const warmUp = 5
const valuesPerRow = 10

console.log(describeMachine())
const stopServer = await startTestPostgres()
const site = await startTestPlatform()
try {
  const owner = await createUser(site.db)
  const { call } = site.as(owner)
  const { id: projectId } = await call(projects.createProject, { name: 'ERP' })
  const machines = await Promise.all(
    Array.from({ length: 20 }, () => createMachine(site.db, { owner: owner.userId })),
  )
  for (const { machineId } of machines) await call(projects.addProjectMachine, { id: projectId, machineId })
  const [project] = await call(projects.listProjects, { id: projectId })
  const links = project?.machines ?? []
  const { db: samplesDb, platform } = site
  const streams = new ProjectStreams({ samplesDb, bus: platform.bus, now: Date.now })
  let made = 0
  while (made < pageRows * pages) {
    const rows = Array.from({ length: 1_000 }, () => {
      const {
        linkId,
        machine_id: machineId,
        machine_code: code,
      } = links[made % links.length] as (typeof links)[number]
      const time = 1_700_000_000_000 + made++ * 10
      const values = Array.from({ length: valuesPerRow }, (_, tag) => `"value ${tag}":${made + tag / 10}`)
      const head = `"machineCode":"${code}","machineName":"Machine","group":"","time":${time},"receivedAt":${time + 3}`
      return {
        linkId,
        machineId,
        kind: 'row' as const,
        time,
        late: false,
        text: `${head},"values":{${values}}}`,
      }
    })
    await streams.append(projectId, rows)
  }
  const authorization = `Basic ${Buffer.from(`${projectId}:${project?.secret_key}`).toString('base64')}`
  const times: number[] = []
  let cursor: string | undefined
  let bytes = 0
  for (let page = -warmUp; page < pages - warmUp; page++) {
    const query = new URLSearchParams({
      limit: String(pageRows),
      ...(cursor === undefined ? {} : { cursor }),
    })
    const beganAt = performance.now()
    const response = await fetch(`${site.url}/api/project/v1/data?${query}`, { headers: { authorization } })
    const text = await response.text()
    if (page >= 0) times.push(performance.now() - beganAt)
    const { hwdata } = JSON.parse(text) as { hwdata: { rows: unknown[]; cursor: string } }
    if (hwdata.rows.length !== pageRows) throw new Error(`${hwdata.rows.length} rows: ${text.slice(0, 200)}`)
    cursor = hwdata.cursor
    bytes = text.length
  }
  times.sort((a, b) => a - b)
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
  const size = `${(bytes / 1e6).toFixed(1)} MB, ${valuesPerRow} values a row`
  printRows([
    {
      what: `a page of 10,000 rows, compressed as fetch asks for (${size}): p50`,
      figure: `${p50.toFixed(0)} ms`,
      target: '',
    },
    { what: 'the same: p95', figure: `${p95.toFixed(0)} ms`, target: '< 300 ms', met: p95 < 300 },
  ])
} finally {
  await site.stop()
  await stopServer()
}
