import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, destinations, projects } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { TheirBroker } from '@busbar/platform/test-support/destinations/their-broker.ts'
import { createMachine, type TestMachine } from '@busbar/testkit'
import { launchBrowser, resolveTool } from '@busbar/testkit/browser.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliveriesText } from '../../console/src/shared/i18n/en/project-deliveries.ts'
import { destinationsText as t } from '../../console/src/shared/i18n/en/project-destinations.ts'
import { projectsText } from '../../console/src/shared/i18n/en/projects.ts'
import { sendSamples } from './ingest.ts'
import { checkout, type OwnSite, startSite } from './site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

/*
 * The rows of a project at the programs of docs/examples, of which one receives requests, one pulls and one subscribes, and
 * at a mosquitto of their own.
 */

const desk: Look = { lang: 'en', theme: 'dark', size: 'wide' }
const outageRows = 1_000

let receiverPort: number
let brokerPort: number
let broker: TheirBroker
let site: OwnSite
let browser: Browser
let db: Database
let workDir: string
const programs: Program[] = []

beforeAll(async () => {
  receiverPort = await findFreePort('127.0.0.1')
  brokerPort = await findFreePort('127.0.0.1')
  broker = await TheirBroker.start({ port: brokerPort })
  workDir = await mkdtemp(join(tmpdir(), 'busbar-projects-'))
  const allowed = [receiverPort, brokerPort].map((port) => `* 127.0.0.1:${port}`).join(', ')
  site = await startSite({ env: { OUTGOING_ALLOWED_NETWORKS: allowed } })
  browser = await launchBrowser()
  db = await site.openDatabase()
})

afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  await broker?.stop()
  await db?.destroy()
  await browser?.close()
  await site?.stop()
  await rm(workDir, { recursive: true, force: true })
})

interface Row {
  readonly machineCode?: string
  readonly values?: { readonly count?: number }
}

/** A program that prints each row it gets, and can be killed and started again; its output goes on. */
class Program {
  readonly #path: string
  readonly #args: readonly string[]
  #child: ChildProcess | undefined
  #output = ''

  constructor(path: string, ...args: readonly string[]) {
    this.#path = path
    this.#args = args
    programs.push(this)
  }

  start(env: Readonly<Record<string, string>> = {}): void {
    this.#child = spawn(this.#path, this.#args, { cwd: workDir, env: { ...process.env, ...env } })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
  }

  async stop(): Promise<void> {
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }

  /** The counts of a machine, in the order in which the program printed it. */
  countsOf({ code }: TestMachine): number[] {
    const lines = this.#output.slice(0, this.#output.lastIndexOf('\n')).split('\n').filter(Boolean)
    const rows = lines.map((line): Row => JSON.parse(line))
    return rows.flatMap(({ machineCode, values }) =>
      machineCode === code && values?.count !== undefined ? [values.count] : [],
    )
  }
}

const example = (file: string) =>
  new Program(
    file.endsWith('.py') ? 'python3' : process.execPath,
    join(checkout, 'docs/examples/projects', file),
  )

const upTo = (count: number) => Array.from({ length: count }, (_, place) => place)

