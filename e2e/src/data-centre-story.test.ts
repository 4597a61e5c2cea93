import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMember,
  createUser,
  type TestEnterprise,
  type TestUser,
} from '@busbar/testkit'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { readPdf } from '@busbar/testkit/pdf.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { boardWords } from './board-screens.ts'
import { dragOver, xOf, yOf } from './chart-place.ts'
import { readDownload } from './downloads.ts'
import { type Exim, mailDomain, startExim } from './exim.ts'
import { explorerWords } from './explorer-screens.ts'
import { checkVariables, compareWithWeekBefore, writeNote } from './explorer-steps.ts'
import { exportWords } from './export-screens.ts'
import { sendSamples } from './ingest.ts'
import type { Mail } from './mail.ts'
import { reportWords } from './scheduled-report-screens.ts'
import { shareSite } from './shared-site.ts'
import { type OwnSite, startSite } from './site.ts'
import { spikeHours, spikeValue } from './spike.ts'
import { startTestClock, type TestClock } from './test-clock.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

/* A spike from the curve to a weekly report, with a real mail server and another program that reads the pdf. */

const desk = { lang: 'cn', theme: 'light', size: 'wide' } as const satisfies Look
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
/** Asia/Shanghai, the zone of every browser here; its clocks do not change. */
const zoneMs = 8 * hourMs
const monday = 1
const wednesday = 3
/** As the form of a report proposes it for a week. */
const weekly = { every: 'week', weekday: monday, monthDay: 1, hour: 7 } as const

/** The owner of the enterprise and a colleague. */
const names = ['王强', '李娜'] as const
const accounts = [`wang@${mailDomain}`, `li@${mailDomain}`] as const
const devices = ['冲压机一号', '冲压机二号', '冲压机三号']
const enterpriseName = '北方铸造'
const noteText = '换模后温度超限'
const boardName = '温度超限'
const reportName = '冲压机温度周报'

/** The first time after an instant at which the clocks of the zone show an hour of a day of the week; 1 is Monday. */
function nextAt(weekday: number, hour: number, after: number): number {
  const today = Math.floor((after + zoneMs) / dayMs)
  // 1970-01-01 was a Thursday.
  const days = (weekday - 1 - ((today + 3) % 7) + 7) % 7
  const at = (today + days) * dayMs + hour * hourMs - zoneMs
  return at > after ? at : at + weekMs
}

let clock: TestClock
let exim: Exim
let site: OwnSite
let browser: Browser
let db: Database
let enterprise: TestEnterprise
let mate: TestUser
/** Yesterday at 14:00. */
let spikeAt: number

beforeAll(async () => {
  ;[clock, exim, { browser }] = await Promise.all([startTestClock(), startExim(), shareSite()])
  // In the middle of a week: yesterday is in the week that the next report is about.
  const now = nextAt(wednesday, 12, clock.now())
  await clock.putForward(now - clock.now())
  spikeAt = now - 22 * hourMs
  const port = await findFreePort('127.0.0.1')
  site = await startSite({
    env: {
      ...clock.env,
      SMTP_URL: exim.url,
      EMAIL_SENDER: `report@${mailDomain}`,
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
    },
  })
  db = await site.openDatabase()
  enterprise = await createEnterprise(db, enterpriseName)
  mate = await createMember(db, enterprise.eid, 'member', ['view'])
  for (const [{ userId }, name, email] of [
    [enterprise.owner, names[0], accounts[0]],
    [mate, names[1], accounts[1]],
  ] as const)
    await db.updateTable('users').set({ name, email }).where('id', '=', userId).execute()
  for (const name of devices)
    await sendSamples(site, await createEnterpriseMachine(db, enterprise.eid, { name }), spikeHours(spikeAt))
})

afterAll(async () => {
  await db?.destroy()
  await site?.stop()
  await Promise.all([exim?.close(), clock?.close()])
})

/** Opens a browser that goes by the moved clock, signed in. */
const withPerson = (user: TestUser, work: (view: View) => Promise<void>) =>
  withView(browser, site, desk, async (view) => {
    await clock.moveBrowser(view.context)
    await signInDirectly(view, site, db, user)
    await work(view)
    expect(view.complaints).toEqual([])
  })

/** The stretch of time that the address of the explorer says. */
function shownRange({ page }: View): { from: number; to: number } {
  const search = new URL(page.url()).searchParams
  return { from: Number(search.get('from')), to: Number(search.get('until')) }
}

