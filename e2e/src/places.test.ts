import { createClient, machines } from '@busbar/contract'
import {
  createMachine,
  createUser,
  placeMachine,
  startRemoteAgent,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { startGpsReceiver } from '@busbar/testkit/gps-receiver.ts'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { mapText } from '../../console/src/shared/i18n/en/map.ts'
import { machinePage } from './machine-page.ts'
import { startModbusRig } from './modbus-rig.ts'
import { shareSite } from './shared-site.ts'
import { addressOf, type Look, signInDirectly, type View, withView } from './view.ts'
import { openTab } from './visits.ts'

/* Where machines are, for the people who look after them. */

const phone: Look = { lang: 'en', theme: 'light', size: 'narrow' }
const minuteMs = 60_000
/** Software draws the maps, on a busy machine as well. */
const patienceMs = 60_000
const poll = { timeout: patienceMs, interval: 250 }
/** Long enough for the map to have followed. */
const slowPoll = { ...poll, interval: 1_000 }

const { site, browser, db } = await shareSite()

/** A person's browser, patient with maps. */
const withMaps = (look: Look, user: TestUser, work: (view: View) => Promise<void>, options = {}) =>
  withView(
    browser,
    site,
    look,
    async (view) => {
      view.context.setDefaultTimeout(patienceMs)
      await signInDirectly(view, site, db, user)
      await work(view)
      expect(view.complaints).toEqual([])
    },
    options,
  )

async function raiseAlarm({ machineId }: TestMachine): Promise<void> {
  const at = new Date()
  const alarm = { key: 'hot', level: 'major', text: '{"en":"Too hot"}', raised_at: at, received_at: at }
  await db
    .insertInto('alarms')
    .values({ machine_id: machineId, ...alarm })
    .execute()
}

/** The address once it follows the map no more: that comes a moment after each move. */
async function settledAddress(page: Page): Promise<string> {
  let before = ''
  await vi.waitFor(() => {
    const last = before
    before = addressOf(page)
    expect(before).toBe(last)
  }, slowPoll)
  return before
}

it('a technician on a phone goes from the map into the nearest machine in alarm, and back to the same view', async () => {
  const technician = await createUser(db, { name: 'Ann Wang', lang: 'en' })
  const create = async (name: string, lat: number, lng: number) => {
    const machine = await createMachine(db, { name, owner: technician.userId })
    await placeMachine(db, machine.machineId, { lat, lng })
    return machine
  }
  const pasteuriser = await create('Pasteuriser 1', 23.13, 113.26)
  for (const far of [await create('Press 2', 31.23, 121.47), await create('Pump 3', 39.9, 116.4)])
    await raiseAlarm(far)
  await create('Quiet mixer', 30.6, 104.07)
  const rig = await startModbusRig(site, pasteuriser, { tunnelUrl: site.tunnelUrl })
  onTestFinished(() => rig.close())
  rig.setHoldTemperature(72.5)
  rig.setAlarm(true)
  await rig.startAgent()
  // An open list hears of a machine's first key value only with its next refresh.
  await vi.waitFor(async () => {
    const answer = await createClient({
      baseUrl: site.url,
      lang: () => 'en',
      token: () => technician.token,
    }).call(machines.listMachines, {})
    expect('list' in answer && answer.list.some(({ overview }) => overview?.keyTag)).toBe(true)
  }, poll)

  const here = { geolocation: { latitude: 23.02, longitude: 113.12 }, permissions: ['geolocation'] }
  await withMaps(
    phone,
    technician,
    async (view) => {
      const { page } = view
      await page.goto('/cloudmap')
      const list = page.getByRole('list', { name: mapText.list.label })
      await vi.waitFor(
        async () => expect(await list.getByRole('img', { name: /^1 active/ }).count()).toBe(3),
        poll,
      )
      await page.waitForURL(/[?&]at=/)

      await page.getByRole('button', { name: mapText.tools.near }).click()
      const nearest = list.getByRole('listitem').first()
      await nearest.getByText('Pasteuriser 1').waitFor()
      await nearest.getByText(/km$/).waitFor()
      await nearest.getByRole('button').click()
      const card = page.getByRole('region', { name: mapText.card.label('Pasteuriser 1') })
      await card.getByText(/^72\.5/).waitFor()
      await card.getByText(/ away$/).waitFor()

      const seen = await settledAddress(page)
      expect(seen).toMatch(/card=\d+/)
      const tab = await openTab(
        view,
        card.getByRole('link', { name: view.t.visits.enterOf('Pasteuriser 1') }),
      )
      await machinePage(view, tab).heading.filter({ hasText: 'Pasteuriser 1' }).waitFor()
      await tab.close()
      await card.getByRole('button', { name: mapText.card.details }).click()
      await page.getByRole('heading', { name: 'Pasteuriser 1' }).waitFor()
      await page.goBack()
      await card.waitFor()
      expect(addressOf(page)).toBe(seen)
    },
    here,
  )
}, 180_000)

it('a machine on wheels moves on an open map, and its people are told that it left its place', async () => {
  const owner = await createUser(db, { name: 'Eva Chen', lang: 'en' })
  const machine = await createMachine(db, { name: 'Crane 7', owner: owner.userId })
  // A drive of a quarter of an hour, told by the times of the receiver.
  const begunAt = Date.now() - 15 * minuteMs
  const yard = { lat: 31.347, lng: 120.99 }
  const receiver = await startGpsReceiver({ ...yard, at: begunAt })
  onTestFinished(() => receiver.close())
  await withMaps(phone, owner, async ({ page }) => {
    await page.goto(`/index/?listType=map&card=${machine.machineId}&at=31.3,121.1,8`)
    await page.getByRole('toolbar', { name: mapText.tools.label }).waitFor()
    const card = page.getByRole('region', { name: mapText.card.label('Crane 7') })
    expect(await card.count()).toBe(0)

    const agent = await startRemoteAgent(site, machine, {
      remote: false,
      more: `position: [{ tcp: "127.0.0.1:${receiver.port}" }]`,
    })
    onTestFinished(() => agent.stop())
    await card.waitFor()
    const leftOf = async () => (await card.boundingBox())?.x ?? 0
    const atYard = await leftOf()

    receiver.show({ ...yard, lng: yard.lng + 0.1, at: begunAt + 3 * minuteMs })
    await vi.waitFor(async () => expect(await leftOf()).toBeGreaterThan(atYard + 20), poll)
    await card.getByRole('img', { name: /^1 active/ }).waitFor()
    receiver.show({ ...yard, lng: yard.lng + 0.2, at: begunAt + 8 * minuteMs })
    await vi.waitFor(async () => expect(await leftOf()).toBeGreaterThan(atYard + 40), poll)

    await page.goto('/alarmCenter?eid=0')
    await page
      .getByText(/^The device has left its place: it is [\d,]+ m away$/)
      .first()
      .waitFor()
    const told = () =>
      db
        .selectFrom('notifications')
        .select(['channel', 'state'])
        .where('user_id', '=', owner.userId)
        .where('machine_id', '=', machine.machineId)
        .where('channel', '=', 'message')
        .execute()
    await vi.waitFor(async () => expect(await told()).toEqual([{ channel: 'message', state: 'sent' }]), poll)
  })
}, 180_000)
