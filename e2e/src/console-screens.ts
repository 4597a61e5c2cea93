import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { detailPane } from './devices.ts'
import type { Screen } from './screen.ts'
import { checkout } from './site.ts'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'

/** The machine whose details are drawn: the first of the demo's. */
const [first] = JSON.parse(await readFile(join(checkout, 'simulator', 'demo-machines.json'), 'utf8')) as [
  { name: Record<Lang, string> },
]
/** The machine whose details are drawn; each language's account has its own. */
export const opened = { name: first.name, machineIds: { cn: 0, en: 0 } }

/** Signing in, the list and what opens from it. */
export const consoleScreens: readonly Screen[] = [
  {
    name: 'login',
    signedIn: false,
    arrive: async ({ page, t }) => {
      await page.goto('/login')
      await page.getByRole('heading', { name: t.login.title }).waitFor()
    },
  },
  {
    name: 'login-errors',
    signedIn: false,
    arrive: async ({ page, t }) => {
      await page.goto('/login')
      await page.getByRole('button', { name: t.login.submit, exact: true }).click()
      await page.getByText(t.login.errors.passwordMissing).waitFor()
    },
  },
  {
    name: 'login-timeout',
    signedIn: false,
    arrive: async ({ page, t }) => {
      await page.goto('/loginTimeout?to=%2Findex%2F')
      await page.getByRole('heading', { name: t.app.ended.title }).waitFor()
    },
  },
  { name: 'list', signedIn: true, arrive: (view) => arriveAtList(view) },
  {
    name: 'list-polling',
    signedIn: true,
    arrive: async (view) => {
      await view.page.routeWebSocket(/echo\.io/, (socket) =>
        socket.close({ code: 4429, reason: 'too many sockets' }),
      )
      await arriveAtList(view)
      await view.page.getByText(view.t.app.link.polling.title).waitFor()
    },
  },
  {
    name: 'list-empty-filter',
    signedIn: true,
    arrive: async (view) => {
      await view.page.goto('/index/?q=zzz')
      await view.page.getByText(view.t.machines.empty.noMatch).first().waitFor()
    },
  },
  {
    name: 'list-columns',
    signedIn: true,
    sizes: ['wide'],
    arrive: async (view) => {
      await arriveAtList(view)
      await view.page.getByRole('button', { name: view.t.table.view, exact: true }).click()
      await view.page.getByRole('dialog', { name: view.t.table.view }).waitFor()
    },
  },
  { name: 'list-selected', signedIn: true, arrive: selectDevices },
  {
    name: 'list-bulk-groups',
    signedIn: true,
    arrive: (view) => openBulk(view, 'groups'),
  },
  {
    name: 'list-bulk-remove',
    signedIn: true,
    arrive: (view) => openBulk(view, 'remove'),
  },
  {
    name: 'detail',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view)
      await pane.locator('canvas').first().waitFor()
    },
  },
  {
    name: 'detail-variables',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view, 'variables')
      await pane.getByRole('row').nth(3).waitFor()
    },
  },
  {
    name: 'detail-bottom',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view)
      await pane.locator('canvas').first().waitFor()
      await pane.getByText(view.t.machines.facts.cloud, { exact: true }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'history',
    signedIn: true,
    arrive: (view) => arriveAtHistory(view),
  },
  {
    name: 'history-large',
    signedIn: true,
    sizes: ['wide'],
    arrive: async (view) => {
      await arriveAtHistory(view, '&last=86400000&large=true')
      await chooseHistoryTags(view, 5)
      const { page } = view
      await page.locator('[role="application"]:not([aria-busy])').waitFor()
      const box = await page.getByRole('application').boundingBox()
      if (box) await page.mouse.move(box.x + box.width * 0.62, box.y + box.height * 0.3)
    },
  },
  {
    name: 'history-picker',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtHistory(view)
      await view.page.getByRole('button', { name: view.t.history.add }).click()
    },
  },
  {
    name: 'history-table',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtHistory(view)
      await view.page.getByRole('button', { name: view.t.history.showTable }).click()
      await view.page.getByRole('table').waitFor()
    },
  },
  {
    name: 'raw',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view, 'raw')
      await pane.locator('button[aria-expanded]').nth(1).click()
    },
  },
  {
    name: 'rules',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view, 'rules')
      await pane.getByText(view.t.alarmRules.lead).first().waitFor()
    },
  },
  {
    name: 'rule-editor',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view, 'rules')
      await pane.getByRole('button', { name: view.t.alarmRules.add }).click()
      await view.page.getByRole('dialog', { name: view.t.alarmRules.editor.add }).waitFor()
    },
  },
  {
    name: 'alarm-centre-rules',
    signedIn: true,
    arrive: async (view) => {
      await view.page.goto('/alarmCenter/rules')
      await view.page.getByText(view.t.alarmRules.lead).first().waitFor()
    },
  },
  {
    name: 'facts',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view, 'network')
      await pane.getByText(view.t.facts.clock, { exact: true }).waitFor()
    },
  },
  {
    name: 'facts-language',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view, 'network')
      await pane.getByText(view.t.facts.otherTopicsHint).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'place',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view, 'place')
      await pane.getByRole('heading', { name: /^(?:历史位置|Past places)$/ }).waitFor()
      await pane.locator('.maplibregl-map').first().waitFor()
    },
  },
  {
    name: 'place-by-hand',
    signedIn: true,
    arrive: async (view) => {
      const pane = await arriveAtDetail(view, 'place')
      await pane.getByRole('button', { name: /^(?:手动设置位置|Set by hand)$/ }).click()
      await view.page.getByRole('dialog').last().getByRole('radiogroup').waitFor()
    },
  },
  {
    name: 'detail-alarm',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtList(view)
      const { page } = view
      // The top row is a machine in trouble.
      await page.locator('[data-state]').first().click()
      await page.getByRole('tabpanel').locator('canvas').first().waitFor()
    },
  },
  {
    name: 'alarms',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtList(view)
      const { page, t } = view
      await page.locator('[data-state]').first().click()
      await page.getByRole('tab', { name: new RegExp(`^${t.machines.alarms.tab}`) }).click()
      await page.getByRole('button', { name: t.machines.alarms.history }).first().waitFor()
    },
  },
  {
    name: 'add',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtList(view)
      await openAddDialog(view)
    },
  },
  {
    name: 'add-errors',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtList(view)
      const dialog = await openAddDialog(view)
      const words = view.t.machines.addDialog
      await dialog.getByLabel(words.code).fill('3020 8829 5104 0806 71')
      await dialog.getByRole('button', { name: words.submit, exact: true }).click()
      await dialog.getByText(words.problems.nameEmpty).waitFor()
    },
  },
  {
    name: 'user-panel',
    signedIn: true,
    arrive: async (view) => {
      const { page, t, size } = view
      await arriveAtList(view)
      if (size === 'narrow')
        await page.getByRole('button', { name: t.app.menu.entries.more, exact: true }).click()
      else await page.getByRole('button', { name: t.app.header.user }).click()
      const title = size === 'narrow' ? t.app.menu.entries.more : t.app.user.title
      await page.getByRole('dialog', { name: title }).waitFor()
    },
  },
  {
    name: 'palette',
    signedIn: true,
    sizes: ['wide'],
    arrive: async (view) => {
      await arriveAtList(view)
      await view.page.keyboard.press('Control+k')
      await view.page.getByRole('combobox').waitFor()
    },
  },
  {
    name: 'shortcuts',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtList(view)
      await view.page.keyboard.press('?')
      await view.page.getByRole('dialog', { name: view.t.shortcuts.title }).waitFor()
    },
  },
  {
    name: 'unreachable',
    signedIn: true,
    arrive: async (view) => {
      await arriveAtList(view)
      await view.context.setOffline(true)
      await view.page.getByText(view.t.app.link.gone.title).waitFor()
    },
  },
  {
    name: 'outdated',
    signedIn: true,
    arrive: async (view) => {
      await view.page.route('**/assets/machine-detail-pane*.js', (route) => route.fulfill({ status: 404 }))
      await arriveAtList(view)
      await view.page.locator('[data-state]').first().click()
      await view.page.getByText(view.t.app.part.outdated).waitFor()
    },
  },
  {
    name: 'safety',
    signedIn: true,
    arrive: async ({ page, t }) => {
      await page.goto('/safety')
      await page.getByText(t.safety.current, { exact: true }).waitFor()
    },
  },
]

