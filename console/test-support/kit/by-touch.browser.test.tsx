import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { en } from '../../src/shared/i18n/en/index.ts'
import { holdToasts } from '../../src/shared/ui/toast/toast-store.ts'
import { hold, render, tap, touchDrag } from '../render.tsx'
import { KitDates, KitNumbers } from './kit-dates.tsx'
import { KitDialogs, KitFields, KitTips, KitToasts } from './kit-feedback.tsx'
import { KitMenus, KitTabs, KitToggles } from './kit-menus.tsx'
import { KitChoices, KitComboBoxes } from './kit-pickers.tsx'
import { KitForm, KitTable } from './kit-table.tsx'
import { t } from './kit-text.ts'

/* Each part of the kit by a finger: it opens, chooses and closes, without a mouse and without keys. */

const holdMs = 700
const opened = page.getByRole('dialog')

const buttonWith = (text: string) => `button:has-text("${text}")`
const named = (name: string) => `[aria-label="${name}"]`

describe('menu', () => {
  it('opens by a tap, acts by a tap, and a tap beside it closes it', async () => {
    await render(<KitMenus />)
    await tap(buttonWith(t.device))
    await expect.element(page.getByRole('menu')).toBeVisible()
    await tap(`[role="menuitem"]:has-text("${t.copy}")`)
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
    await expect.element(page.getByText(t.copy, { exact: true })).toBeVisible()
    await tap(buttonWith(t.device))
    await expect.element(page.getByRole('menu')).toBeVisible()
    await tap('h2 >> nth=1')
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  })
})

it('popover: opens by a tap, and a tap beside it closes it', async () => {
  await render(<KitMenus />)
  await tap(named(t.details))
  await expect.element(opened).toBeVisible()
  await tap('h2')
  await expect.element(opened).not.toBeInTheDocument()
})

it('combo box: takes by a tap, and several stay open until a tap beside it', async () => {
  await render(<KitComboBoxes />)
  await tap(`button:has-text("${t.variable(1)}")`)
  await expect.element(opened).toBeVisible()
  await tap(`[role="dialog"] [role="option"]:has-text("${t.variable(3)}")`)
  await expect
    .element(opened.getByRole('option', { name: new RegExp(`^${t.variable(3)}\\b`) }))
    .toHaveAttribute('aria-selected', 'true')
  await expect.element(opened).toBeVisible()
  await tap('h2')
  await expect.element(opened).not.toBeInTheDocument()
})

it('choice list: takes and leaves by a tap', async () => {
  await render(<KitChoices />)
  const first = page.getByRole('listbox', { name: t.variables }).getByRole('option').first()
  const selector = `${named(t.variables)}[role="listbox"] [role="option"]`
  await tap(selector)
  await expect.element(first).toHaveAttribute('aria-selected', 'true')
  await tap(selector)
  await expect.element(first).toHaveAttribute('aria-selected', 'false')
})

it('tabs and toggles: are chosen by a tap', async () => {
  await render(
    <>
      <KitTabs />
      <KitToggles />
    </>,
  )
  await tap(`[role="tab"]:has-text("${t.history}")`)
  await expect.element(page.getByRole('tabpanel', { name: t.history })).toBeVisible()
  await tap(`[role="radio"]:has-text("${t.small}")`)
  await expect.element(page.getByRole('radio', { name: new RegExp(`^${t.small}`) })).toBeChecked()
  await tap(buttonWith(t.dayNames[1] ?? ''))
  await expect
    .element(page.getByRole('button', { name: t.dayNames[1] ?? '' }))
    .toHaveAttribute('aria-pressed', 'true')
})

describe('date and time', () => {
  it('takes a zone and a day by taps, and Done closes it', async () => {
    await render(<KitDates />)
    await tap('[aria-label^="Calendar"]')
    await expect.element(page.getByRole('grid')).toBeVisible()
    await tap(`[role="dialog"] [role="radio"]:has-text("${t.machine}")`)
    await expect.element(opened.getByText(/America\/New_York/)).toBeVisible()
    await tap(`[role="dialog"] ${buttonWith(en.kit.date.done)}`)
    await expect.element(opened).not.toBeInTheDocument()
    await tap('[aria-label^="Calendar"]')
    await tap('[role="dialog"] [role="gridcell"] [role="button"]:text-is("15")')
    await tap(`[role="dialog"] ${buttonWith(en.kit.date.done)}`)
    await expect.element(opened).not.toBeInTheDocument()
    await expect
      .element(page.getByRole('spinbutton', { name: new RegExp(`^day.*${t.moment}`) }).first())
      .toHaveTextContent('15')
  })

  it('takes a range by two taps, and a preset by one', async () => {
    await render(<KitDates />)
    const calendar = `[aria-label^="Calendar"] >> nth=3`
    await tap(calendar)
    await expect.element(page.getByRole('grid').first()).toBeVisible()
    const day = (n: number) => `[role="dialog"] [role="gridcell"] [role="button"]:text-is("${n}")`
    await tap(day(9))
    await tap(day(12))
    await tap(`[role="dialog"] ${buttonWith(en.kit.date.done)}`)
    await expect.element(opened).not.toBeInTheDocument()
    const part = (side: string) =>
      page.getByRole('spinbutton', { name: new RegExp(`^day.*${side}.*${t.range}`, 'i') }).first()
    await expect.element(part('start')).toHaveTextContent('09')
    await expect.element(part('end')).toHaveTextContent('12')
    await tap(calendar)
    await tap(`[role="dialog"] ${buttonWith(en.kit.presets.today)}`)
    await expect.element(opened).not.toBeInTheDocument()
  })
})

