import { type Lang, reports } from '@busbar/contract'
import { reportsText as cn } from '../../console/src/shared/i18n/cn/reports.ts'
import { reportsText as en } from '../../console/src/shared/i18n/en/reports.ts'
import type { Screen } from './screen.ts'
import { clientOf, type View } from './view.ts'

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

/** Opens the demo's report, which was run, with those whom it may be sent to. */
async function openRecipients(view: View): Promise<void> {
  const { page, lang } = view
  const client = await clientOf(view)
  const [first] = await client.call(reports.listReports, {})
  if (!first) throw new Error('the demo has no report')
  const { name, schedule, content, formats, ...report } = await client.call(reports.getReport, first)
  const { machineIds } = content
  const { people, contacts } = await client.call(reports.listReportRecipients, { machineIds })
  const recipients = {
    userIds: people.map(({ userId }) => userId),
    contactIds: contacts.map(({ id }) => id),
  }
  if (report.recipients.userIds.length < people.length) {
    await client.call(reports.updateReport, { id: first.id, name, schedule, content, formats, recipients })
    await client.call(reports.runReport, { id: first.id, send: true })
  }
  await openList(view)
  await page.getByText(demoNames[lang]).first().click()
  await page.getByText(reportWords[lang].edit.contacts).first().scrollIntoViewIfNeeded()
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
