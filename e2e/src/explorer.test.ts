import { boards, createClient } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createEnterprise, createEnterpriseMachine, createMember } from '@busbar/testkit'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { explorerWords } from './explorer-screens.ts'
import { compareWithWeekBefore, pickVariable, writeNote } from './explorer-steps.ts'
import { sendSamples } from './ingest.ts'
import { findPageFaults } from './page-faults.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { spikeHours, spikeValue } from './spike.ts'
import { dismissNotices, looksOf, signInDirectly, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const minuteMs = 60_000
const dayMs = 86_400_000
/** Yesterday's, in the middle of the hours that are sent. */
const spikeAt = Math.floor((Date.now() - dayMs) / minuteMs) * minuteMs
describe.each(looksOf('explorer'))('the explorer in $lang, $size, $theme', (look) => {
  it('finds a spike on three devices, compares it with the week before, tells its statistics, and puts it on a board', () =>
    withView(browser, site, { ...look, size: 'wide' }, async (view) => {
      const { page, lang } = view
      const words = explorerWords[lang]
      const { eid, owner } = await createEnterprise(db)
      const mate = await createMember(db, eid, 'member', ['view'])
      await createMember(db, eid, 'admin')
      const names = ['Press 1', 'Press 2', 'Press 3']
      for (const name of names)
        await sendSamples(site, await createEnterpriseMachine(db, eid, { name }), spikeHours(spikeAt))
      const person = await signInDirectly(view, site, db, owner)

      await page.goto(`/dataCenter/explorer?eid=${eid}`)
      await page.getByText(words.empty).waitFor()
      const picker = await pickVariable(view, names, 'temp')
      expect(await findFaults(page, 'the picker of the explorer')).toEqual([])
      await picker.getByRole('button', { name: words.pickDone, exact: true }).click()

      // The hours of the spike, given in the address, as in a link.
      const tags = new URL(page.url()).searchParams.get('tags') ?? ''
      expect(tags.split(',')).toHaveLength(3)
      const span = `from=${spikeAt - 60 * minuteMs}&until=${spikeAt + 60 * minuteMs}`
      await page.goto(`/dataCenter/explorer?eid=${eid}&tags=${tags}&${span}`)
      const statistics = page.getByRole('table', { name: words.statistics.title })
      for (const name of names)
        await statistics.getByRole('row', { name: new RegExp(`^${name}.*${spikeValue}`) }).waitFor()

      // The week before is without the spike: it is drawn beside, and can be removed.
      const earlier = await compareWithWeekBefore(view)
      await expect.poll(() => earlier.count()).toBe(3)
      expect(new URL(page.url()).searchParams.get('compare')).toBe(String(7 * dayMs))
      expect(await findFaults(page, 'the explorer with a comparison')).toEqual([])
      expect(await findPageFaults(page)).toEqual([])

      await page.getByRole('radio', { name: words.form.xy }).click()
      await page.getByRole('img', { name: words.xy.label('Press 1 · temp', 'Press 2 · temp', 120) }).waitFor()
      await page.getByRole('radio', { name: words.form.curves }).click()

      // A note for the others, and a view with a name.
      await writeNote(view, 'After the tool change')
      await page.getByRole('button', { name: words.views.save }).click()
      const viewDialog = page.getByRole('dialog', { name: words.views.save })
      await viewDialog.getByRole('textbox', { name: words.views.name }).fill('Yesterday’s spike')
      await viewDialog.getByRole('button', { name: words.views.saveAction, exact: true }).click()
      await viewDialog.waitFor({ state: 'hidden' })
      const drawnAt = page.url()
      await page.getByRole('button', { name: words.views.all }).click()
      await page.getByRole('gridcell', { name: 'Yesterday’s spike' }).first().waitFor()
      expect(await findFaults(page, 'the saved views')).toEqual([])
      await page.getByText('Yesterday’s spike').first().click()
      await statistics.getByRole('row', { name: new RegExp(`^Press 1.*${spikeValue}`) }).waitFor()
      for (const name of ['tags', 'from', 'until', 'compare'])
        expect(new URL(page.url()).searchParams.get(name), name).toBe(new URL(drawnAt).searchParams.get(name))

      await page.getByRole('button', { name: words.board.action }).click()
      const dialog = page.getByRole('dialog', { name: words.board.title })
      await dialog.getByRole('textbox', { name: words.board.name }).fill('Spike')
      await dialog.getByRole('button', { name: words.board.add, exact: true }).click()
      await page.getByText(words.board.done('Spike')).waitFor()
      await dialog.waitFor({ state: 'hidden' })
      const client = createClient({ baseUrl: site.url, lang: () => lang, token: () => person.token })
      const [board] = await client.call(boards.listBoards, { eid })
      const { layout } = await client.call(boards.getBoard, { id: board?.id ?? 0 })
      expect(layout.range).toEqual({ from: spikeAt - 60 * minuteMs, to: spikeAt + 60 * minuteMs })
      expect(layout.tiles).toMatchObject([{ type: 'trend', tags: [{ tag: 'temp' }, {}, {}] }])

      // The link shows the same to a member, and only an explanation to a stranger.
      const address = page.url()
      const own = { ...look, size: 'wide' } as const
      await withView(browser, site, own, async (other) => {
        await signInDirectly(other, site, db, mate)
        await other.page.goto(address)
        await other.page.getByRole('row', { name: new RegExp(`^Press 1.*${spikeValue}`) }).waitFor()
      })
      await withView(browser, site, own, async (other) => {
        await signInDirectly(other, site, db)
        await other.page.goto(address.replace(`eid=${eid}`, 'eid=0'))
        await other.page.getByText(words.allMissing).waitFor()
        expect(await other.page.locator('body').textContent()).not.toContain('Press')
      })

      await dismissNotices(view)
      for (const width of [1920, 1024, 768, 390, 320]) {
        await page.setViewportSize({ width, height: 900 })
        await page.waitForTimeout(100)
        expect(await findPageFaults(page), `at ${width} px`).toEqual([])
      }
    }))
})