it('number: a held button steps on, and lets go', async () => {
  await render(<KitNumbers />)
  const field = page.getByRole('spinbutton', { name: t.setPoint })
  await hold(named(en.kit.number.less(t.setPoint)), 900)
  const value = Number((field.element() as HTMLInputElement).value)
  expect(value).toBeLessThan(61)
  await tap('h2')
  expect(Number((field.element() as HTMLInputElement).value)).toBe(value)
})

it('switch: turns by a tap', async () => {
  await render(<KitFields />)
  await tap(`label:has-text("${t.alarmSwitch}"), [role="switch"]`)
  await expect.element(page.getByRole('switch', { name: t.alarmSwitch })).not.toBeChecked()
})

it('tooltip: a long press shows it, and does not press the button', async () => {
  await render(<KitTips />)
  await hold(named(t.details), holdMs)
  await expect.element(page.getByText(t.details, { exact: true })).toBeVisible()
  await tap('h2')
  await expect.element(page.getByText(t.details, { exact: true })).not.toBeInTheDocument()
})

it('toast: a tap takes back', async () => {
  await render(<KitToasts />)
  // On a slow machine its time would end before it was looked at.
  holdToasts()
  await tap(buttonWith(t.showUndo))
  await tap(`button:text-is("${en.notices.undo}")`)
  await expect.element(page.getByText(t.undone)).toBeVisible()
})

it('dialog: its parts open above it, and its cross asks before it discards', async () => {
  await render(<KitDialogs />)
  await tap(buttonWith(t.open))
  await expect.element(opened).toBeVisible()
  await tap(`dialog ${named(t.device)}`)
  await tap(`[role="menuitem"]:has-text("${t.copy}")`)
  await expect.element(page.getByRole('textbox', { name: t.name })).toHaveValue(t.copy)
  await tap('dialog input')
  await userEvent.keyboard('7')
  await tap(`dialog ${named(en.app.close)}`)
  await expect.element(page.getByRole('dialog', { name: en.app.discard.title })).toBeVisible()
  await tap(buttonWith(en.app.discard.drop))
  await expect.element(opened).not.toBeInTheDocument()
})

it('form: a tap sends it', async () => {
  await render(<KitForm />)
  await tap(buttonWith(t.openForm))
  await tap(`dialog ${buttonWith(t.save)}`)
  await expect.element(page.getByRole('textbox', { name: t.name })).toHaveAccessibleDescription(t.nameEmpty)
  await userEvent.keyboard('Hall 3')
  await tap(`dialog ${buttonWith(t.save)}`)
  await expect.element(opened).not.toBeInTheDocument()
})

describe('list', () => {
  const grid = page.getByRole('grid', { name: t.devices })
  const header = (name: string) => grid.getByRole('columnheader', { name })

  afterEach(async () => {
    localStorage.removeItem('busbar.table.0.kit')
    await page.viewport(1280, 800)
  })

  it('sorts, selects and opens by a tap', async () => {
    await render(<KitTable />)
    await tap(`[role="columnheader"] ${buttonWith(t.temperature)}`)
    await expect.element(header(t.temperature)).toHaveAttribute('aria-sort', 'ascending')
    await tap(`input${named(en.table.select(t.press(1)))}`)
    await expect.element(page.getByText(en.table.selected('1'))).toBeVisible()
    const second = grid.getByRole('row').nth(2)
    await tap('[role="row"] >> nth=2 >> [data-column="line"]')
    await expect.element(second).toHaveAttribute('aria-current', 'true')
  })

  it('makes a column wider by a finger on the edge of its header', async () => {
    await render(<KitTable />)
    await expect.element(grid).toBeVisible()
    const width = () => (header(t.state).element() as HTMLElement).offsetWidth
    const before = width()
    await touchDrag('[role="columnheader"]:has-text("State") > span:last-child', -40)
    await expect.poll(width).toBe(before - 40)
  })

  it('hides and pins a column by taps in its options', async () => {
    await render(<KitTable />)
    await expect.element(grid).toBeVisible()
    await tap(named(en.table.view))
    await expect.element(opened).toBeVisible()
    await tap(`[role="dialog"] label:has-text("${t.state}")`)
    await expect.element(header(t.state)).not.toBeInTheDocument()
    await tap(`[role="dialog"] ${named(en.table.pin(t.line))}`)
    const placeOf = (name: string) => Number(header(name).element().getAttribute('aria-colindex'))
    await expect.poll(() => placeOf(t.line) < placeOf(t.temperature)).toBe(true)
  })

  it('on a phone: cards are selected, opened and sorted', async () => {
    await page.viewport(390, 800)
    await render(<KitTable />, 'en', { layout: 'narrow' })
    await tap(`input${named(en.table.select(t.press(1)))}`)
    await expect.element(page.getByText(en.table.selected('1'))).toBeVisible()
    await tap(`${named(en.access.more(t.press(2)))}`)
    await tap(`[role="menuitem"]:has-text("${t.rename}")`)
    await expect.element(page.getByText(`${t.rename}: ${t.press(2)}`)).toBeVisible()
    await tap(named(en.table.view))
    await tap(`[role="dialog"] [aria-haspopup="listbox"]`)
    await tap(`[role="option"]:has-text("${t.name} ↓")`)
    // Above the list lies the notice of the renaming.
    await tap(`h2:has-text("${t.devices}")`)
    await expect.element(opened).not.toBeInTheDocument()
    await expect
      .element(page.getByRole('list', { name: t.devices }).getByRole('listitem').first())
      .toMatchTextContent(t.press(24))
  })
})
