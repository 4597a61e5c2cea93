import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/* The notifications of the demo: its devices, the mails of its past alarms, and what is set. */

function screen(name: string, search: string, arrived: (view: View) => Promise<void>): Screen {
  return {
    name: `notifications${name}`,
    signedIn: true,
    async arrive(view) {
      await view.page.goto(`/alarmCenter/notifications?eid=0${search}`)
      await arrived(view)
    },
  }
}

/** The notifications of a person: each part, and each list of SMS. */
export const notificationScreens: readonly Screen[] = [
  screen('', '', ({ page, t }) =>
    page
      .getByRole('switch', { name: t.notifications.devices.switchSms('') })
      .first()
      .waitFor(),
  ),
  screen('-sent', '&list=sent', ({ page, t }) => page.getByText(t.notifications.sent.empty).waitFor()),
  screen('-sales', '&list=sales', ({ page, t }) => page.getByText(t.notifications.sales.empty).waitFor()),
  screen('-email', '&part=email', ({ page }) => page.getByText('night-shift@example.com').first().waitFor()),
  screen('-escalation', '&part=escalation', async ({ page, t }) => {
    await page.getByRole('button', { name: t.notifications.escalation.add, exact: true }).click()
    await page.getByRole('heading', { name: t.notifications.escalation.step('1') }).waitFor()
  }),
  screen('-settings', '&part=settings', ({ page, t }) =>
    page.getByRole('switch', { name: t.notifications.settings.browser }).waitFor(),
  ),
]
