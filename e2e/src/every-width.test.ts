import { createDemoEnterprise } from '@busbar/platform/demo/demo-enterprise.ts'
import { demoTexts, deviceGroups } from '@busbar/platform/demo/demo-texts.ts'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, type TestUser } from '@busbar/testkit'
import { pickTurns } from '@busbar/testkit/turns.ts'
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { accountScreens } from './account-screens.ts'
import { agentConfigScreens } from './agent-config-screens.ts'
import { alarmLinkScreens } from './alarm-link-screens.ts'
import { alarmScreens } from './alarm-screens.ts'
import { backOfficeScreens } from './back-office-screens.ts'
import { consoleScreens, opened } from './console-screens.ts'
import { enterpriseScreens } from './enterprise-screens.ts'
import { messageScreens } from './message-screens.ts'
import { notificationScreens } from './notification-screens.ts'
import { findPageFaults } from './page-faults.ts'
import { retentionScreens } from './retention-screens.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

/* Every page of `npm run screens`, a sixth of them a run, at each width that a phone, a tablet or a screen has. */

const turns = 6

const widths = [1920, 1440, 1180, 1024, 834, 768, 390, 320] as const
const height = 900
const look: Look = { lang: 'en', theme: 'light', size: 'wide' }

/** Dialogs stand over one of these pages. */
const pages = {
  nobody: [
    ...['login', 'login-timeout', 'landing', 'register', 'forgotten', 'scada'],
    ...['mail-link-alarm', 'mail-link-alarm-confirmed', 'mail-link-unknown', 'mail-link-contact'],
    'mail-link-unsubscribe',
  ],
  person: [
    ...[
      'list',
      'list-empty-filter',
      'detail-variables',
      'rules',
      'alarm-centre-rules',
      'safety',
      'user-info',
      'add-phone',
      'security',
      'appearance',
    ],
    ...['modify-email', 'change-password', 'friends', 'messages', 'messages-sent', 'messages-visit'],
    ...['alarm-centre', 'alarm-centre-detail', 'alarm-centre-shelved', 'alarm-centre-empty'],
    'alarm-centre-quality',
    ...['notifications', 'notifications-sent', 'notifications-sales', 'notifications-email'],
    ...['notifications-escalation', 'notifications-settings'],
    ...['enterprise-devices', 'enterprise-device', 'enterprise-maintained', 'enterprise-members'],
    ...['enterprise-teams', 'enterprise-groups', 'enterprise-windows', 'enterprise-settings'],
    'enterprise-consent',
    ...['retention', 'retention-next', 'retention-wrong'],
    ...['drivers', 'drivers-nodes', 'drivers-registers', 'drivers-trial', 'drivers-off'],
  ],
  operator: [
    ...['overview', 'scada', 'machines', 'machineTypes', 'users', 'enterprises', 'brands', 'audit'],
    ...['user', 'user-audit', 'machine', 'enterprise'],
  ].map((part) => `back-office-${part}`),
} as const

const screens = [
  ...consoleScreens,
  ...accountScreens,
  ...enterpriseScreens,
  ...backOfficeScreens,
  ...messageScreens,
  ...alarmScreens,
  ...alarmLinkScreens,
  ...notificationScreens,
  ...retentionScreens,
  ...agentConfigScreens,
]

let site: Site
let browser: Browser
let db: Database
const people: { person?: TestUser; operator?: TestUser } = {}

/** A person with the devices and the enterprise that the demo's account has. */
async function createPlant(): Promise<TestUser> {
  const person = await createUser(db, { name: 'Wilhelmina Clarke' })
  const texts = demoTexts.en
  const trades = [...Object.keys(deviceGroups), 'water-treatment', 'injection-press'] as const
  const machineIds = new Map<string, number>()
  for (const trade of trades) {
    const name = texts.devices[trade as keyof typeof texts.devices] ?? opened.name.en
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
  await db
    .transaction()
    .execute((trx) =>
      createDemoEnterprise(trx, { lang: 'en', ownerId: person.userId, machineIds, madeAt: Date.now() }),
    )
  return person
}

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
  people.person = await createPlant()
  people.operator = await createUser(db, { name: 'Olga Op' })
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', people.operator.userId).execute()
})

describe.each(['nobody', 'person', 'operator'] as const)('at every width, seen by %s', (who) => {
  const share = Math.ceil(pages[who].length / turns)
  it.each(pickTurns(`every width, ${who}`, pages[who], share))(
    '%s neither scrolls away nor hides an action',
    (name) =>
      withView(
        browser,
        site,
        look,
        async (view) => {
          const screen = screens.find((one) => one.name === name)
          if (!screen) throw new Error(`no such screen: ${name}`)
          if (who !== 'nobody') await signInDirectly(view, site, db, people[who])
          const { page } = view
          await screen.arrive(view, undefined)
          const faults: Record<number, string[]> = {}
          for (const width of widths) {
            await page.setViewportSize({ width, height })
            await settle(view)
            const found = await findPageFaults(page)
            if (found.length) faults[width] = found
          }
          expect(faults).toEqual({})
        },
        { viewport: { width: widths[0], height } },
      ),
  )
})

// A text, because this project does not know the browser's types.
const settledScript = `new Promise((done) => {
  const look = () => {
    const shell = document.querySelector('[data-shell]')
    const isThere = !shell || shell.dataset.shell === (innerWidth < 768 ? 'narrow' : 'wide')
    requestAnimationFrame(isThere ? () => requestAnimationFrame(() => setTimeout(done, 30)) : look)
  }
  look()
})`

/** Waits for the shell of this width and for the page in it. */
const settle = ({ page }: View) => page.evaluate(settledScript)
