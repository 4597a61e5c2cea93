import { type Lang, reports } from '@busbar/contract'
import { reportsText as cn } from '../../console/src/shared/i18n/cn/reports.ts'
import { reportsText as en } from '../../console/src/shared/i18n/en/reports.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/** The texts of the reports, which come with their page. */
export const reportWords: Readonly<Record<Lang, typeof cn>> = { cn, en }

const demoNames = { cn: '注塑与供水日报', en: 'Moulding and water, daily' } as const

async function openList({ page, lang }: View): Promise<void> {
  await page.goto('/dataCenter/reports?eid=0')
  await page.getByText(demoNames[lang]).first().waitFor()
}

/** Opens the demo's report with its preview. */
async function openReport(view: View): Promise<void> {
  const { page, lang } = view
  await openList(view)
  await page.getByText(demoNames[lang]).first().click()
  await page.getByRole('button', { name: reportWords[lang].preview.show, exact: true }).click()
  await page.locator('img[src^="data:image/svg"]').first().waitFor()
}

/** Opens the demo's report with a recipient in each state, and a run with each result. */
async function openRecipients(view: View): Promise<void> {
  const { page, lang } = view
  const ok = (hwdata: unknown) => ({ json: { hwcode: 0, hwreason: 'OK', hwdata } })
  const nameOf = (place: number) => `${{ cn: '王建国', en: 'Ben Carter' }[lang]} ${place + 1}`
  const people = reports.recipientStates.map((state, place) => ({
    ...{ userId: 900 + place, name: nameOf(place), hasEmail: true, state },
  }))
  const contact = { id: 9, name: nameOf(9), email: 'maria.schneider-lindqvist@northern-dairy.example' }
  await page.route('**/api/v1/reports/recipients*', (route) =>
    route.fulfill(ok({ people, contacts: [contact] })),
  )
  const at = Date.now()
  const deliveries = reports.deliveryStates.map((state, place) => ({
    ...{ name: nameOf(place), isContact: false, state, unseen: 0 },
  }))
  await page.route('**/api/v1/reports/*/runs*', (route) =>
    route.fulfill(
      ok([
        {
          ...{
            id: 1,
            state: 'done',
            error: null,
            from: at - 86_400_000,
            to: at,
            at,
            isAsked: false,
            endedAt: at,
          },
          ...{ leftOut: [], files: [], deliveries },
        },
      ]),
    ),
  )
  await openList(view)
  await page.getByText(demoNames[lang]).first().click()
  await page.getByText(reportWords[lang].edit.states.asked).scrollIntoViewIfNeeded()
}

export const scheduledReportScreens: readonly Screen[] = [
  { name: 'scheduled-reports', signedIn: true, arrive: openList },
  { name: 'scheduled-report', signedIn: true, arrive: openReport },
  { name: 'scheduled-report-recipients', signedIn: true, arrive: openRecipients },
  {
    name: 'scheduled-report-new',
    signedIn: true,
    arrive: async (view) => {
      const { list, edit } = reportWords[view.lang]
      await openList(view)
      await view.page.getByRole('button', { name: list.add }).first().click()
      await view.page.getByRole('textbox', { name: edit.name }).waitFor()
    },
  },
]
