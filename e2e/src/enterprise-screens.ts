import { type enterprises, machines } from '@busbar/contract'
import { demoTexts } from '@busbar/platform/demo/demo-texts.ts'
import { handoverChoice as cn } from '../../console/src/shared/i18n/cn/handover-choice.ts'
import { handoverChoice as en } from '../../console/src/shared/i18n/en/handover-choice.ts'
import { sceneScreen } from './scene-screen.ts'
import type { Screen } from './screen.ts'
import { openSwitcher, type View } from './view.ts'

/* The demo's enterprise, as seen by one of its owners. */

const handoverOf = (lang: 'cn' | 'en') => ({ cn, en })[lang]

/** The enterprise of the demo's people. */
async function findEid({ context, page }: View): Promise<number> {
  const origin = new URL(page.url()).origin
  const answer = await context.request.post('/api/enterprises/userEnterpriseList', {
    data: {},
    headers: { origin },
  })
  const { hwdata } = (await answer.json()) as { hwdata: { eid: number }[] }
  return hwdata[0]?.eid ?? 0
}

/** Goes to an address of the enterprise and waits until a part of it can be read. */
async function arrive(view: View, address: string, word: string): Promise<void> {
  await view.page.goto('/safety')
  const eid = await findEid(view)
  await view.page.goto(`${address}${address.includes('?') ? '&' : '?'}eid=${eid}`)
  await view.page.getByText(word).first().waitFor()
}

function screen(
  name: string,
  address: string,
  word: (view: View) => string,
  then?: (view: View) => Promise<void>,
): Screen {
  return {
    name: `enterprise-${name}`,
    signedIn: true,
    arrive: async (view) => {
      await arrive(view, address, word(view))
      await then?.(view)
    },
  }
}

const pressButton = async ({ page }: View, name: string) => page.getByRole('button', { name }).click()

/** The names of the demo in the account's language. */
const lathe = ({ lang }: View) => demoTexts[lang].devices['cnc-lathe']
const waterPlant = ({ lang }: View) => demoTexts[lang].devices['water-treatment']
const member = ({ lang }: View) => demoTexts[lang].people['wang.lei']
const team = ({ lang }: View) => demoTexts[lang].teams.manage
const group = ({ lang }: View) => demoTexts[lang].groups.machining
const reason = ({ lang }: View) => demoTexts[lang].reasons.check

