import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brands, type Client, createClient, machines, operator, places, sites } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  createMachine,
  createUser,
  placeMachine,
  startRemoteAgent,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { startGpsReceiver } from '@busbar/testkit/gps-receiver.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { mapText } from '../../console/src/shared/i18n/en/map.ts'
import { placeText } from '../../console/src/shared/i18n/en/places.ts'
import { sitesText } from '../../console/src/shared/i18n/en/sites.ts'
import { tileSourcesText } from '../../console/src/shared/i18n/en/tile-sources.ts'
import { type CrossingMaps, findCrossing, startCrossingMaps } from './crossing-maps.ts'
import { machinePage } from './machine-page.ts'
import { startModbusRig } from './modbus-rig.ts'
import { shareSite } from './shared-site.ts'
import { type OwnSite, startSite } from './site.ts'
import { addressOf, type Look, signInDirectly, type View, withView } from './view.ts'
import { openTab } from './visits.ts'

/* Where machines are, for the people who look after them. */

const phone: Look = { lang: 'en', theme: 'light', size: 'narrow' }
const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }
const minuteMs = 60_000
/** Software draws the maps, on a busy machine as well. */
const patienceMs = 60_000
const poll = { timeout: patienceMs, interval: 250 }
/** Long enough for the map to have followed. */
const slowPoll = { ...poll, interval: 1_000 }

/** The same crossing in two systems, as published with the tests of gcoord 0.2. */
const crossing = {
  wgs84: { lat: 37.0700925, lng: 114.498916 },
  gcj02: { lat: 37.0705911, lng: 114.5048503 },
} as const
/** Pixels of a pin whose tip is on the crossing. */
const nearPixels = 3

let folder: string
let maps: CrossingMaps
let positioning: Awaited<ReturnType<typeof startPositioning>>
let site: OwnSite
let browser: Browser
let db: Database

/** The positioning service: whatever a machine hears, it is there, within 800 m. */
async function startPositioning() {
  const asked: string[] = []
  const location = `${crossing.gcj02.lng + 0.006},${crossing.gcj02.lat}`
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ status: '1', info: 'OK', result: { type: '3', location, radius: '800' } }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-places-'))
  const key = join(folder, 'key')
  await writeFile(key, 'a key\n', { mode: 0o600 })
  ;[maps, positioning, { browser }] = await Promise.all([
    startCrossingMaps(crossing),
    startPositioning(),
    shareSite(),
  ])
  site = await startSite({
    env: {
      OUTGOING_ALLOWED_NETWORKS: `operator 127.0.0.1:${maps.port}`,
      AMAP_POSITION_KEY_FILE: key,
      AMAP_POSITION_URL: positioning.url,
    },
  })
  db = await site.openDatabase()
}, 300_000)

afterAll(async () => {
  await db?.destroy()
  await site?.stop()
  maps?.close()
  positioning?.close()
  await rm(folder, { recursive: true, force: true })
})

const as = ({ token }: TestUser): Client =>
  createClient({ baseUrl: site.url, lang: () => 'en', token: () => token })

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
    const answer = await as(technician).call(machines.listMachines, {})
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
      expect(await settledAddress(page)).toBe(seen)
    },
    here,
  )
}, 180_000)

/** How far the tip of the pin is from the crossing of the map, in pixels. */
async function missOf(map: Locator): Promise<{ x: number; y: number }> {
  const page = map.page()
  const crossed = await findCrossing(page.context(), map)
  const [pin, area] = await Promise.all([pinOf(map).boundingBox(), map.boundingBox()])
  if (!crossed || !pin || !area) throw new Error('The map is not drawn yet.')
  return { x: area.x + crossed.x - (pin.x + pin.width / 2), y: area.y + crossed.y - (pin.y + pin.height) }
}

const pinOf = (map: Locator) => map.page().getByRole('button', { name: placeText.pin, exact: true })

const untilOnCrossing = (map: Locator) =>
  vi.waitFor(async () => {
    const { x, y } = await missOf(map)
    expect(Math.hypot(x, y)).toBeLessThan(nearPixels)
  }, poll)

