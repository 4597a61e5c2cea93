import { type BoardLayout, boards, createClient } from '@busbar/contract'
import { createEnterprise, createEnterpriseMachine, createMember } from '@busbar/testkit'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { boardWords } from './board-screens.ts'
import { sendSamples } from './ingest.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

const { site, browser, db } = await shareSite()

const desk: Look = { lang: 'en', theme: 'light', size: 'wide' }

const tileOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

/** Adds a tile of a kind with one variable. */
async function addTag({ page, lang, t }: View, kind: 'value' | 'trend' | 'state', tag: string) {
  const words = boardWords[lang]
  await page.getByRole('button', { name: words.edit.add }).click()
  await page.getByRole('menuitem', { name: words.kinds[kind], exact: true }).click()
  const picker = page.getByRole('dialog', { name: t.history.picker.title })
  await picker.getByRole('checkbox', { name: t.table.select(tag) }).check()
  await picker.getByRole('button', { name: words.edit.addTiles(1), exact: true }).click()
  await picker.waitFor({ state: 'hidden' })
}

const saveButton = (page: Page, words: (typeof boardWords)['en']) =>
  page.getByRole('button', { name: words.edit.save, exact: true })

/** Writes another text into the tile of texts, in the editor. */
async function rewrite(page: Page, words: (typeof boardWords)['en'], text: string): Promise<Locator> {
  await page.getByRole('group', { name: words.kinds.text, exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: words.edit.text }).fill(text)
  return saveButton(page, words)
}

async function openBoard(view: View, eid: number, id: number, edit = false): Promise<void> {
  await view.page.goto(`/dataCenter?eid=${eid}&board=${id}${edit ? '&edit=true' : ''}`)
}

it('a board is put together, shows live values, reaches the other person, and merges two editors', () =>
  withView(browser, site, desk, async (view) => {
    const { page, lang } = view
    const words = boardWords[lang]
    const { eid, owner } = await createEnterprise(db)
    const mate = await createMember(db, eid, 'member', ['manage', 'view'])
    await createMember(db, eid, 'admin')
    const machine = await createEnterpriseMachine(db, eid, { name: 'Press 7' })
    await sendSamples(site, machine, [{ ts: Date.now(), values: { temp: 60.5, running: true } }])
    await signInDirectly(view, site, db, owner)

    await page.goto(`/dataCenter?eid=${eid}`)
    await page.getByRole('button', { name: words.list.add }).first().click()
    const dialog = page.getByRole('dialog', { name: words.list.add })
    await dialog.getByRole('textbox', { name: words.list.name }).fill('Line 1')
    await dialog.getByRole('button', { name: words.list.addAction, exact: true }).click()

    await addTag(view, 'value', 'temp')
    await addTag(view, 'trend', 'temp')
    await addTag(view, 'state', 'running')
    await page.getByRole('button', { name: words.edit.add }).click()
    await page.getByRole('menuitem', { name: words.kinds.text, exact: true }).click()
    await (await rewrite(page, words, 'First shift')).waitFor()
    // Moved by a key, back by undo, and moved again.
    await page.getByRole('group', { name: words.kinds.text, exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+y')
    await saveButton(page, words).click()
    await page.getByRole('button', { name: words.view.edit, exact: true }).waitFor()

    const value = page.locator('[data-kind="value"]')
    await value.getByText('60.5').waitFor()
    await sendSamples(site, machine, [{ ts: Date.now(), values: { temp: 71.25, running: true } }])
    await value.getByText('71.25').waitFor()
    await tileOf(page, 'temp').first().waitFor()
    const id = Number(new URL(page.url()).searchParams.get('board'))

    await withView(browser, site, desk, async (other) => {
      await signInDirectly(other, site, db, mate)
      await openBoard(other, eid, id)
      await other.page.getByText('First shift').waitFor()
      // A change reaches other people with the board open.
      await page.getByRole('button', { name: words.view.edit, exact: true }).click()
      await (await rewrite(page, words, 'Second shift')).click()
      await other.page.getByText('Second shift').waitFor()

      // Both edit: changes of different tiles are both kept, the same one is asked about.
      await openBoard(other, eid, id, true)
      await page.getByRole('button', { name: words.view.edit, exact: true }).click()
      await rewrite(page, words, 'Mine')
      await (await rewrite(other.page, words, 'Theirs')).click()
      await other.page.getByText(words.edit.saved).first().waitFor()
      await saveButton(page, words).click()
      const question = page.getByRole('dialog', { name: words.merge.title })
      await question.waitFor()
      await question.getByRole('radio', { name: new RegExp(words.merge.mine) }).check()
      await question.getByRole('button', { name: words.merge.save }).click()
      await page.locator('[data-kind="text"]').getByText('Mine', { exact: true }).waitFor()
      await other.page.locator('[data-kind="text"]').getByText('Mine', { exact: true }).waitFor()
    })
  }))

it('a board’s address shows the same board, device and time to another person, and nothing of it without a right', () =>
  withView(browser, site, desk, async (view) => {
    const words = boardWords.en
    const { eid, owner } = await createEnterprise(db)
    const member = await createMember(db, eid)
    const machine = await createEnterpriseMachine(db, eid, { name: 'Press 8' })
    await db.updateTable('machines').set({ type: 'press' }).where('id', '=', machine.machineId).execute()
    const now = Date.now()
    await sendSamples(site, machine, [
      { ts: now - 600_000, values: { made: 1_100 } },
      { ts: now, values: { temp: 60.5, made: 1_130 } },
    ])
    const place = { x: 0, y: 0, w: 6, h: 3, title: '' }
    const ofAny = (tag: string) => ({ machine: '$machine' as const, group: '', tag })
    const layout: BoardLayout = {
      variable: { machineType: 'press' },
      range: { lastMs: 3_600_000 },
      tiles: [
        { id: 'a', type: 'value', ...place, tag: ofAny('temp') },
        { id: 'b', type: 'value', ...place, y: 3, tag: ofAny('made'), figure: 'rise' },
      ],
    }
    const person = await signInDirectly(view, site, db, owner)
    const client = createClient({ baseUrl: site.url, lang: () => 'en', token: () => person.token })
    const { id } = await client.call(boards.createBoard, { name: 'Any press', eid, layout })
    const address = `/dataCenter?eid=${eid}&board=${id}&machine=${machine.machineId}&last=21600000`
    await view.page.goto(address)
    await view.page.getByText('60.5').waitFor()
    await tileOf(view.page, words.tile.rise('made')).getByText('30', { exact: true }).waitFor()
    await view.page.getByRole('button', { name: /6\sh/ }).first().waitFor()
    await withView(browser, site, desk, async (other) => {
      await signInDirectly(other, site, db, member)
      await other.page.goto(address)
      await other.page.getByText(words.tile.noRight).first().waitFor()
      expect(await other.page.getByText('60.5').count()).toBe(0)
      expect(await other.page.getByRole('button', { name: words.view.edit, exact: true }).count()).toBe(0)
    })
  }))
