import { createClient, projectData, projects } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, proveSession, type TestMachine, type TestUser } from '@busbar/testkit'
import { launchBrowser, resolveTool } from '@busbar/testkit/browser.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Context, Firefox } from './firefox.ts'
import { type ModbusRig, startModbusRig } from './modbus-rig.ts'
import { type Nginx, proxyNames, startNginx } from './nginx.ts'
import { type Portal, portalName, startPortal } from './portal.ts'
import { type OwnSite, startSite } from './site.ts'

/* A machine's page in the page of a project's portal, on another domain and over https, in two browsers. */

const deadlineMs = 10_000
const wrongPlace = 'https://other.mes.example'

let nginx: Nginx
let site: OwnSite
let browser: Browser
let db: Database
let portal: Portal
let modbusRig: ModbusRig
let owner: TestUser
let machine: TestMachine
let project: { readonly id: number; readonly key: string }

let platformUrl: string

/** Calls as a portal's server and a program do, beside the proxy. */
const as = ({ token }: TestUser) =>
  createClient({ baseUrl: platformUrl, lang: () => 'en', token: () => token })

beforeAll(async () => {
  const platformPort = await findFreePort('127.0.0.1')
  const mqttPort = await findFreePort('127.0.0.1')
  nginx = await startNginx(platformPort, mqttPort)
  platformUrl = `http://127.0.0.1:${platformPort}`
  site = await startSite({
    env: {
      PORT: String(platformPort),
      PUBLIC_URL: `https://${proxyNames.console}:${nginx.port}`,
      VISIT_HOST: `${proxyNames.visits}:${nginx.port}`,
      TRUSTED_PROXIES: '127.0.0.1',
      MQTT_PORT: String(mqttPort),
      MQTT_PROXY_PROTOCOL: '1',
    },
  })
  const hosts = [proxyNames.console, `*.${proxyNames.visits}`, portalName, new URL(wrongPlace).hostname]
  browser = await launchBrowser({
    args: [
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join()}`,
      `--ignore-certificate-errors-spki-list=${nginx.keyHashes.join()}`,
    ],
  })
  portal = await startPortal(nginx.caFile)
  db = await site.openDatabase()
  owner = await createUser(db, { name: 'Ann Wang', lang: 'en' })
  machine = await createMachine(db, { name: 'Pasteuriser 1', owner: owner.userId })
  modbusRig = await startModbusRig(site, machine, {
    cloudUrl: `wss://localhost:${nginx.port}/mqtt`,
    env: { NODE_EXTRA_CA_CERTS: nginx.caFile },
  })
  modbusRig.setHoldTemperature(72.5)
  await modbusRig.startAgent()
  project = await createEmbeddingProject()
})

afterAll(async () => {
  await modbusRig?.close()
  await portal?.close()
  await db?.destroy()
  await browser?.close()
  await site?.stop()
  await nginx?.close()
})

async function createEmbeddingProject() {
  const { call } = as(owner)
  const { id } = await call(projects.createProject, { name: 'MES' })
  await call(projects.addProjectMachine, { id, machineId: machine.machineId })
  await call(projects.updateProject, { id, enable_get_visit_url: true, origins: [portal.origin] })
  const [made] = await call(projects.listProjects, { id })
  return { id, key: made?.secret_key ?? '' }
}

/** An address for one use, as the portal's server asks for it. */
async function askAddress(): Promise<string> {
  const { url } = await as(owner).call(projectData.getEmbeddedVisit, {
    privateKey: project.key,
    account: owner.email,
    machineCode: machine.code,
  })
  return url
}

async function openPortal(framed: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(portal.pageWith(framed))
  return page
}

/** The platform's page in the portal, and the machine's page in that. */
function framesOf(page: Page): { readonly outer: FrameLocator; readonly inner: FrameLocator } {
  const outer = page.frameLocator('iframe')
  return { outer, inner: outer.frameLocator('iframe') }
}