/** Opens the list and waits for its machines. */
export async function arriveAtList({ page, t, size }: View): Promise<void> {
  await page.goto('/index/')
  await page.getByRole(size === 'wide' ? 'grid' : 'list', { name: t.machines.list.label }).waitFor()
  await page.locator('[data-state]').first().waitFor()
}

async function arriveAtDetail(view: View, tab = '') {
  await view.page.goto(`/index/?machine=${opened.machineIds[view.lang]}${tab && `&tab=${tab}`}`)
  return detailPane(view, opened.name[view.lang])
}

async function arriveAtHistory(view: View, search = ''): Promise<void> {
  await arriveAtDetail(view, `history${search}`)
  await view.page.getByRole('application').locator('canvas').first().waitFor()
}

/** Adds the first few of the machine's variables to the present one. */
async function chooseHistoryTags({ page, t }: View, count: number): Promise<void> {
  await page.getByRole('button', { name: t.history.add }).click()
  const picker = page.getByRole('dialog', { name: t.history.picker.title })
  const unchecked = picker.locator('[role="row"] input[type="checkbox"]:not(:checked)')
  for (let chosen = 1; chosen < count; chosen++) await unchecked.last().check()
  await picker.getByRole('button', { name: t.history.picker.show(count), exact: true }).click()
}

async function openAddDialog({ page, t }: View) {
  await page.getByRole('button', { name: t.machines.add }).first().click()
  const dialog = page.getByRole('dialog', { name: t.machines.addDialog.title })
  await dialog.waitFor()
  return dialog
}

/** Selects every device of the list. */
async function selectDevices(view: View): Promise<void> {
  const { page, t, size } = view
  await arriveAtList(view)
  if (size === 'wide') return page.getByRole('checkbox', { name: t.table.selectAll }).check()
  await page.getByRole('button', { name: t.machines.list.select }).click()
  await page.getByRole('button', { name: t.table.selectAll }).click()
}

/** Opens the dialog of an act on all devices. */
async function openBulk(view: View, kind: 'groups' | 'remove'): Promise<void> {
  await selectDevices(view)
  const { page, t } = view
  await page
    .getByRole('toolbar', { name: t.table.bulk })
    .getByRole('button', { name: t.machineEdit.bulk[kind] })
    .click()
  await page.getByRole('dialog').waitFor()
}
