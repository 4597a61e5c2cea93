import type { operator } from '@busbar/contract'
import { createMachine, createUser, type TestUser } from '@busbar/testkit'
import { expect, it } from 'vitest'
import { operatorText as cn } from '../../console/src/shared/i18n/cn/operator.ts'
import { tableFileText as tableCn } from '../../console/src/shared/i18n/cn/table-file.ts'
import { operatorText as en } from '../../console/src/shared/i18n/en/operator.ts'
import { table } from '../../console/src/shared/i18n/en/table.ts'
import { tableFileText as tableEn } from '../../console/src/shared/i18n/en/table-file.ts'
import { readDownload } from './downloads.ts'
import { findRow } from './rows.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

const { site, browser, db } = await shareSite()

const english: Look = { lang: 'en', theme: 'light', size: 'wide' }
const narrowDark: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }
const texts = { cn, en }
const tableTexts = { cn: tableCn, en: tableEn }

async function createOperator(): Promise<TestUser> {
  const user = await createUser(db, { name: 'Olga Op' })
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', user.userId).execute()
  return user
}

/** Opens a part of the back office as an operator. */
async function openPart(view: View, part: string): Promise<void> {
  await signInDirectly(view, site, db, await createOperator())
  await view.page.goto(`/backManage?part=${part}`)
  await view.page.getByRole('heading', { name: texts[view.lang].title, level: 1 }).waitFor()
}

it('the back office tells people who are not operators that it is not for them', async () => {
  await withView(browser, site, english, async (view) => {
    await signInDirectly(view, site, db)
    await view.page.goto('/backManage?part=outbox')
    await view.page.getByRole('heading', { name: 'User does not have permission to operate' }).waitFor()
    expect(await view.page.getByText(en.outbox.lead).count()).toBe(0)
  })
})

it('an operator registers machines from a file of a Chinese Excel, and hands over their secrets', async () => {
  const t = cn
  const code = '6600000000000000001'
  const known = await createMachine(db)
  const pump = Buffer.from('cbaeb1c3', 'hex') // 水泵 in GB18030
  const buffer = Buffer.concat([
    Buffer.from(`${code},`),
    pump,
    Buffer.from(`,HX-T10\n${known.code},pump\n6.6E+18,pump\n`),
  ])
  await withView(browser, site, narrowDark, async (view) => {
    await openPart(view, 'machines')
    const { page } = view
    await page.getByRole('button', { name: t.machines.import }).click()
    const dialog = page.getByRole('dialog', { name: t.importing.title })
    const file = { name: 'machines.csv', mimeType: 'text/csv', buffer }
    await dialog.getByLabel(t.importing.choose).setInputFiles(file)
    // The letters are seen before anything happens, and are right only in the encoding of the file.
    await dialog.getByRole('button', { name: tableTexts.cn.encoding }).click()
    await page.getByRole('option', { name: tableTexts.cn.encodings.gb18030 }).click()
    await dialog.getByRole('cell', { name: '水泵' }).or(dialog.getByText('水泵')).first().waitFor()
    await dialog.getByRole('button', { name: t.importing.start }).click()
    await dialog.getByText(t.importing.created('1')).waitFor()
    await dialog.getByText(t.importing.line('2', t.importing.reasons.known)).waitFor()
    await dialog.getByText(t.importing.line('3', t.importing.reasons.code)).waitFor()
    // A page that goes away loses nothing.
    await page.reload()
    await page.getByRole('button', { name: t.machines.import }).click()
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: t.importing.download }).click()
    expect(await readDownload(await saved)).toMatch(new RegExp(`${code},水泵,HX-T10,[^,]{12},[\\w-]{43}`))
    const workbook = page.waitForEvent('download')
    await dialog.getByRole('button', { name: t.importing.downloadExcel }).click()
    expect((await workbook).suggestedFilename()).toBe('machines.xlsx')
    await dialog.getByRole('button', { name: t.importing.confirm }).click()
    await dialog.getByText(t.importing.secrets('1')).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await findRow(page, code).getByText('水泵').waitFor()
    expect(view.complaints).toEqual([])
  })
})

