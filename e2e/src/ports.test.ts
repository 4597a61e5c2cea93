import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { access, createClient, visits } from '@busbar/contract'
import { createMachine, createUser, grantMachine, type TestUser } from '@busbar/testkit'
import { FaultyLine } from '@busbar/testkit/faulty-line.ts'
import modbusSerial from 'modbus-serial'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { deviceCodeText } from '../../console/src/shared/i18n/en/device-code.ts'
import { portsText } from '../../console/src/shared/i18n/en/ports.ts'
import { ensureConnectBuilt } from '../../tools/build.mjs'
import { startModbusRig, targetTemperature } from './modbus-rig.ts'
import { shareSite } from './shared-site.ts'
import { signInDirectly, withView } from './view.ts'

const ModbusRTU = modbusSerial.default
const poll = { timeout: 30_000, interval: 200 }
const english = { lang: 'en', theme: 'light', size: 'wide' } as const
/** The controller's registers, and the set-point among them, in tenths of a degree. */
const [holdRegister, setPointRegister] = [0, 100]

const { site, browser, db } = await shareSite()
const folder = await mkdtemp(join(tmpdir(), 'busbar-ports-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const as = ({ token }: TestUser) => createClient({ baseUrl: site.url, lang: () => 'en', token: () => token })

interface Told {
  readonly event: string
  readonly [fact: string]: unknown
}

/** busbar-connect as a person runs it; `told` is what it said, one object a line. */
class Connect {
  readonly told: Told[] = []
  readonly #child: ChildProcess

  constructor(home: string, ...args: readonly string[]) {
    this.#child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../connect/dist/busbar-connect.mjs'), ...args, '--json'],
      {
        env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on('line', (line) => this.told.push(JSON.parse(line)))
    onTestFinished(() => this.stop())
  }

  async waitFor(event: string, matching: Partial<Told> = {}): Promise<Told> {
    return vi.waitFor(() => {
      const found = this.told.findLast((told) => told.event === event)
      expect(found, JSON.stringify(this.told)).toMatchObject({ event, ...matching })
      return found as Told
    }, poll)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill()
    await once(this.#child, 'exit')
  }
}

/** Signs the program in: its code is confirmed in a browser. */
async function signIn(person: TestUser, server: string): Promise<string> {
  const home = await mkdtemp(join(folder, 'home-'))
  const program = new Connect(home, 'login', '--server', server)
  const { code } = await program.waitFor('signIn')
  await withView(browser, site, english, async (view) => {
    await signInDirectly(view, site, db, person)
    await view.page.goto('/deviceCode')
    const field = view.page.getByLabel(deviceCodeText.code)
    await field.fill(String(code))
    await field.press('Enter')
    await view.page.getByRole('button', { name: view.t.account.qr.confirm }).click()
    await view.page.getByText(deviceCodeText.confirmed).waitFor()
  })
  await program.waitFor('signedIn')
  return home
}

/** A Modbus master at a local address of the program. */
async function openMaster({ address }: Told) {
  const [host = '', port = ''] = String(address).split(':')
  const master = new ModbusRTU()
  await master.connectTCP(host, { port: Number(port) })
  master.setTimeout(30_000)
  onTestFinished(() => master.close(() => undefined))
  return master
}

const readHold = async (master: Awaited<ReturnType<typeof openMaster>>) =>
  (await master.readHoldingRegisters(holdRegister, 1)).data[0]

it('tools reach a controller by its port, through a broken line, and lose it with control and with the right', async () => {
  await ensureConnectBuilt()
  const owner = await createUser(db, { name: 'Ming Li', lang: 'en' })
  const engineer = await createUser(db, { name: 'Ann Wang', lang: 'en' })
  const watcher = await createUser(db, { name: 'Bo Chen', lang: 'en' })
  const machine = await createMachine(db, { name: 'Pasteuriser', owner: owner.userId })
  for (const { userId } of [engineer, watcher])
    await grantMachine(db, userId, machine.machineId, { role: 'bkey' })
  const rig = await startModbusRig(site, machine, {
    tunnelUrl: site.tunnelUrl,
    ports: [
      '{ name: plc, address: "PLC", kind: modbus, note: Line 1 }',
      '{ name: raw, address: "PLC", kind: other }',
    ],
  })
  onTestFinished(() => rig.close())
  rig.setHoldTemperature(72.5)
  await rig.startAgent()
  await vi.waitFor(async () => {
    const { ports } = await as(owner).call(visits.listPorts, { machineId: machine.machineId })
    expect(ports.map(({ name }) => name)).toEqual(['plc', 'raw'])
  }, poll)

  // The engineer's way to the platform, which breaks.
  const line = await FaultyLine.open({ port: Number(new URL(site.url).port) })
  onTestFinished(() => line.close())
  const home = await signIn(engineer, `http://127.0.0.1:${line.port}`)
  const program = new Connect(home, 'open', machine.code, 'plc', 'raw', '--mode', 'rw')
  const other = await openMaster(await program.waitFor('listening', { target: 'raw' }))
  const master = await openMaster(program.told.find(({ target }) => target === 'plc') as Told)
  expect(await readHold(master)).toBe(725)
  expect(await readHold(other)).toBe(725)
  const former = rig.targetTemperature()
  await master.writeRegister(setPointRegister, 800)
  expect(rig.targetTemperature()).toBe(80)

  line.state = 'cut'
  await program.waitFor('lineLost')
  const meanwhile = readHold(master)
  line.state = 'fine'
  expect(await meanwhile).toBe(725)
  await program.waitFor('lineBack')

  // A second engineer looks by the same port; the controller's own protocol refuses a write.
  const watching = new Connect(await signIn(watcher, site.url), 'open', machine.code, 'plc', '--mode', 'ro')
  const looker = await openMaster(await watching.waitFor('listening'))
  expect(await readHold(looker)).toBe(725)
  await expect(looker.writeRegister(setPointRegister, 700)).rejects.toThrow('Illegal function')
  expect(rig.targetTemperature()).toBe(80)

  // The agent tells what passed once a second.
  await vi.waitFor(async () => {
    const { list } = await as(owner).call(visits.listVisits, { machineId: machine.machineId })
    const plcOf = (person: TestUser) =>
      list.find(({ user }) => user.userId === person.userId)?.ports.find(({ name }) => name === 'plc')
    expect(plcOf(engineer)).toMatchObject({ kind: 'modbus', reads: 2, writes: 1, refused: 0 })
    expect(plcOf(watcher)).toMatchObject({ kind: 'modbus', reads: 1, writes: 0, refused: 1 })
  }, poll)

  // The owner takes control: the engineer's tools are cut, the one who looks stays.
  const owned = await as(owner).call(visits.openPorts, {
    machineID: machine.machineId,
    terminalID: 'browser',
    mode: 'ro',
  })
  await as(owner).call(visits.controlVisit, { sessionId: owned.sessionId, action: 'take' })
  await program.waitFor('ended', { reason: 'replaced' })
  await expect(readHold(master)).rejects.toThrow()
  expect(await readHold(looker)).toBe(725)

  await as(owner).call(access.addToBlacklist, { deviceId: machine.machineId, userId: watcher.userId })
  await watching.waitFor('ended', { reason: 'rightLost' })
  await expect(readHold(looker)).rejects.toThrow()

  await withView(browser, site, english, async (view) => {
    await signInDirectly(view, site, db, owner)
    await view.page.goto(`/index/?machine=${machine.machineId}&tab=visits`)
    await view.page.getByText(portsText.refused(1)).waitFor()
    // The owner's own visit of ports is in control, and hands it over as one of a page does.
    await view.page.getByRole('button', { name: view.t.visits.pane.give }).click()
    await view.page.getByRole('button', { name: view.t.visits.bar.take }).waitFor()
    await vi.waitFor(async () => {
      const { list } = await as(owner).call(visits.listVisits, { machineId: machine.machineId })
      expect(list.find(({ user }) => user.userId === engineer.userId)).toMatchObject({ controls: true })
    }, poll)
  })

  // The record names the engineer's change, and the owner puts the set-point back.
  const { list } = await as(owner).call(visits.listVisits, { machineId: machine.machineId })
  const worked = list.find(({ user }) => user.userId === engineer.userId)
  const sessionId = worked?.sessionId ?? 0
  await as(owner).call(visits.endVisit, { sessionId })
  const record = await vi.waitFor(async () => {
    const found = await as(owner).call(visits.getVisitChanges, { sessionId })
    expect(found.state).toBe('done')
    return found
  }, poll)
  expect(record.changes).toMatchObject([{ tag: targetTemperature.en, from: former, to: 80, ways: ['port'] }])
  const tagIds = record.changes.flatMap(({ tagId }) => tagId ?? [])
  expect(await as(owner).call(visits.putBackChanges, { sessionId, tagIds })).toMatchObject({
    results: [{ refusal: '' }],
  })
  await vi.waitFor(() => expect(rig.targetTemperature()).toBe(former), poll)
})