it('a key drags a pin to a crossing over a map in GCJ-02, where it also lies in WGS-84, and no coarse fix moves it', async () => {
  const boss = await createUser(db, { name: 'Olga Op', lang: 'en' })
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
  const key = await createUser(db, { name: 'Ben Li', lang: 'en' })
  const machine = await createMachine(db, { name: 'Press 4', owner: key.userId })
  const { lat, lng } = crossing.wgs84
  await placeMachine(db, machine.machineId, { lat: lat + 0.002, lng: lng + 0.003 })

  // An operator adds the map in the back office.
  await withMaps(desk, boss, async ({ page }) => {
    await page.goto('/backManage?part=tileSources')
    const t = tileSourcesText
    await page.getByRole('button', { name: t.add }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t.nameCn).fill('街道')
    await dialog.getByLabel(t.nameEn).fill('Streets')
    await dialog.getByLabel(t.url).fill(maps.urlOf('gcj02'))
    await dialog.getByRole('button', { name: new RegExp(t.system) }).click()
    await page.getByRole('option', { name: t.systems.gcj02 }).click()
    await dialog.getByLabel(t.attribution).fill('Somebody')
    await dialog.getByLabel(t.reviewNumber, { exact: true }).fill('GS(2026)1234')
    await dialog.getByRole('button', { name: t.save, exact: true }).click()
    await page.getByText(t.saved).waitFor()
  })
  const source = { brandId: 1, kind: 'xyz', key: '', minZoom: 0, maxZoom: 18, isCached: false } as const
  await as(boss).call(operator.createTileSource, {
    ...source,
    name: { cn: '厂区', en: 'Plant' },
    url: maps.urlOf('wgs84'),
    system: 'wgs84',
    attribution: 'Plant',
    reviewNumber: '',
  })

  await withMaps(desk, key, async ({ page }) => {
    await page.goto(`/index/?machine=${machine.machineId}&tab=place`)
    const now = page.getByRole('region', { name: placeText.now })
    const map = now.getByRole('region', { name: placeText.map, exact: true })
    await now.getByText('Somebody · GS(2026)1234').waitFor()
    // Close enough that the two systems lie 60 pixels apart.
    await map.focus()
    const scale = now.locator('.maplibregl-ctrl-scale')
    await vi.waitFor(async () => {
      if (!/km/.test((await scale.textContent()) ?? '')) return
      await page.keyboard.press('=')
      throw new Error('The map is not close enough yet.')
    }, slowPoll)

    const miss = await vi.waitFor(() => missOf(map), poll)
    expect(Math.hypot(miss.x, miss.y)).toBeGreaterThan(30)
    const pin = await pinOf(map).boundingBox()
    if (!pin) throw new Error('The map has no pin.')
    const grip = { x: pin.x + pin.width / 2, y: pin.y + pin.height / 2 }
    await page.mouse.move(grip.x, grip.y)
    await page.mouse.down()
    await page.mouse.move(grip.x + miss.x, grip.y + miss.y, { steps: 4 })
    await page.mouse.up()
    await untilOnCrossing(map)
    const save = now.getByRole('button', { name: placeText.dialog.save })
    await save.click()
    await save.waitFor({ state: 'hidden' })
    const placed = async () => (await as(key).call(places.getPlace, { machineID: machine.machineId })).place
    const pinned = await placed()
    expect(pinned?.source).toBe('manual')
    // Three pixels are 40 m here; the systems lie 530 m apart.
    expect(Math.abs((pinned?.lat ?? 0) - lat)).toBeLessThan(0.0005)
    expect(Math.abs((pinned?.lng ?? 0) - lng)).toBeLessThan(0.0005)
    await untilOnCrossing(map)

    await now.getByRole('button', { name: new RegExp(mapText.base.label) }).click()
    await page.getByRole('option', { name: 'Plant' }).click()
    await now.getByText('Plant', { exact: true }).last().waitFor()
    await untilOnCrossing(map)

    // The machine hears two access points, of which the service knows the place within 800 m.
    const heard = join(folder, 'heard.json')
    const wifi = ['00:11:22:aa:bb:cc', '00:11:22:aa:bb:dd'].map((mac) => ({ mac, signalDbm: -60 }))
    await writeFile(`${heard}.new`, JSON.stringify({ wifi }))
    await rename(`${heard}.new`, heard)
    const agent = await startRemoteAgent(site, machine, {
      remote: false,
      more: `position: [{ file: "${heard}" }]`,
    })
    onTestFinished(() => agent.stop())
    await placeOnPlan(page, key, machine)

    await vi.waitFor(async () => {
      const { suggestion } = await as(key).call(places.getPlace, { machineID: machine.machineId })
      expect(suggestion).toMatchObject({ source: 'wifi', accuracy: 800 })
    }, poll)
    expect(positioning.asked[0]).toContain('macs=')
    expect(await placed()).toEqual(pinned)
    await page.goto(`/index/?machine=${machine.machineId}&tab=place`)
    await page.getByRole('region', { name: placeText.suggestion }).getByText(/800.m/).waitFor()
    await now.getByText(placeText.exact).waitFor()
  })
}, 240_000)

/** Drags the machine from the list beside a plan to its middle. */
async function placeOnPlan(page: Page, key: TestUser, machine: TestMachine) {
  const { lat, lng } = crossing.wgs84
  const hall = { name: 'Hall', lat, lng, address: '', radiusM: 300 }
  const { id } = await as(key).call(sites.createSite, hall)
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><path d="M9 9h380v280H9z"/></svg>'
  const file = new File([drawing], 'hall.svg')
  const { url } = await as(key).call(brands.createUpload, { purpose: 'sitePlan', file })
  const { planId } = await as(key).call(sites.addPlan, { id, name: 'Floor', picture: url, revision: 1 })
  await page.goto(`/dataCenter/sites?eid=0&site=${id}&edit=true`)
  const plan = page.getByRole('group', { name: sitesText.view.label('Floor') })
  const row = page
    .getByRole('region', { name: sitesText.edit.unplaced })
    .getByRole('listitem')
    .filter({ hasText: 'Press 4' })
  await row.getByText(sitesText.edit.nearby).waitFor()
  const [from, to] = [await row.getByText('Press 4', { exact: true }).boundingBox(), await plan.boundingBox()]
  if (!from || !to) throw new Error('There is nothing to drag.')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 })
  await page.mouse.up()
  await plan.getByRole('button', { name: /^Press 4, / }).waitFor()
  await page.getByRole('button', { name: sitesText.edit.save, exact: true }).click()
  await vi.waitFor(async () => {
    const { plans } = await as(key).call(sites.getSite, { id })
    expect(plans).toMatchObject([
      {
        id: planId,
        machines: [{ machineId: machine.machineId, x: expect.closeTo(0.5, 1), y: expect.closeTo(0.5, 1) }],
      },
    ])
  }, poll)
}

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