it('shows live values in another site’s page, read-only, and says at once when the consent ends', async () => {
  const page = await openPortal(await askAddress())
  const { outer, inner } = framesOf(page)
  await inner.getByText('72.5').first().waitFor({ timeout: deadlineMs })
  await outer.getByText('Read-only').waitFor()
  // The machine's page reads what is around it, and finds no way for another browser into the visit.
  expect(await outer.locator('a').count()).toBe(0)
  modbusRig.setHoldTemperature(81.3)
  await inner.getByText('81.3').first().waitFor({ timeout: deadlineMs })
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name, sameSite, secure }) => ({ name, sameSite, secure }))).toEqual([
    { name: '__Host-visit-frame', sameSite: 'None', secure: true },
  ])

  await as(owner).call(projects.withdrawMachine, { machineId: machine.machineId, id: project.id })
  await outer.getByRole('alert').getByText('You no longer have access').waitFor({ timeout: deadlineMs })
  expect(await outer.locator('iframe').count()).toBe(0)
  await as(owner).call(projects.addProjectMachine, { id: project.id, machineId: machine.machineId })
})

it('an address opens once, and a frame that is loaded again goes on', async () => {
  const address = await askAddress()
  const page = await openPortal(address)
  await framesOf(page)
    .inner.getByText(/\d+\.\d/)
    .first()
    .waitFor({ timeout: deadlineMs })
  await page.reload()
  await framesOf(page)
    .inner.getByText(/\d+\.\d/)
    .first()
    .waitFor({ timeout: deadlineMs })
  const stranger = await openPortal(address)
  await framesOf(stranger).outer.getByText('This address is used up').waitFor({ timeout: deadlineMs })
})

it('the page of a site that the project does not list shows nothing of it', async () => {
  await as(owner).call(projects.updateProject, { id: project.id, origins: [wrongPlace] })
  onTestFinished(async () => {
    await as(owner).call(projects.updateProject, { id: project.id, origins: [portal.origin] })
  })
  const page = await openPortal(await askAddress())
  const refused = page.waitForEvent('console', {
    predicate: (message) => message.text().includes('frame-ancestors'),
    timeout: deadlineMs,
  })
  await page.reload()
  await refused
})

it('ends with the key, and another key opens it again', async () => {
  const page = await openPortal(await askAddress())
  const { outer, inner } = framesOf(page)
  await inner
    .getByText(/\d+\.\d/)
    .first()
    .waitFor({ timeout: deadlineMs })
  await proveSession(db, owner.sessionId)
  const { secret_key } = await as(owner).call(projects.resetProjectKey, { id: project.id, endNow: true })
  await outer.getByRole('alert').getByText('You no longer have access').waitFor({ timeout: deadlineMs })
  project = { ...project, key: secret_key }
  const next = await openPortal(await askAddress())
  await framesOf(next)
    .inner.getByText(/\d+\.\d/)
    .first()
    .waitFor({ timeout: deadlineMs })
})

it('Debian’s Firefox shows it, too, and says when it is over', async () => {
  const visitHost = `${machine.code}.${proxyNames.visits}`
  const firefox = await Firefox.launch(resolveTool('firefox'), [portalName, visitHost])
  onTestFinished(() => firefox.close())
  await firefox.open(portal.pageWith(await askAddress()))
  const textOf = async (depth: number): Promise<unknown> => {
    let at: Context | undefined = await firefox.tab()
    for (let level = 0; level < depth; level++) at = at?.children[0]
    return at && firefox.evaluate(at, 'document.body.innerText').catch(() => undefined)
  }
  await expect.poll(() => textOf(2), { timeout: deadlineMs }).toMatch(/\d+\.\d/)
  expect(await textOf(1)).toContain('Read-only')
  await as(owner).call(projects.updateProject, { id: project.id, enable_get_visit_url: false })
  await expect.poll(() => textOf(1), { timeout: deadlineMs }).toContain('You no longer have access')
})
