import { errors } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine } from '@busbar/testkit'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { detailPane, machineEntry, openMachine } from './devices.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { addressOf, type Look, looksOf, signInDirectly, type View, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const desk: Look = { lang: 'en', size: 'wide', theme: 'dark' }

const names = ['Alpha press', 'Bravo pump', 'Charlie chiller']

/** A person with three machines, on their device list. */
async function arrive(view: View): Promise<number[]> {
  const person = await signInDirectly(view, site, db)
  const ids: number[] = []
  for (const name of names) ids.push((await createMachine(db, { name, owner: person.userId })).machineId)
  await view.page.goto('/index/')
  for (const name of names) await machineEntry(view, name).waitFor()
  return ids
}

describe.each(looksOf('device list'))('the device list, $lang, $size', (look) => {
  it('says what to do while it is empty', () =>
    withView(browser, site, look, async (view) => {
      await signInDirectly(view, site, db)
      await view.page.goto('/index/')
      await view.page.getByText(view.t.machines.empty.title).waitFor()
      await view.page.getByText(view.t.machines.empty.hint).waitFor()
      expect(view.complaints).toEqual([])
    }))

  it('opens a machine under its own address: reload keeps it, back closes it', () =>
    withView(browser, site, look, async (view) => {
      const [first, second] = await arrive(view)
      const { page } = view
      await openMachine(view, 'Alpha press')
      await page.waitForURL((url) => url.searchParams.get('machine') === String(first))
      await page.reload()
      await detailPane(view, 'Alpha press').getByRole('heading', { name: 'Alpha press' }).waitFor()
      await page.goBack()
      await detailPane(view, 'Alpha press').waitFor({ state: 'hidden' })
      expect(addressOf(page)).toMatch(/^\/index\/(\?listType=list)?$/)

      await page.goto(`/index/?machine=${second}&tab=variables`)
      await detailPane(view, 'Bravo pump').getByRole('heading', { name: 'Bravo pump' }).waitFor()
      await page.keyboard.press('Escape')
      await detailPane(view, 'Bravo pump').waitFor({ state: 'hidden' })
      expect(view.complaints).toEqual([])
    }))

  it('says so when nothing matches, and clears its filters', () =>
    withView(browser, site, look, async (view) => {
      await arrive(view)
      const { page, t } = view
      await page.goto('/index/?q=zzz&state=alarm')
      await page.getByText(t.machines.empty.noMatch).waitFor()
      await page.getByRole('button', { name: t.machines.empty.clearFilters }).click()
      await machineEntry(view, 'Alpha press').waitFor()
      await page.waitForURL((url) => !url.searchParams.has('q') && !url.searchParams.has('state'))
    }))

  it('reports an address whose machine is missing in the list', () =>
    withView(browser, site, look, async (view) => {
      await arrive(view)
      const stranger = await createMachine(db, { name: 'Somebody else’s' })
      await view.page.goto(`/index/?machine=${stranger.machineId}`)
      await view.page.getByText(view.t.machines.pane.gone).waitFor()
    }))
})

describe('the keyboard on the device list', () => {
  it('opens with Enter, goes on with J and back with K, closes with Esc', () =>
    withView(browser, site, desk, async (view) => {
      await arrive(view)
      const { page, t } = view
      await page.getByRole('grid', { name: t.machines.list.label }).focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await detailPane(view, 'Alpha press').waitFor()
      await page.keyboard.press('j')
      await detailPane(view, 'Bravo pump').waitFor()
      await page.keyboard.press('j')
      await detailPane(view, 'Charlie chiller').waitFor()
      await page.keyboard.press('k')
      await detailPane(view, 'Bravo pump').waitFor()
      await page.keyboard.press('Escape')
      await detailPane(view, 'Bravo pump').waitFor({ state: 'hidden' })
    }))

  it('finds with / and forgets with Esc; letters typed there are letters', () =>
    withView(browser, site, desk, async (view) => {
      await arrive(view)
      const { page, t } = view
      await page.keyboard.press('/')
      const search = page.getByRole('searchbox', { name: t.machines.list.search })
      await search.and(page.locator(':focus')).waitFor()
      await page.keyboard.type('jak')
      expect(await search.inputValue()).toBe('jak')
      await page.getByText(t.machines.empty.noMatch).waitFor()
      await page.keyboard.press('Escape')
      await machineEntry(view, 'Charlie chiller').waitFor()
      await page.keyboard.type('bravo')
      await machineEntry(view, 'Charlie chiller').waitFor({ state: 'hidden' })
      await machineEntry(view, 'Bravo pump').waitFor()
    }))
})

describe.each(looksOf('adding'))('adding a machine, $lang, $size', (look) => {
  it('explains an error beside its field, and keeps the input', () =>
    withView(browser, site, look, async (view) => {
      await signInDirectly(view, site, db)
      const { page, t, lang } = view
      const words = t.machines.addDialog
      const { code, password } = await site.createMachine('Press')
      await page.goto('/index/')
      await page.getByRole('button', { name: t.machines.add }).first().click()
      const dialog = page.getByRole('dialog', { name: words.title })
      const codeField = dialog.getByLabel(words.code)
      const passwordField = dialog.getByLabel(words.password, { exact: true })
      const nameField = dialog.getByLabel(words.name, { exact: true })
      const submit = dialog.getByRole('button', { name: words.submit, exact: true })

      await submit.click()
      await dialog.getByText(words.problems.codeEmpty).waitFor()
      await codeField.fill(code.slice(0, 18))
      await nameField.fill('Press 1')
      await passwordField.fill('not-the-password')
      await submit.click()
      await dialog.getByText(words.problems.codeTooShort(18, 19)).waitFor()

      await codeField.fill('1234567890123456789')
      await submit.click()
      await dialog.getByText(errors['04010102'].text[lang]).waitFor()
      expect(await nameField.inputValue()).toBe('Press 1')

      // As pasted from a message.
      await codeField.fill(`${code.slice(0, 4)} ${code.slice(4, 12)} ${code.slice(12)}`)
      await submit.click()
      await dialog.getByText(errors['505'].text[lang]).waitFor()
      expect(await nameField.inputValue()).toBe('Press 1')
      expect((await codeField.inputValue()).replace(/\D/g, '')).toBe(code)

      await passwordField.fill(password)
      await submit.click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByText(words.added('Press 1')).waitFor()
      await machineEntry(view, 'Press 1').waitFor()
    }))
})
