import { applications, createClient, machines } from '@busbar/contract'
import { createDemoAlarms } from '@busbar/platform/demo/demo-alarms.ts'
import { createDemoBoard } from '@busbar/platform/demo/demo-boards.ts'
import { createDemoEnterprise } from '@busbar/platform/demo/demo-enterprise.ts'
import { createDemoProjects } from '@busbar/platform/demo/demo-projects.ts'
import { createDemoReport } from '@busbar/platform/demo/demo-reports.ts'
import { createDemoSites } from '@busbar/platform/demo/demo-sites.ts'
import { demoTexts } from '@busbar/platform/demo/demo-texts.ts'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createSecretBox } from '@busbar/platform/kernel/secret-box.ts'
import {
  blacklistUser,
  createMachine,
  createUser,
  grantMachine,
  placeMachine,
  signIn,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFaintColours, findFaintLayerColours, findFaults, findLayerFaults } from './axe.ts'
import { opened } from './console-screens.ts'
import { machineEntry } from './devices.ts'
import { everyScreen } from './every-screen.ts'
import { findPageFaults, phone } from './page-faults.ts'
import type { Screen } from './screen.ts'
import { shareSite } from './shared-site.ts'
import { createSims } from './sims.ts'
import type { Site } from './site.ts'
import { type Look, openView, signInDirectly, type View } from './view.ts'

/*
 * Every page of `npm run screens`, and what opens on it: axe finds no fault in both themes, and at each width that a phone,
 * a tablet or a screen has nothing scrolls away or hides an action.
 */

const widths = [1920, 1180, 834, 768, phone.width, 320] as const
const heightOf = (width: number) => (width === phone.width ? phone.height : 900)
const look: Look = { lang: 'en', theme: 'light', size: 'wide' }

type Who = 'nobody' | 'person' | 'operator'

/** The screens of each person. Axe alone looks at the layers over these pages. */
const pages: Readonly<Record<Who, readonly string[]>> = {
  nobody: [
    ...['login', 'login-errors', 'login-qr', 'login-timeout', 'landing', 'register', 'register-differ'],
    ...['forgotten', 'scada'],
    ...['mail-link-alarm', 'mail-link-alarm-confirmed', 'mail-link-unknown', 'mail-link-contact'],
    'mail-link-unsubscribe',
    ...['downloads', 'downloads-missing'],
  ],
  person: [
    ...['map', 'map-card', 'map-hidden', 'map-regions'],
    ...['list', 'list-empty-filter', 'detail-variables', 'rules', 'alarm-centre-rules', 'safety'],
    ...['user-info', 'add-phone', 'security', 'appearance'],
    ...['modify-email', 'change-password', 'friends', 'messages', 'messages-sent', 'messages-visit'],
    ...['alarm-centre', 'alarm-centre-detail', 'alarm-centre-empty'],
    'alarm-centre-quality',
    ...['notifications', 'notifications-sent', 'notifications-sales', 'notifications-email'],
    ...['notifications-escalation', 'notifications-settings'],
    ...['enterprise-devices', 'enterprise-device', 'enterprise-maintained', 'enterprise-members'],
    ...['enterprise-teams', 'enterprise-groups', 'enterprise-windows', 'enterprise-settings'],
    'enterprise-consent',
    ...['connect', 'connect-agent', 'connect-mqtt', 'connect-done'],
    ...['retention', 'retention-next', 'retention-wrong'],
    ...['drivers', 'drivers-nodes', 'drivers-registers', 'drivers-trial', 'drivers-off'],
    ...['keys-now', 'keys-applications', 'keys-visitors', 'keys-times', 'keys-bkeys', 'keys-blacklist'],
    ...[
      'keys-settings',
      'enter-in-vain',
      'friends',
      'boards',
      'scheduled-reports',
      'explorer-empty',
      'exports',
    ],
    ...['sites', 'site', 'site-edit', 'sims', 'sims-card', 'detail-sim'],
    ...['maintenance', 'program-type', 'qr-over', 'visit-report'],
    ...['projects', 'projects-enterprise', 'project', 'project-machines', 'project-people'],
    ...['project-destinations', 'project-deliveries', 'project-embedding', 'project-developers'],
    ...['project-settings', 'project-destinations-filled', 'project-deliveries-filled', 'keys-projects'],
  ],
  operator: [
    ...[
      'overview',
      'scada',
      'machines',
      'machineTypes',
      'tileSources',
      'users',
      'enterprises',
      'projects',
      'sims',
      'simPlans',
      'simCarriers',
      'brands',
      'outbox',
    ],
    ...['jobs', 'audit', 'user', 'user-audit', 'machine', 'enterprise'],
  ].map((part) => `back-office-${part}`),
}
const layers: Readonly<Record<Who, readonly string[]>> = {
  nobody: ['login-countries'],
  person: [
    ...['list-columns', 'add-errors', 'user-panel', 'palette', 'shortcuts', 'unreachable', 'rule-editor'],
    ...['delete-account', 'messages-bell', 'messages-delete', 'alarm-centre-shelve'],
    ...['alarm-centre-acknowledge', 'retention-confirm', 'drivers-add', 'enterprise-spaces'],
    ...['enterprise-invite', 'enterprise-team', 'enterprise-ask', 'enterprise-tv'],
    ...['keys-add-errors', 'keys-end', 'safety-sign-out'],
    ...['projects-new', 'project-machines-add', 'project-people-add', 'project-key'],
    ...['project-broker', 'project-destination'],
    ...['machine-menu', 'machine-edit', 'machine-groups', 'machine-transfer', 'machine-remove'],
  ],
  operator: ['sim-refused', 'sim-edit', 'sim-plan'].map((name) => `back-office-${name}`),
}

