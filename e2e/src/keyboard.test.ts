import { createMachine, createUser, type TestUser } from '@busbar/testkit'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { detailPane, machineEntry } from './devices.ts'
import { createFleet, fleetName } from './fleet.ts'
import { shareSite } from './shared-site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'

/** Of this file's fleet: another file's has other codes. */
const from = 30_001

const { site, browser, db } = await shareSite()
let person: TestUser

beforeAll(async () => {
  person = await createUser(db, { name: 'Ming Li' })
  await createFleet(db, person.userId, 60, from)
})

const wide: Look = { lang: 'en', size: 'wide', theme: 'light' }
/** The size of a desktop at 200 %. */
const phone: Look = { lang: 'cn', size: 'narrow', theme: 'dark' }

async function arrive(view: View): Promise<void> {
  await signInDirectly(view, site, db, person)
  await view.page.goto('/index/')
  await machineEntry(view, fleetName(from + 49)).waitFor()
}

/** More stops than any screen has. */
const stopsMax = 160

// A text, because this project does not know the browser's types.
const stopScript = `(() => {
  const at = document.activeElement
  if (!at || at === document.body) return null
  const style = getComputedStyle(at)
  const ring = getComputedStyle(at.closest('label, div, li') ?? at)
  const box = at.getBoundingClientRect()
  const seen = style.boxShadow !== 'none' || (style.outlineStyle !== 'none' && style.outlineColor !== 'rgba(0, 0, 0, 0)') || ring.boxShadow !== 'none'
  const inView = box.width > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
  const name = at.getAttribute('aria-label') ?? at.textContent ?? ''
  return { name: at.tagName + ' ' + (name.trim() || at.getAttribute('placeholder') || at.id), seen, inView }
})()`

/** After a click, Tab continues from that place: this starts at the top, or in the layer that covers the page. */
const beginScript = `[...document.querySelectorAll('button, a')].find((one) => !one.closest('[inert]')).focus()`

/** The focused element outside the open layer; null if the focus is inside it, or in the browser. */
const outsideScript = `(() => {
  const at = document.activeElement
  return !at || at === document.body || at.closest('dialog, [role="dialog"]') ? null : at.outerHTML
})()`

interface Stop {
  readonly name: string
  readonly seen: boolean
  readonly inView: boolean
}

/** Every stop of the Tab key from the page's beginning until it returns there. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = []
  while (stops.length < stopsMax) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate<Stop | null>(stopScript)
    if (stop === null || (stops.length > 1 && stop.name === stops[0]?.name)) return stops
    stops.push(stop)
  }
  throw new Error(`the Tab key does not come round: ${stops.map(({ name }) => name).join(' | ')}`)
}

/** The label of the focused element. */
const focused = (page: Page) => page.locator(':focus')

/** Walks the whole page by Tab: everything is reached, and shows where it is. */
async function expectStops(page: Page, atLeast: number): Promise<void> {
  const stops = await walk(page)
  expect(stops.filter(({ seen, inView }) => !seen || !inView)).toEqual([])
  expect(stops.length).toBeGreaterThanOrEqual(atLeast)
}

it('Tab reaches everything beside the details of a device, layers take the focus and return it, and ? lists the keys', () =>
  withView(browser, site, wide, async (view) => {
    const { page, t } = view
    await arrive(view)
    // The first stop leads past header and menu.
    await page.keyboard.press('Tab')
    expect(await focused(page).textContent()).toBe(t.app.menu.skip)
    await page.keyboard.press('Enter')
    await page.locator('main:focus').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await visitLayers(view)

    const sheet = page.getByRole('dialog', { name: t.shortcuts.title })
    await page.keyboard.press('/')
    await page.keyboard.type('?')
    expect(await page.getByRole('searchbox').inputValue()).toBe('?')
    expect(await sheet.count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await sheet.getByText(t.shortcuts.does.search).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })

    await machineEntry(view, fleetName(from + 49))
      .getByText(fleetName(from + 49), { exact: true })
      .click()
    await detailPane(view, fleetName(from + 49))
      .getByText(t.machines.facts.code)
      .waitFor()
    await page.evaluate(beginScript)
    await expectStops(page, 24)
  }))

async function visitLayers({ page, t }: View): Promise<void> {
  const { addDialog } = t.machines
  const opens = [
    { by: page.getByRole('button', { name: t.machines.add }), first: page.getByLabel(addDialog.code) },
    // A panel to read first: it has the focus itself, and Tab leads to its links.
    {
      by: page.getByRole('button', { name: t.app.header.user }),
      first: page.getByRole('dialog', { name: t.app.user.title }),
    },
    { by: page.getByRole('button', { name: t.app.header.search }), first: page.getByRole('combobox') },
    {
      by: page.getByRole('button', { name: t.shortcuts.button }),
      // Exactly: the button that opens it names the key that closes.
      first: page.getByRole('button', { name: t.app.close, exact: true }),
    },
  ]
  for (const { by, first } of opens) {
    await by.first().focus()
    await page.keyboard.press('Enter')
    await first.and(page.locator(':focus')).waitFor()
    for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key)
      expect(await page.evaluate<string | null>(outsideScript)).toBe(null)
    }
    await page.keyboard.press('Escape')
    await by.first().and(page.locator(':focus')).waitFor()
  }
}

