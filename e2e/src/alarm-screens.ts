import type { Screen } from './screen.ts'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'

/* The alarm centre with the demo's week of alarms. */

/** Finds an alarm and opens it. */
async function open({ page, lang, t }: View, alarm: Record<Lang, string>): Promise<void> {
  await page.getByRole('searchbox', { name: t.alarms.list.search }).fill(alarm[lang])
  await page.locator('main').getByText(alarm[lang]).first().click()
  await page.locator('[data-pane] h3').first().waitFor()
}

const drop = { cn: '出口压力', en: 'Outlet pressure' }
const calibration = { cn: '流量计到期检定', en: 'Flow meter due' }

function screen(name: string, then?: (view: View) => Promise<void>): Screen {
  return {
    name: `alarm-centre${name}`,
    signedIn: true,
    async arrive(view) {
      const { page } = view
      await page.goto('/alarmCenter?eid=0')
      await page.locator('main [data-subject]').first().waitFor()
      await then?.(view)
    },
  }
}

/** The alarm centre: the list, an alarm in each state with its actions, the dialogs, and quality. */
export const alarmScreens: readonly Screen[] = [
  screen(''),
  screen('-detail', (view) => open(view, drop)),
  screen('-shelved', (view) => open(view, calibration)),
  screen('-empty', async ({ page, t }) => {
    await page.getByRole('searchbox', { name: t.alarms.list.search }).fill('zzz')
    await page.getByText(t.table.noMatch).waitFor()
  }),
  screen('-shelve', async (view) => {
    const { page, t } = view
    await open(view, drop)
    await page.locator('[data-pane]').getByRole('button', { name: t.alarms.acts.shelve, exact: true }).click()
    await page.getByRole('dialog', { name: t.alarms.acts.shelveTitle(1) }).waitFor()
  }),
  screen('-acknowledge', async ({ page }) => {
    await page.locator('[data-acknowledges]').first().click()
    await page.getByRole('dialog').waitFor()
  }),
  {
    name: 'alarm-centre-quality',
    signedIn: true,
    async arrive({ page, t }) {
      await page.goto('/alarmCenter/quality?eid=0')
      await page.getByRole('heading', { name: t.alarms.quality.worst }).waitFor()
    },
  },
]
