import { createMachine, createUser, type TestMachine, type TestUser } from '@busbar/testkit'
import { beforeAll, expect, it } from 'vitest'
import { findFaintColours } from './axe.ts'
import { detailPane } from './devices.ts'
import { readDownload } from './downloads.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

const minuteMs = 60_000
const name = 'Plate pasteuriser'
const phone: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }

const { site, browser, db } = await shareSite()
let owner: TestUser
let machine: TestMachine

beforeAll(async () => {
  owner = await createUser(db, { name: 'Ming Li' })
  machine = await createMachine(db, { name, owner: owner.userId })
  await createPast(await createUser(db, { name: '=1+1' }), 90, 'ended', 'Done for today')
  await createPast(await createUser(db, { name: 'Wei' }), 30, 'left', '')
})

/** A visit of ten minutes that began this long ago, and a value written in it. */
async function createPast(
  visitor: TestUser,
  minutesAgo: number,
  reason: string,
  note: string,
): Promise<void> {
  const startedAt = new Date(Date.now() - minutesAgo * minuteMs)
  const endedAt = new Date(startedAt.getTime() + 10 * minuteMs)
  const visit = await db
    .insertInto('visits')
    .values({
      user_id: visitor.userId,
      session_id: visitor.sessionId,
      machine_id: machine.machineId,
      target: 'page',
      reached_by: 'visitor',
      address: '127.0.0.1',
      started_at: startedAt,
      ends_at: endedAt,
      active_at: startedAt,
      ended_at: endedAt,
      ended_by: reason === 'ended' ? owner.userId : null,
      end_reason: reason,
      end_note: note,
      was_rw: true,
      bytes_out: 1_200_000,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const tag = await db
    .insertInto('tags')
    .values({
      machine_id: machine.machineId,
      group_name: '',
      name: `Set-point ${minutesAgo}`,
      type: 'float64',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('writes')
    .values({
      machine_id: machine.machineId,
      tag_id: tag.id,
      user_id: visitor.userId,
      visit_id: visit.id,
      source: 'console',
      at: new Date(startedAt.getTime() + minuteMs),
      from_value: '60',
      to_value: '72.5',
      state: 'confirmed',
      ended_at: new Date(startedAt.getTime() + minuteMs),
    })
    .execute()
}

it('the visits to a machine are narrowed, saved for a spreadsheet, and reported on paper', async () => {
  await withView(browser, site, phone, async (view) => {
    const { page, t, context } = view
    await signInDirectly(view, site, db, owner)
    await page.goto(`/index/?machine=${machine.machineId}&tab=visits`)
    const pane = detailPane(view, name)
    const history = pane.getByRole('region', { name: t.visits.pane.history })
    await history.getByRole('listitem').nth(1).waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      history.getByRole('button', { name: t.visits.pane.csv.save }).click(),
    ])
    expect(download.suggestedFilename()).toContain(name)
    const csv = await readDownload(download)
    const lines = csv.split('\r\n')
    expect(csv.charCodeAt(0)).toBe(0xfeff)
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+08:00,.*,600,Wei,/)
    expect(lines[2]).toContain(",600,'=1+1,")
    expect(lines[2]).toContain(t.visitReport.noted('Done for today'))

    await history.getByRole('searchbox', { name: t.visits.pane.filter.who }).fill('we')
    await history.getByText('=1+1').waitFor({ state: 'detached' })
    await history.getByText('Wei').waitFor()

    const [report] = await Promise.all([
      context.waitForEvent('page'),
      history.getByRole('link', { name: t.visits.pane.report }).click(),
    ])
    await report.getByRole('heading', { name: t.visitReport.title }).waitFor()
    const [visits, writes] = [report.getByRole('table').nth(0), report.getByRole('table').nth(1)]
    await visits.getByRole('rowheader', { name: '=1+1' }).waitFor()
    expect(await visits.getByRole('row').allInnerTexts()).toHaveLength(3)
    await writes.getByText('Set-point 90').waitFor()
    await report.getByText(machine.code).waitFor()

    await report.emulateMedia({ media: 'print' })
    await report.getByRole('button', { name: t.visitReport.print }).waitFor({ state: 'hidden' })
    const paper = `(() => {
    const { backgroundColor, color } = getComputedStyle(document.querySelector('article'))
    return [backgroundColor, color, getComputedStyle(document.querySelector('thead')).display]
  })()`
    expect(await report.evaluate(paper)).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 'table-header-group'])
    expect(await findFaintColours(report, 'the report on paper')).toEqual([])

    await page.goto(`/administrateCenter?machineId=${machine.machineId}&tab=visits`)
    await page.getByText('Set-point 90', { exact: true }).waitFor()
  })
})