/** Pages that are made otherwise on a phone: their lists are cards. The others only move there. */
const cards = new Set([
  'list',
  'map',
  'projects',
  'project-machines',
  'alarm-centre',
  'enterprise-devices',
  'keys-visitors',
  'sims',
  'back-office-users',
])

let site: Site
let browser: Browser
let db: Database
let views: Readonly<Record<Who, View>>
/** With one of each kind of people that the administration of a machine lists. */
let held: TestMachine
const heldName = 'Never connected'

type Tab = 'now' | 'applications' | 'visitors' | 'times' | 'bkeys' | 'blacklist' | 'settings'

async function openKeys({ page }: View, tab: Tab): Promise<void> {
  await page.goto(`/administrateCenter?machineId=${held.machineId}&tab=${tab}`)
  await page.locator('main').locator('li, form, [role="rowgroup"]').first().waitFor()
}

const keys = (tab: Tab): Screen => ({
  name: `keys-${tab}`,
  signedIn: true,
  arrive: (view) => openKeys(view, tab),
})

/** The menu of a machine, or the dialog of one of its items. */
const fromMenu = (name: string, item?: 'edit' | 'groups' | 'transfer' | 'removeAkey'): Screen => ({
  name,
  signedIn: true,
  async arrive(view) {
    const { page, t } = view
    const { menu } = t.machineEdit
    const label = menu.label(heldName)
    await page.goto('/index/?q=Never')
    await machineEntry(view, heldName).getByRole('button', { name: label }).click()
    await page.getByRole('menu', { name: label }).waitFor()
    if (!item) return
    await page.getByRole('menuitem', { name: menu[item] }).click()
    await page.getByRole('dialog').waitFor()
    await page.getByRole('dialog').locator('[aria-busy="true"]').waitFor({ state: 'detached' })
  },
})