it('a SCADA computer is asked for by form, and answered by an operator, who sees the e-mail and who sent it', async () => {
  const t = en
  const company = 'Forge & Sons'
  const email = 'forge@example.test'
  await withView(browser, site, narrowDark, async ({ page, t: { joining }, complaints }) => {
    const { scada } = joining
    await page.goto('/scadaRegister')
    await page.getByRole('button', { name: scada.submit }).click()
    await page.getByText(scada.missing.company).waitFor()
    await page.getByRole('textbox', { name: scada.company }).fill(company)
    await page.getByRole('textbox', { name: scada.phone }).fill('0512 6288 1234')
    await page.getByRole('textbox', { name: scada.email }).fill(email)
    await page.getByRole('textbox', { name: scada.area }).fill('Suzhou')
    await page.getByRole('textbox', { name: scada.project }).fill('Twelve presses\nand a tank')
    await page.getByRole('radio', { name: scada.purposes.run.name }).check()
    await page.getByRole('button', { name: scada.submit }).click()
    await page.getByRole('heading', { name: scada.doneTitle }).waitFor()
    expect(complaints).toEqual([])
  })
  await withView(browser, site, english, async (view) => {
    await openPart(view, 'scada')
    const { page } = view
    const row = findRow(page, company)
    await row.getByText(t.scada.left('23', '59')).waitFor()
    await row.getByRole('button', { name: t.scada.answer }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: t.scada.send }).click()
    await dialog.getByText(t.scada.textMissing).waitFor()
    await dialog.getByLabel(t.scada.text).fill('Welcome aboard')
    await dialog.getByRole('button', { name: t.scada.send }).click()
    await page.getByText(t.scada.sent(email)).waitFor()
    await row.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: t.parts.outbox }).click()
    await findRow(page, email).getByText(email).click()
    await page.getByRole('dialog', { name: email }).getByText('Welcome aboard').waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: t.parts.audit }).click()
    const entry = findRow(page, 'scada.answer').first()
    await entry.getByText('Olga Op').waitFor()
    expect(view.complaints).toEqual([])
  })
})

it('a person’s page leads to their machine, the machine’s to its owner, and both have what can be done', async () => {
  const t = cn
  const { pages } = t
  const name = 'Paula Page'
  const person = await createUser(db, { name })
  const machine = await createMachine(db, { name: 'Press of Paula', owner: person.userId })
  await withView(browser, site, narrowDark, async (view) => {
    await openPart(view, 'users')
    const { page } = view
    const lists = page.getByRole('navigation', { name: pages.label })
    await page.getByRole('searchbox', { name: t.users.search }).fill(name)
    await findRow(page, person.email).getByText(name, { exact: true }).first().click()
    await page.getByRole('heading', { name, level: 2 }).waitFor()
    expect(new URL(page.url()).search).toBe(`?part=users&id=${person.userId}`)
    await page.getByRole('definition').filter({ hasText: person.email }).waitFor()
    await lists.getByRole('link', { name: pages.lists.sessions, exact: true }).click()
    await findRow(page, '127.0.0.1').first().waitFor()

    await page.getByRole('button', { name: t.users.lock, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: t.users.lock, exact: true }).click()
    await page.getByRole('button', { name: t.users.unlock, exact: true }).waitFor()
    await lists.getByRole('link', { name: pages.lists.audit, exact: true }).click()
    await findRow(page, 'user.lock').getByText('Olga Op').waitFor()

    await lists.getByRole('link', { name: pages.lists.machines, exact: true }).click()
    await findRow(page, machine.code).getByText('Press of Paula', { exact: true }).first().click()
    await page.getByRole('heading', { name: 'Press of Paula', level: 2 }).waitFor()
    await page.getByText(pages.noConnection).waitFor()
    await findRow(page, pages.roles.akey).getByText(name).waitFor()
    await page.getByRole('definition').getByRole('link', { name }).click()
    await page.getByRole('heading', { name, level: 2 }).waitFor()
    await page.goto('/backManage?part=machines&id=999999999')
    await page.getByText(pages.missing.machines).waitFor()
    expect(view.complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
  })
})

it('an operator acts on several rows, names the one that failed and keeps it selected', async () => {
  const people = [await createUser(db, { name: 'Bulk One' }), await createUser(db, { name: 'Bulk Two' })]
  await withView(browser, site, english, async (view) => {
    await openPart(view, 'users')
    const { page } = view
    await page.getByRole('searchbox', { name: en.users.search }).fill('Bulk')
    for (const name of ['Bulk One', 'Bulk Two'])
      await page.getByRole('checkbox', { name: table.select(name) }).check()
    await page.route(
      `**/api/operator/v1/users/${people[0]?.userId}`,
      (route) => route.fulfill({ status: 200, json: { hwcode: '404', hwdata: {} } }),
      { times: 1 },
    )
    await page.getByRole('toolbar').getByRole('button', { name: en.users.lock, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: en.users.lock, exact: true }).click()
    await dialog.getByRole('alert').getByText('Bulk One').waitFor()
    expect(await dialog.getByRole('alert').getByText('Bulk Two').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    expect(await page.getByRole('checkbox', { name: table.select('Bulk One') }).isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: table.select('Bulk Two') }).isChecked()).toBe(false)
  })
})

