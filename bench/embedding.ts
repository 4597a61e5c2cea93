import { projectData, projects } from '@busbar/contract'
import { callHost, createMachine, createUser, openTestTunnel, startTestPlatform } from '@busbar/testkit'
import { startTestPostgres } from '@busbar/testkit/test-postgres.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'

/* A device's page in a portal: from the call of the portal's server to the first bytes of the frame, and of the
   machine's page in it. The agent is ours and answers at once; all of it in one process. */

const rounds = 200
const warmUp = 20
const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', accept: 'text/html' }

console.log(describeMachine())
const stopServer = await startTestPostgres()
const site = await startTestPlatform({
  PUBLIC_URL: 'https://console.example',
  VISIT_HOST: 'machines.example',
})
try {
  const owner = await createUser(site.db)
  const machine = await createMachine(site.db, { owner: owner.userId })
  await openTestTunnel(site, machine, (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/html' })
    stream.end('<h1>the page</h1>')
  })
  const { call } = site.as(owner)
  const { id } = await call(projects.createProject, { name: 'MES' })
  await call(projects.addProjectMachine, { id, machineId: machine.machineId })
  await call(projects.updateProject, {
    id,
    enable_get_visit_url: true,
    origins: ['https://portal.example'],
  })
  const [project] = await call(projects.listProjects, { id })
  const question = {
    privateKey: project?.secret_key ?? '',
    account: owner.email,
    machineCode: machine.code,
  }
  const host = `${machine.code}.machines.example`
  const times: Record<'ask' | 'open' | 'page', number[]> = { ask: [], open: [], page: [] }
  for (let round = -warmUp; round < rounds; round++) {
    const beganAt = performance.now()
    const { url } = await site.as(undefined).call(projectData.getEmbeddedVisit, question)
    const askedAt = performance.now()
    const { pathname, search } = new URL(url)
    const opened = await callHost(site, {
      host,
      path: `${pathname}${search}`,
      headers: { ...frame, 'sec-fetch-site': 'cross-site' },
    })
    const openedAt = performance.now()
    const cookie = opened.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
    const page = await callHost(site, {
      host,
      path: '/',
      headers: { ...frame, 'sec-fetch-site': 'same-origin', cookie },
    })
    if (!page.text.includes('the page')) throw new Error(`${page.status} ${page.text}`)
    if (round < 0) continue
    times.ask.push(askedAt - beganAt)
    times.open.push(openedAt - askedAt)
    times.page.push(performance.now() - openedAt)
  }
  const row = (what: string, all: number[]) => {
    all.sort((a, b) => a - b)
    const [p50, p95] = [quantile(all, 0.5), quantile(all, 0.95)]
    return { what, figure: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`, target: '' }
  }
  printRows([
    row('the call for an address', times.ask),
    row('the address to the page of the frame, its visit opened', times.open),
    row('the machine’s page in it', times.page),
  ])
} finally {
  await site.stop()
  await stopServer()
}