it(
  'rows reach the example receiver and a broker of their own without a hole through their outage, and the examples that pull and subscribe',
  () =>
    withView(browser, site, desk, async (view) => {
      const { page } = view
      const owner = await signInDirectly(view, site, db)
      const machines = [
        await createMachine(db, { name: 'Press 1', owner: owner.userId }),
        await createMachine(db, { name: 'Press 2', owner: owner.userId }),
      ] as const
      const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => owner.token })
      const dialog = page.getByRole('dialog')
      // Each row has a time of its own: two at one time would be one.
      const begunAt = Date.now() - 2 * outageRows
      let sent = 0
      const send = async (count: number, to: readonly TestMachine[] = machines) => {
        const samples = upTo(count).map((place) => ({
          ts: begunAt + sent + place,
          values: { count: sent + place },
        }))
        for (const machine of to) await sendSamples(site, machine, samples)
        sent += count
      }

      await page.goto('/project/?eid=0')
      await page.getByRole('button', { name: projectsText.list.add }).click()
      await dialog.getByRole('textbox', { name: projectsText.create.name }).fill('MES')
      await dialog.getByRole('button', { name: projectsText.create.submit }).click()
      await page.waitForURL(/\/project\/\d+/)
      const id = Number(/\/project\/(\d+)/.exec(page.url())?.[1])
      for (const { machineId } of machines) await client.call(projects.addProjectMachine, { id, machineId })
      // The times of the rows are earlier, and nothing of before a machine came is told.
      const since = { linked_at: new Date(begunAt) }
      await db.updateTable('project_machines').set(since).where('project_id', '=', id).execute()
      await client.call(projects.updateProject, { id, everyS: 0, report_state: 1 })

      const [{ secret_key: key = '' } = {}] = await client.call(projects.listProjects, { id })
      const login = { BUSBAR_PROJECT: String(id), BUSBAR_KEY: key }
      const puller = example('pull.py')
      puller.start({ ...login, BUSBAR_ADDRESS: site.url })
      const subscriber = example('subscribe.ts')
      subscriber.start({ ...login, BUSBAR_MQTT: site.mqttUrl })

      await client.call(destinations.createDestination, {
        ...{ id, name: 'Plant', type: 'mqtt', url: broker.url },
        mqtt: { topic: 'plant/{machineCode}' },
      })
      const plant = new Program(
        resolveTool('mosquitto_sub'),
        ...['-h', '127.0.0.1', '-p', String(brokerPort), '-t', 'plant/#', '-q', '1', '-c', '-i', 'counter'],
      )
      plant.start()

      await page.goto(`/project/${id}/destinations`)
      await page.getByRole('button', { name: t.add }).click()
      await dialog.getByRole('textbox', { name: t.name, exact: true }).fill('ERP')
      await dialog.getByRole('textbox', { name: t.url }).fill(`http://127.0.0.1:${receiverPort}/busbar`)
      await dialog.getByRole('button', { name: t.add }).click()
      const secret = (await dialog.locator('code').textContent()) ?? ''
      expect(secret).toMatch(/^whsec_/)
      await dialog.getByRole('button', { name: t.secretClose }).click()

      const receiver = example('receiver.py')
      const listen = (BUSBAR_SECRET: string) => receiver.start({ BUSBAR_SECRET, PORT: String(receiverPort) })
      listen(secret)
      await page.getByRole('button', { name: `${t.test} ERP` }).click()
      await expect
        .poll(async () => {
          await dialog.getByRole('button', { name: new RegExp(`^(${t.testSend}|${t.testAgain})$`) }).click()
          await dialog.getByRole('status').waitFor()
          return dialog.getByRole('status').textContent()
        })
        .toContain(t.testOk('HTTP 204'))
      await dialog.getByRole('button', { name: view.t.app.close, exact: true }).last().click()

      await send(10)
      for (const machine of machines) {
        await expect.poll(() => puller.countsOf(machine), { timeout: 30_000 }).toEqual(upTo(10))
        await expect.poll(() => subscriber.countsOf(machine), { timeout: 30_000 }).toEqual(upTo(10))
        await expect.poll(() => receiver.countsOf(machine), { timeout: 30_000 }).toEqual(upTo(10))
        await expect.poll(() => plant.countsOf(machine), { timeout: 30_000 }).toEqual(upTo(10))
      }

      await receiver.stop()
      await broker.away()
      await send(outageRows)
      const failing = page.getByRole('grid').getByText(t.looks.failing)
      await expect.poll(() => failing.count(), { timeout: 30_000 }).toBe(2)
      listen(secret)
      await broker.begin()
      for (const machine of machines) {
        // Each once, and in their order.
        await expect.poll(() => receiver.countsOf(machine).length, { timeout: 60_000 }).toBe(sent)
        expect(receiver.countsOf(machine)).toEqual(upTo(sent))
        // A broker that went while a row was on its way may get it twice.
        const atPlant = () => [...new Set(plant.countsOf(machine))]
        await expect.poll(() => atPlant().length, { timeout: 60_000 }).toBe(sent)
        expect(atPlant()).toEqual(upTo(sent))
        expect(puller.countsOf(machine)).toEqual(upTo(sent))
        expect(subscriber.countsOf(machine)).toEqual(upTo(sent))
      }
      await page.goto(`/project/${id}/deliveries`)
      await page.getByText(deliveriesText.states.ok).first().waitFor()

      await page.goto(`/project/${id}/destinations`)
      await page.getByRole('button', { name: /ERP/ }).and(page.locator('[aria-haspopup]')).click()
      await page.getByRole('menuitem', { name: t.reset }).click()
      await dialog.getByRole('button', { name: t.resetAction, exact: true }).click()
      const next = (await dialog.locator('code').textContent()) ?? ''
      await dialog.getByRole('button', { name: t.secretClose }).click()
      await send(1)
      await expect.poll(() => receiver.countsOf(machines[0]).at(-1), { timeout: 30_000 }).toBe(sent - 1)
      await receiver.stop()
      listen(next)
      await send(1)
      for (const program of [receiver, plant])
        for (const machine of machines)
          await expect.poll(() => program.countsOf(machine).at(-1), { timeout: 60_000 }).toBe(sent - 1)

      const [kept, withdrawn] = machines
      await client.call(projects.withdrawMachine, { machineId: withdrawn.machineId, id })
      const before = [receiver, plant].map((program) => program.countsOf(withdrawn).length)
      await send(1)
      for (const program of [receiver, plant])
        await expect.poll(() => program.countsOf(kept).at(-1), { timeout: 30_000 }).toBe(sent - 1)
      expect([receiver, plant].map((program) => program.countsOf(withdrawn).length)).toEqual(before)
    }),
  240_000,
)