it('the back office shows jobs and facts set aside in words, at every width', async () => {
  const t = en.jobs
  const aside = { follower: 'test.gone', factId: 4_711, kind: 'alarm.raised', machineId: 12 }
  const at = Date.UTC(2026, 0, 2, 3, 4, 5)
  const error = 'connect ECONNREFUSED 2001:db8:1234:5678:9abc:def0:1234:5678:65535 after 15000 ms'
  await db
    .insertInto('facts_set_aside')
    .values({
      ...{ follower: aside.follower, fact_id: aside.factId, error, failures: 5 },
      fact: JSON.stringify({ id: aside.factId, kind: aside.kind, machineId: aside.machineId, at }),
    })
    .execute()
  try {
    await withView(browser, site, english, async (view) => {
      const { page } = view
      await page.route('**/api/operator/v1/jobs?*', async (route) => {
        // The page asks again every few seconds: one answer may come after the page has gone.
        const answer = await route.fetch().catch(() => undefined)
        const body = await answer?.json().catch(() => undefined)
        if (!answer || !body) return
        body.hwdata = { ...body.hwdata, list: [waitingJob(at, error)], total: 1 }
        await route.fulfill({ response: answer, json: body }).catch(() => undefined)
      })
      await openPart(view, 'jobs')
      const job = `${t.queueNames.email} · ${t.subjects.messageId('4')}`
      await page.getByText(job, { exact: true }).first().waitFor()
      const panel = page.getByRole('region', { name: t.setAside.title })
      await panel.getByText(`${t.setAside.by(aside.follower)} · ${t.setAside.machine('12')}`).waitFor()
      await page.getByText(t.clockNames['audit.seal']).waitFor()
      for (const name of ['messageId', 'audit.seal', 'jobs.housekeeping'])
        expect(await page.getByText(name).count(), name).toBe(0)
      for (const width of [320, 768, 1181, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        await expect.poll(() => page.evaluate(findOverflow), { message: `at ${width}` }).toEqual([])
      }
      await panel.getByRole('button', { name: t.setAside.retry }).click()
      const dialog = page.getByRole('dialog', { name: t.setAside.confirmRetry })
      await dialog.getByRole('button', { name: t.setAside.retry }).click()
      // Its follower is gone.
      await dialog.getByRole('alert').waitFor()
    })
  } finally {
    await db.deleteFrom('facts_set_aside').where('follower', '=', aside.follower).execute()
  }
})

/** Elements wider than their place, or taller than the window: their names. */
const findOverflow = `(() => {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement
  const found = []
  if (scrollWidth > clientWidth) found.push('page too wide: ' + scrollWidth)
  if (scrollHeight > clientHeight) found.push('page too tall: ' + scrollHeight)
  for (const grid of document.querySelectorAll('[role="grid"]'))
    if (grid.scrollWidth > grid.clientWidth) found.push('grid too wide: ' + grid.scrollWidth + ' in ' + grid.clientWidth)
  for (const button of document.querySelectorAll('[data-column="actions"] button')) {
    const at = button.getBoundingClientRect()
    const cell = button.closest('[role="gridcell"]').getBoundingClientRect()
    if (at.right > innerWidth || at.left < cell.left - 1) found.push('out of reach: ' + button.textContent)
  }
  return found
})()`

const waitingJob = (at: number, error: string): operator.JobRow => ({
  ...{ jobId: '7c9e6679-7425-40de-944b-e07fc1f90ae7', queue: 'email', state: 'waiting', tries: 3 },
  ...{ ids: { messageId: 4 }, error, createdAt: at, startedAt: at, endedAt: null, nextAt: at + 60_000 },
  ...{ done: 12_345, total: 20_000 },
})