it('on a phone Tab reaches the whole list, and arrows move the choice of a filter', () =>
  withView(browser, site, phone, async (view) => {
    const { page, t } = view
    await arrive(view)
    await expectStops(page, 12)
    await page.getByRole('radio', { checked: true }).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL((url) => url.searchParams.get('state') === 'alarm')
    const chip = page.getByRole('radio', { name: t.machines.states.alarm })
    await chip.and(page.locator(':focus')).waitFor()
    expect(await chip.getAttribute('aria-checked')).toBe('true')
  }))

const alarmsOf = 3

/** A device with alarms that nobody acknowledged, of a person of its own. */
async function createAlarmed(): Promise<TestUser> {
  const owner = await createUser(db)
  const { machineId } = await createMachine(db, { name: 'Press in alarm', owner: owner.userId })
  const at = new Date()
  await db
    .insertInto('alarms')
    .values(
      Array.from({ length: alarmsOf }, (_, number) => ({
        ...{ machine_id: machineId, key: `hot-${number}`, level: 'major' as const, text: '{}' },
        ...{ raised_at: at, received_at: at },
      })),
    )
    .execute()
  return owner
}

/** The most stops that may lie between a row and its Acknowledge. */
const stopsToAct = 6

/** Tabs on to a button, and answers how many stops that took. */
async function stopsTo({ page }: View, name: RegExp): Promise<number> {
  for (let stops = 1; stops <= stopsMax; stops++) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate<string>(
      `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()`,
    )
    if (name.test(label)) return stops
  }
  throw new Error(`no stop is named ${name}`)
}

/** Answers the question of the act, and waits until the focus is on something again. */
async function confirmAct({ page, t }: View): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: t.alarms.acts.confirm, exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

it('a link leads to the list, Acknowledge is a few stops from its row, and after it the focus is on the next one', async () => {
  const owner = await createAlarmed()
  await withView(browser, site, wide, async (view) => {
    const { page, t } = view
    await signInDirectly(view, site, db, owner)
    for (const address of ['/index/', '/alarmCenter?eid=0']) {
      await page.goto(address)
      await page.getByRole('grid').getByText('Press in alarm').first().waitFor()
      await page.evaluate(beginScript)
      await page.keyboard.press('Tab')
      expect(await focused(page).textContent()).toBe(t.app.menu.skipToList)
      await page.keyboard.press('Enter')
      await page.getByRole('grid').and(page.locator(':focus')).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.locator('[data-pane]:focus').waitFor()
      const act = page.locator('[data-pane]').getByRole('button', { name: /^Acknowledge\b/ })
      await act.first().waitFor()
      // The Enter that opened the row, and the one on the link past the device's facts, are presses as well.
      let stops = 1
      if (address === '/index/') {
        stops += 1 + (await stopsTo(view, new RegExp(`^${t.machines.alarms.skip}$`)))
        await page.keyboard.press('Enter')
      }
      stops += await stopsTo(view, /^Acknowledge\b/)
      expect(stops).toBeLessThanOrEqual(stopsToAct)
      await page.keyboard.press('Enter')
      await confirmAct(view)
      // On the next alarm of the device; an alarm's own details have no other.
      await (address === '/index/' ? act.and(page.locator(':focus')) : page.locator(':focus')).waitFor()
    }
    expect(view.complaints).toEqual([])
  })
})

it('in the alarm centre Acknowledge is a few stops from its row, and after it the focus is on the next alarm’s', async () => {
  const owner = await createAlarmed()
  await withView(browser, site, wide, async (view) => {
    const { page, t } = view
    await signInDirectly(view, site, db, owner)
    await page.goto('/alarmCenter?eid=0')
    const act = page.getByRole('grid').getByRole('button', { name: /^Acknowledge\b/ })
    await act.nth(alarmsOf - 1).waitFor()
    await page.evaluate(beginScript)
    expect(await stopsTo(view, new RegExp(`^${t.app.menu.skipToList}$`))).toBeLessThanOrEqual(2)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    for (let left = alarmsOf; left > 0; left--) {
      if (left === alarmsOf) expect(await stopsTo(view, /^Acknowledge\b/)).toBeLessThanOrEqual(stopsToAct)
      await page.keyboard.press('Enter')
      await confirmAct(view)
      await expect.poll(() => act.count()).toBe(left - 1)
      const next = left > 1 ? act.first() : page.getByRole('grid')
      await next.and(page.locator(':focus')).waitFor()
    }
    expect(view.complaints).toEqual([])
  })
})

it('an input method that is composing a word keeps its Enter and its letters: no form is sent, no list is searched', () =>
  withView(browser, site, { ...wide, lang: 'cn' }, async (view) => {
    await arrive(view)
    const { page, context, t } = view
    const keyboard = await context.newCDPSession(page)
    const compose = (text: string) =>
      keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    /** As a browser reports a key that the input method takes for itself. */
    const takenKey = (key: string) =>
      page.locator(':focus').dispatchEvent('keydown', { key, keyCode: 229, bubbles: true, cancelable: true })

    const search = page.getByRole('searchbox', { name: t.machines.list.search })
    await search.focus()
    await compose('zhusu')
    await takenKey('Escape')
    expect(await search.inputValue()).toBe('zhusu')
    await machineEntry(view, fleetName(from + 49)).waitFor()
    expect(new URL(page.url()).searchParams.has('q')).toBe(false)
    await keyboard.send('Input.insertText', { text: '注塑机' })
    await page.getByText(t.machines.empty.noMatch).waitFor()
    await search.fill('')

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await compose('ya')
    await takenKey('Enter')
    expect(await page.getByRole('combobox').count()).toBe(1)
    await page.keyboard.press('Escape')
  }))