/** Of this machine, in place of those that need a scene with agents. */
const screens: readonly Screen[] = [
  ...(['now', 'applications', 'visitors', 'times', 'bkeys', 'blacklist', 'settings'] as const).map(keys),
  {
    name: 'keys-add-errors',
    signedIn: true,
    async arrive(view) {
      const { page, t } = view
      await openKeys(view, 'visitors')
      await page.getByRole('button', { name: t.access.visitors.add }).click()
      const dialog = page.getByRole('dialog', { name: t.access.add.visitorTitle })
      await dialog.getByRole('radio', { name: t.access.add.presets.custom }).click()
      await dialog.getByRole('button', { name: t.access.add.submitVisitor, exact: true }).click()
      await dialog.getByText(t.access.add.problems.accountMissing).waitFor()
    },
  },
  {
    name: 'keys-end',
    signedIn: true,
    async arrive(view) {
      const { page, t } = view
      await openKeys(view, 'visitors')
      await page.locator('main').getByRole('button', { name: t.access.visitors.end }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'safety-sign-out',
    signedIn: true,
    async arrive({ page, t }) {
      await page.goto('/safety')
      const signOut = page.locator('main').getByRole('button', { name: new RegExp(`^${t.safety.signOut}`) })
      await signOut.first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'enter-in-vain',
    signedIn: true,
    async arrive({ page }) {
      await page.goto(`/visit/${held.machineId}`)
      await page.locator('main').getByRole('alert').waitFor()
    },
  },
  {
    name: 'maintenance',
    signedIn: true,
    async arrive({ page }) {
      await page.goto('/maintenance')
      await page.locator('main [data-subject]').first().waitFor()
    },
  },
  {
    name: 'visit-report',
    signedIn: true,
    async arrive({ page, t }) {
      await page.goto(`/visitReport?machineId=${held.machineId}`)
      await page.getByRole('heading', { name: t.visitReport.totals }).waitFor()
    },
  },
  fromMenu('machine-menu'),
  fromMenu('machine-edit', 'edit'),
  fromMenu('machine-groups', 'groups'),
  fromMenu('machine-transfer', 'transfer'),
  fromMenu('machine-remove', 'removeAkey'),
]

/** A person with the devices and the enterprise that the demo's account has. */
async function createPlant(): Promise<TestUser> {
  const person = await createUser(db, { name: 'Wilhelmina Clarke' })
  const names = {
    ...demoTexts.en.devices,
    'injection-press': opened.name.en,
    'booster-pumps': 'Booster pumps',
  }
  const machineIds = new Map<string, number>()
  for (const [trade, name] of Object.entries(names)) {
    const { machineId } = await createMachine(db, { name, owner: person.userId })
    machineIds.set(trade, machineId)
  }
  const machineId = machineIds.get('injection-press') ?? 0
  opened.machineIds = { cn: machineId, en: machineId }
  await sql`
    with made as (
      insert into tags (machine_id, group_name, name, type, label, unit, scale, is_key)
      select machine_id, 'Group ' || n % 3, 'tag' || n, 'float64',
             json_build_object('cn', '变量' || n, 'en', 'Variable number ' || n || ' of the machine'), 'm³/h', 2, n = 1
      from unnest(${[...machineIds.values()]}::int[]) machine_id, generate_series(1, 12) n
      returning id
    )
    insert into tag_latest (tag_id, at, received_at, quality, num)
    select id, now(), now(), 0, -1234567.89 from made`.execute(db)
  const plant = { lang: 'en', ownerId: person.userId, machineIds, madeAt: Date.now() } as const
  await db.transaction().execute(async (trx) => {
    await createDemoEnterprise(trx, plant)
    await createDemoAlarms(trx, plant)
    await createDemoBoard(trx, plant)
    await createDemoReport(trx, plant)
    await createDemoSites(trx, plant)
    const url = 'https://mes.busbar.invalid/rows'
    await createDemoProjects(trx, plant, { secrets: createSecretBox(), url, formerUrl: url })
  })
  await createSims(db, 'en', [machineId, ...[...machineIds.values()].filter((id) => id !== machineId)])
  held = await createMachine(db, { name: heldName, owner: person.userId })
  await placeMachine(db, held.machineId)
  await createHolders(held)
  // Another terminal, to be signed out.
  await signIn(db, person.userId)
  return person
}

async function createHolders({ machineId, code }: TestMachine): Promise<void> {
  const holder = async (grant: Parameters<typeof grantMachine>[3]) =>
    grantMachine(db, (await createUser(db)).userId, machineId, grant)
  await holder({ role: 'bkey' })
  await holder({ role: 'visitor', until: new Date(Date.now() + 3_600_000), readOnly: true })
  await holder({ role: 'visitor', until: new Date(Date.now() - 1) })
  await blacklistUser(db, (await createUser(db)).userId, machineId)
  const { token } = await signIn(db, (await createUser(db)).userId)
  const applicant = createClient({ baseUrl: site.url, lang: () => 'en', token: () => token })
  await applicant.call(machines.addMachine, { machineName: 'Press', machineCode: code })
  await applicant.call(applications.applyForVisit, {
    machineID: machineId,
    terminalID: 'test',
    message: 'Valve',
  })
}

/** A person's browser, kept for all of their pages: only the first loads the console's files. */
async function openWho(who: Who): Promise<View> {
  const view = await openView(browser, site, look, {
    viewport: { width: widths[0], height: heightOf(widths[0]) },
  })
  if (who === 'person') await signInDirectly(view, site, db, await createPlant())
  if (who === 'operator') {
    const operator = await createUser(db, { name: 'Olga Op' })
    await db.updateTable('users').set({ is_operator: true }).where('id', '=', operator.userId).execute()
    await signInDirectly(view, site, db, operator)
  }
  return view
}

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
  views = {
    nobody: await openWho('nobody'),
    person: await openWho('person'),
    operator: await openWho('operator'),
  }
})

afterAll(() => Promise.all(Object.values(views).map(({ context }) => context.close())))

/**
 * Opens a screen for as long as `work` takes, in the one page of its person: a new page has its window made, and the
 * console's code compiled, anew.
 */
async function withScreen(who: Who, name: string, work: (view: View) => Promise<void>): Promise<void> {
  const screen = [...screens, ...everyScreen].find((one) => one.name === name)
  if (!screen) throw new Error(`no such screen: ${name}`)
  const view = views[who]
  const { page, context } = view
  await page.emulateMedia({ colorScheme: look.theme })
  await page.setViewportSize({ width: widths[0], height: heightOf(widths[0]) })
  try {
    await screen.arrive(view, undefined)
    await work(view)
    for (const path of await page.evaluate<string[]>(pathsShown)) seenPaths.add(path)
  } finally {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // Of a screen without the platform.
    await context.setOffline(false)
  }
}

const showDark = async ({ page }: View) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
}

