import { startModbusDevice } from '@busbar/agent/testing/modbus-device.ts'
import { startOpcUaServer } from '@busbar/agent/testing/opcua-server.ts'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createUser,
  startRemoteAgent,
} from '@busbar/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { driverTexts } from './agent-config-screens.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

const { site, browser, db } = await shareSite()

const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }
const t = driverTexts.en
const password = 'Pump-room-7-blue'

/** A key with a machine whose agent is configured only with `remote: drivers`. */
async function setUp() {
  const key = await createUser(db, { name: 'Ming Li', password, email: `key-${Date.now()}@example.test` })
  const machine = await createMachine(db, { owner: key.userId, name: 'Filling line' })
  const agent = await startRemoteAgent(site, machine)
  onTestFinished(() => agent.stop())
  return { key, machine, agent }
}

it('a key sets up an OPC UA device from an agent started with `remote: drivers` and nothing else', async () => {
  const server = await startOpcUaServer({
    onlyPlain: true,
    variables: { Speed: ['Double', 42.5], Running: ['Boolean', true] },
  })
  onTestFinished(() => server.close())
  const { key, machine } = await setUp()
  await withView(browser, site, desk, async (view) => {
    const { page } = view
    await signInDirectly(view, site, db, key)
    await page.goto(`/index/?machine=${machine.machineId}`)
    await page.getByRole('button', { name: view.t.machineEdit.menu.drivers }).click()
    await page.getByText(t.connections.none, { exact: true }).waitFor()

    await page.getByRole('button', { name: t.connections.add }).click()
    const dialog = page.getByRole('dialog', { name: t.form.add })
    await dialog.getByRole('button', { name: t.form.driver }).click()
    await page.getByRole('option', { name: t.drivers.opcua ?? '' }).click()
    await dialog.getByRole('textbox', { name: t.form.name }).fill('plc')
    await dialog.getByRole('textbox', { name: t.form.url }).fill(server.url)
    await dialog.getByRole('button', { name: t.form.save }).click()

    const plc = page.getByRole('article', { name: 'plc' })
    await plc.getByRole('button', { name: t.look.nodes }).click()
    const proof = page.getByRole('dialog', { name: view.t.access.proof.title })
    await proof.getByLabel(view.t.access.proof.password).fill(password)
    await proof.getByRole('button', { name: view.t.access.proof.submit }).click()
    // The plant's variables are in a folder of the objects.
    await plc.getByRole('button', { name: t.look.open('Plant') }).click()
    await plc.getByText('42.5').waitFor()
    server.set('Speed', 43.5)
    await plc.getByText('43.5').waitFor()
    await plc.getByRole('checkbox', { name: t.look.choose('Speed') }).check()
    await plc.getByRole('checkbox', { name: t.look.choose('Running') }).check()
    await plc.getByRole('spinbutton', { name: `${t.tags.deadband} Speed` }).fill('0.5')

    await page.getByRole('button', { name: t.bar.check }).click()
    await page.getByText(t.bar.right).waitFor()
    await page.getByRole('button', { name: t.bar.apply }).click()
    await page.getByText(t.bar.applied(1)).waitFor()
    await page.getByText(t.versions.current, { exact: true }).waitFor()
    await page.getByText('Ming Li').first().waitFor()

    await page.goto(`/index/?machine=${machine.machineId}&tab=variables`)
    // A session that breaks on a busy machine is given up after 20 s, and a new one opened.
    await page.getByText('43.5').first().waitFor({ timeout: 45_000 })
    expect(view.complaints).toEqual([])
  })
}, 120_000)

it('a change that cuts the device off is rolled back, and the list gives the reason', async () => {
  const device = await startModbusDevice()
  onTestFinished(() => device.close())
  for (let address = 0; address < 16; address++) device.memory.holding.set(address, address)
  // 12.5 as a float, its words swapped.
  device.memory.holding.set(4, 0)
  device.memory.holding.set(5, 0x4148)
  const { key, machine, agent } = await setUp()
  const phone: Look = { ...desk, size: 'narrow' }
  await withView(browser, site, phone, async (view) => {
    const { page } = view
    const person = await signInDirectly(view, site, db, key)
    await db
      .updateTable('sessions')
      .set({ proved_at: new Date() })
      .where('id', '=', person.sessionId)
      .execute()
    await page.goto(`/drivers?machineId=${machine.machineId}`)
    await page.getByRole('button', { name: t.connections.add }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: t.form.name }).fill('press')
    await dialog.getByRole('textbox', { name: t.form.host }).fill('127.0.0.1')
    await dialog.getByRole('spinbutton', { name: t.form.port }).fill(String(device.port))
    await dialog.getByRole('button', { name: t.form.save }).click()

    const press = page.getByRole('article', { name: 'press' })
    await press.getByRole('button', { name: t.look.registers }).click()
    // Registers 4 and 5 give a plausible value in one of the four orders.
    await press.getByRole('button', { name: `12.5 – ${t.registers.choose('holding:4', 'CDAB')}` }).click()
    await page.getByRole('button', { name: t.bar.apply }).click()
    await page.getByText(t.bar.applied(1)).waitFor()

    await page.getByRole('button', { name: t.connections.edit }).click()
    await dialog.getByRole('spinbutton', { name: t.form.port }).fill('1')
    await dialog.getByRole('button', { name: t.form.save }).click()
    await page.getByRole('button', { name: t.bar.apply }).click()
    await page.getByText(t.trial.title(2)).waitFor()
    agent.skipTrial()
    await page.getByText(t.reasons.noValues('press')).waitFor()
    await page.getByText(t.versions.states.rolledBack).waitFor()
    expect(view.complaints).toEqual([])
  })
}, 120_000)

it('a member who manages devices comes to the drivers without a key', async () => {
  const enterprise = await createEnterprise(db, 'Filling works')
  const manager = await createMember(db, enterprise.eid, 'member', ['view', 'control', 'manage'])
  const machine = await createEnterpriseMachine(db, enterprise.eid, { name: 'Filling line' })
  const agent = await startRemoteAgent(site, machine)
  onTestFinished(() => agent.stop())
  await withView(browser, site, desk, async (view) => {
    const { page } = view
    await signInDirectly(view, site, db, manager)
    await page.goto(`/device?eid=${enterprise.eid}&machine=${machine.machineId}`)
    await page.getByRole('button', { name: view.t.machineEdit.menu.drivers }).click()
    await page.getByText(t.connections.none, { exact: true }).waitFor()
    expect(view.complaints).toEqual([])
  })
})