/** Its lists, and everything on its administration page. */
export const enterpriseScreens: readonly Screen[] = [
  screen('devices', '/device/?type=1', lathe),
  screen('device', '/device/?type=1', lathe, async (view) => {
    const { page, t } = view
    await page.getByText(lathe(view)).click()
    await page.getByText(t.enterprises.devices.team).waitFor()
    await page.locator('canvas').first().waitFor()
  }),
  screen('device-transfer', '/device/?type=1', lathe, async (view) => {
    const { page, t } = view
    await page.getByText(lathe(view)).click()
    await page.getByRole('tab', { name: t.enterprises.devices.edit }).click()
    await pressButton(view, t.enterprises.devices.transfer)
    await page.getByText(t.machineEdit.transfer.bodyOfSpace).waitFor()
  }),
  sceneScreen('enterprise-offers', async (view, { guest, offered }) => {
    await view.page.goto('/safety')
    const eid = await findEid(view)
    await guest.call(machines.offerMachine, { machineID: offered.machineId, eid })
    await arrive(view, '/device/?type=1', view.t.machineEdit.transfer.accept)
  }),
  screen('add-errors', '/device/?type=1', lathe, async (view) => {
    const words = view.t.machines.addDialog
    await pressButton(view, view.t.enterprises.devices.add)
    await view.page.getByRole('dialog').getByRole('button', { name: words.submit, exact: true }).click()
    await view.page.getByText(words.problems.passwordEmpty).waitFor()
  }),
  screen('maintained', '/device/?type=2', waterPlant),
  screen('ask', '/device/?type=2', waterPlant, (view) => pressButton(view, view.t.enterprises.devices.ask)),
  screen('members', '/enterprise/', member),
  screen('invite', '/enterprise/', member, (view) =>
    pressButton(view, view.t.enterprises.manage.members.invite),
  ),
  screen('teams', '/enterprise/?tab=teams', team),
  screen('team', '/enterprise/?tab=teams', team, async (view) => {
    const { page, t, lang } = view
    await page.getByRole('button', { name: t.enterprises.manage.teams.edit(team(view)) }).click()
    await page.getByRole('dialog').getByText(demoTexts[lang].people['chen.jing']).waitFor()
  }),
  screen('groups', '/enterprise/?tab=groups', group),
  screen('windows', '/enterprise/?tab=maintenance', reason),
  screen('settings', '/enterprise/?tab=settings', ({ t }) => t.enterprises.manage.settings.platformName),
  screen(
    'delete',
    '/enterprise/?tab=settings',
    ({ t }) => t.enterprises.manage.leaving.hint,
    (view) => pressButton(view, view.t.enterprises.manage.leaving.name),
  ),
  screen(
    'delete-ask',
    '/enterprise/?tab=settings',
    ({ t }) => t.enterprises.manage.leaving.hint,
    async (view) => {
      const { page, t, lang } = view
      await pressButton(view, t.enterprises.manage.leaving.name)
      await page.getByText(handoverOf(lang).toSomebody, { exact: true }).click()
      await page.getByRole('button', { name: handoverOf(lang).ask, exact: true }).waitFor()
    },
  ),
  screen(
    'delete-accepted',
    '/enterprise/?tab=settings',
    ({ t }) => t.enterprises.manage.leaving.hint,
    async (view) => {
      const { page, t, lang } = view
      const handover: enterprises.Handover = {
        id: 1,
        state: 'accepted',
        to: 'Dana Fox',
        toUserId: 1,
        toEid: null,
        devices: 12,
        expireAt: Date.now() + 864_000_000,
      }
      await page.route('**/api/enterprises/v1/*/handover', (route) =>
        route.fulfill({ json: { hwcode: 0, hwreason: 'OK', hwdata: { handover } } }),
      )
      await pressButton(view, t.enterprises.manage.leaving.name)
      await page.getByRole('button', { name: handoverOf(lang).withdraw }).waitFor()
    },
  ),
  screen('notifications', '/alarmCenter/notifications', ({ t }) => t.notifications.balance.title),
  screen('notifications-shared', '/alarmCenter/notifications', lathe, async (view) => {
    const { page } = view
    await page.getByRole('main').getByText(lathe(view), { exact: true }).first().click()
    await page.getByRole('dialog').waitFor()
  }),
  screen('notifications-members', '/alarmCenter/notifications?list=members', member),
  screen(
    'notifications-allocations',
    '/alarmCenter/notifications?list=allocations',
    ({ t }) => t.notifications.allocations.empty,
  ),
  screen(
    'notifications-email',
    '/alarmCenter/notifications?part=email',
    ({ t }) => t.notifications.contacts.title,
  ),
  screen(
    'notifications-contact',
    '/alarmCenter/notifications?part=email',
    ({ t }) => t.notifications.contacts.title,
    async (view) => {
      await view.page.getByRole('button', { name: view.t.notifications.contacts.add }).first().click()
      await view.page.getByRole('dialog').getByText(lathe(view)).waitFor()
    },
  ),
  screen(
    'notifications-escalation',
    '/alarmCenter/notifications?part=escalation',
    ({ t }) => t.notifications.escalation.stopsTitle,
  ),
  screen(
    'notifications-settings',
    '/alarmCenter/notifications?part=settings',
    ({ t }) => t.notifications.settings.limits,
  ),
  screen('notifications-give', '/alarmCenter/notifications?list=members', member, async (view) => {
    const { page, t } = view
    // The demo's enterprise is without a balance, so allocation would be impossible.
    await page.route('**/api/msg/v1/ent/sms/user/stocks*', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      body.hwdata.stock = 480
      await route.fulfill({ response: answer, json: body })
    })
    await page.reload()
    await page.getByRole('button', { name: t.notifications.members.giveTo(member(view)) }).click()
    await page.getByRole('dialog').getByRole('spinbutton').fill('120')
  }),
  screen('consent', '/maintenance', ({ t }) => t.enterprises.maintenance.requests),
  screen('user-panel', '/device/?type=1', lathe, async ({ page, t, size }) => {
    const { more } = t.app.menu.entries
    const opener = size === 'narrow' ? { name: more, exact: true } : { name: t.app.header.user }
    await page.getByRole('button', opener).click()
    await page.getByRole('dialog', { name: size === 'narrow' ? more : t.app.user.title }).waitFor()
  }),
  {
    ...screen('tv', '/device/?type=1&client=tv', lathe, async ({ page, t }) => {
      await page.getByRole('button', { name: t.app.menu.tv }).press('Enter')
      await page.getByRole('menuitem', { name: t.app.menu.entries.messages }).waitFor()
    }),
    sizes: ['wide'],
  },
  screen('spaces', '/device/?type=1', lathe, async (view) => {
    const { page, t } = view
    await openSwitcher(view)
    await page.getByRole('menuitem', { name: t.enterprises.space.create }).waitFor()
  }),
]