/** The pdf in the mail of a report, as text. */
async function readReport({ files }: Mail): Promise<string> {
  const [pdf] = files
  expect(files).toMatchObject([{ type: 'application/pdf', name: expect.stringContaining(reportName) }])
  return readPdf(pdf?.bytes ?? Buffer.alloc(0))
}

it(
  'finds yesterday’s spike on three devices, marks and compares it, shares it as a board, exports its hours, and gets it each Monday as pdf',
  () =>
    withPerson(enterprise.owner, async (view) => {
      const { page, t } = view
      const words = explorerWords[desk.lang]
      const { eid } = enterprise
      await page.goto(`/dataCenter/explorer?eid=${eid}`)
      await (await checkVariables(view, devices, 'temp')).click()

      // Yesterday: one value of each device stands out, and a drag over its hours shows it near.
      await page.locator(`[data-tip="${t.history.custom.title}"]`).click()
      await page.getByRole('button', { name: t.history.custom.yesterday, exact: true }).click()
      const statistics = page.getByRole('table', { name: words.statistics.title })
      const spikeRow = (name: string) =>
        statistics.getByRole('row', { name: new RegExp(`^${name}.*${spikeValue}`) })
      for (const name of devices) await spikeRow(name).waitFor()
      const chart = page.getByRole('application')
      const legend = page.locator('[data-legend]')
      await expect.poll(() => legend.count()).toBe(devices.length)
      const yesterday = shownRange(view)
      await dragOver(chart, { from: spikeAt - hourMs, to: spikeAt + hourMs }, yesterday)
      await expect.poll(() => shownRange(view)).not.toEqual(yesterday)
      const hours = shownRange(view)
      expect(Math.abs(hours.to - hours.from - 2 * hourMs)).toBeLessThan(10 * minuteMs)
      for (const name of devices) await spikeRow(name).waitFor()

      await writeNote(view, noteText)
      const earlier = await compareWithWeekBefore(view)
      await expect.poll(() => earlier.count()).toBe(devices.length)
      // The cursor tells both weeks: the spike, and the usual value.
      await page.mouse.move(await xOf(chart, spikeAt + minuteMs / 3, hours), await yOf(chart))
      await expect.poll(() => legend.filter({ hasText: String(spikeValue) }).count()).toBe(devices.length)
      await expect.poll(() => earlier.filter({ hasText: /\b60\b/ }).count()).toBe(devices.length)
      await page.mouse.move(0, 0)
      const pictureAddress = page.url()

      // Views a personal board, and then the enterprise's.
      await page.getByRole('button', { name: words.use }).click()
      await page.getByRole('menuitem', { name: words.board.action }).click()
      const boardDialog = page.getByRole('dialog', { name: words.board.title })
      await boardDialog.getByRole('button', { name: words.board.where }).click()
      await page.getByRole('option', { name: words.board.freshOwn }).click()
      await boardDialog.getByRole('textbox', { name: words.board.name }).fill(boardName)
      await boardDialog.getByRole('button', { name: words.board.add, exact: true }).click()
      await page.getByRole('button', { name: words.board.open }).click()
      await page.getByRole('heading', { name: boardName }).waitFor()
      await expect.poll(() => legend.count()).toBe(devices.length)
      const { list, view: boardView } = boardWords[desk.lang]
      await page.getByRole('button', { name: boardView.more, exact: true }).click()
      await page.getByRole('menuitem', { name: list.copyTo(enterpriseName) }).click()
      await page.getByText(list.copied(boardName)).waitFor()

      await withPerson(mate, async (other) => {
        await other.page.goto(`/dataCenter?eid=${eid}`)
        await other.page.getByText(boardName).first().click()
        await other.page.getByRole('heading', { name: boardName }).waitFor()
        const curves = other.page.getByRole('application').locator('[data-legend]')
        for (const name of devices) await curves.filter({ hasText: name }).waitFor()
        // The link of the picture has the comparison and the note.
        await other.page.goto(pictureAddress)
        await other.page.getByRole('region', { name: t.history.notes.title }).getByText(noteText).waitFor()
        await expect.poll(() => other.page.locator('[data-legend]').count()).toBe(2 * devices.length)
      })
      // A stranger gets an explanation, and no name.
      await withPerson(await createUser(db), async ({ page: other }) => {
        await other.goto(pictureAddress.replace(`eid=${eid}`, 'eid=0'))
        await other.getByText(words.allMissing).waitFor()
        expect(await other.locator('body').textContent()).not.toContain(devices[0])
      })

      // The hours as a file.
      await page.goBack()
      await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
      await page.getByRole('button', { name: words.use }).click()
      await page.getByRole('menuitem', { name: words.exports }).click()
      const exporting = exportWords[desk.lang]
      const exportDialog = page.getByRole('dialog', { name: exporting.add })
      await exportDialog.waitFor()
      expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
      await exportDialog.getByRole('button', { name: exporting.form.format }).click()
      await page.getByRole('option', { name: 'csv' }).click()
      await exportDialog
        .getByRole('button', { name: exporting.form.submit(devices.length), exact: true })
        .click()
      await page.getByText(exporting.states.ready).first().waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: new RegExp(exporting.downloadOf('.+')) }).click()
      const [head = [], ...rows] = (await readDownload(await download))
        .trim()
        .split('\r\n')
        .map((line) => line.split(','))
      expect(head.slice(1)).toEqual(devices.map((name) => `${name} / temp`))
      const sent = spikeHours(spikeAt).filter(({ ts }) => ts >= hours.from && ts < hours.to)
      expect(rows.map((cells) => cells.slice(1).map(Number))).toEqual(
        sent.map(({ values }) => devices.map(() => values.temp)),
      )
      expect(rows.filter((cells) => cells.includes(String(spikeValue))).map(([time]) => time)).toEqual([
        expect.stringContaining(' 14:00:00'),
      ])

      await page.getByRole('button', { name: new RegExp(exporting.removeOf('.+')) }).click()
      await page.getByText(exporting.empty).waitFor()

      // Every Monday at 7 as pdf, to both, of whom the colleague is asked first.
      await page.goto(pictureAddress)
      await page.getByRole('button', { name: words.use }).click()
      await page.getByRole('menuitem', { name: words.reports }).click()
      const { edit, preview, schedule, runs } = reportWords[desk.lang]
      await page.getByText(t.history.picker.chosen(devices.length, 60)).waitFor()
      await page.getByRole('textbox', { name: edit.name }).fill(reportName)
      await page.getByRole('button', { name: edit.every }).click()
      await page.getByRole('option', { name: schedule.every.week }).click()
      const people = page.getByRole('group', { name: edit.people, exact: true })
      // The author is chosen already.
      await people.getByRole('option', { name: names[0], selected: true }).waitFor()
      await people.getByRole('option', { name: names[1] }).click()
      await page.getByRole('button', { name: preview.show, exact: true }).click()
      await page.getByRole('img', { name: /^第 1 页/ }).waitFor({ timeout: 30_000 })
      await page.getByRole('button', { name: edit.save, exact: true }).click()
      await page.getByText(schedule.words({ ...weekly, timeZone: 'Asia/Shanghai' })).waitFor()
      const reportAddress = page.url()
      expect(await exim.waitForMails(accounts[1], 1)).toMatchObject([{ files: [] }])
      await withPerson(mate, async ({ page: other, t: texts }) => {
        const { accept, accepted } = texts.messages.reportRequest
        await other.goto('/msgCenter')
        await other.getByRole('list', { name: texts.messages.list }).getByRole('listitem').first().click()
        await other.getByRole('button', { name: accept, exact: true }).click()
        await other.getByText(accepted).waitFor()
      })

      await clock.putForward(nextAt(monday, 7, clock.now()) - clock.now())
      for (const [place, account] of accounts.entries()) {
        const mail = (await exim.waitForMails(account, place + 1)).at(-1)
        if (!mail) throw new Error('The report did not come.')
        expect(mail.subject).not.toContain(reportName)
        const text = await readReport(mail)
        expect(text).toContain(reportName)
        for (const name of devices) expect(text).toContain(name)
        expect(text.match(new RegExp(`\\btemp\\b.*\\b60\\b.*\\b${spikeValue}\\b`, 'g'))).toHaveLength(
          devices.length,
        )
      }
      await page.goto(reportAddress)
      await page.getByText(runs.states.done, { exact: true }).waitFor()
      expect(await page.getByText(runs.deliveries.sent).count()).toBe(2)

      await clock.putForward(weekMs)
      const [, second] = await exim.waitForMails(accounts[0], 2)
      if (!second) throw new Error('The report of the second Monday did not come.')
      expect(await readReport(second)).not.toMatch(new RegExp(`\\b${spikeValue}\\b`))
    }),
  120_000,
)