// A text, because this project does not know the browser's types.
const settledScript = `new Promise((done) => {
  const look = () => {
    const shell = document.querySelector('[data-shell]')
    const isThere = !shell || shell.dataset.shell === (innerWidth < 768 ? 'narrow' : 'wide')
    requestAnimationFrame(isThere ? () => requestAnimationFrame(() => setTimeout(done, 30)) : look)
  }
  look()
})`

/** Shows the page at a width, and waits for the shell of this width and for the page in it. */
async function showAt({ page }: View, width: number): Promise<void> {
  if (page.viewportSize()?.width === width) return
  await page.setViewportSize({ width, height: heightOf(width) })
  await page.evaluate(settledScript)
}

/** The paths of the router whose pages were looked at. */
const seenPaths = new Set<string>()
const pathsShown = `(globalThis.__TSR_ROUTER__?.state.matches ?? []).map(({ fullPath }) => fullPath)`

it('the heads above the alarms left room for 13 of them on the first screen of a desk', () =>
  withScreen('person', 'alarm-centre', async (view) => {
    const { page } = view
    const desk = { width: 1440, height: 900 }
    await page.setViewportSize(desk)
    await page.evaluate(settledScript)
    const grid = page.getByRole('grid')
    const { y = 0, height: gridHeight = 0 } = (await grid.boundingBox()) ?? {}
    const bottom = Math.min(y + gridHeight, desk.height)
    const rows = await grid.locator('[role="row"]:has([role="gridcell"])').all()
    const places = await Promise.all(rows.map((row) => row.boundingBox()))
    expect(places.filter((place) => place && place.y + place.height <= bottom).length).toBeGreaterThanOrEqual(
      14,
    )
  }))

describe.each(['nobody', 'person', 'operator'] as const)('seen by %s', (who) => {
  it.each(pages[who])('%s can be read by everybody, and neither scrolls away nor hides an action', (name) =>
    withScreen(who, name, async (view) => {
      const { page } = view
      const faults = await findFaults(page, name)
      for (const width of widths) {
        await showAt(view, width)
        faults.push(...(await findPageFaults(page)).map((fault) => `${width} px: ${fault}`))
      }
      await showDark(view)
      const look = cards.has(name) ? findFaults : findFaintColours
      faults.push(...(await look(page, `${name}, dark, on a phone`)))
      expect(faults).toEqual([])
    }),
  )

  it.each(layers[who])('%s, a layer, can be read by everybody', (name) =>
    withScreen(who, name, async (view) => {
      const faults = await findLayerFaults(view.page, name)
      await showDark(view)
      faults.push(...(await findFaintLayerColours(view.page, `${name}, dark`)))
      expect(faults).toEqual([])
    }),
  )
})

it('a name that is cut, and a subject below the first screen of a phone, are faults', () =>
  withScreen('person', 'enterprise-teams', async (view) => {
    const { page } = view
    await page.addStyleTag({ content: '[data-kind="name"] * { max-width: 3ch; overflow: hidden }' })
    expect(await findPageFaults(page)).toContainEqual(
      expect.stringContaining('cut in a cell of the kind name'),
    )
    await showAt(view, phone.width)
    await page.addStyleTag({ content: 'main [data-subject] { margin-top: 800px }' })
    expect(await findPageFaults(page)).toContainEqual(expect.stringContaining('below the first screen'))
    await page.evaluate(`document.querySelectorAll('[data-subject]').forEach((one) => one.remove())`)
    expect(await findPageFaults(page)).toContain('the page has no subject')
  }))

it('every page of the router was looked at', async () => {
  const pages = await views.person.page.evaluate<string[]>(
    `Object.values(__TSR_ROUTER__.routesByPath).filter(({ options }) => options.component).map(({ fullPath }) => fullPath)`,
  )
  expect(pages.filter((path) => !seenPaths.has(path))).toEqual([])
})
