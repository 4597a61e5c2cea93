import { afterEach, describe, expect, it } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { en } from '../../src/shared/i18n/en/index.ts'
import { holdToasts } from '../../src/shared/ui/toast/toast-store.ts'
import { render } from '../render.tsx'
import { KitDates, KitNumbers } from './kit-dates.tsx'
import { KitDialogs, KitFields, KitTips, KitToasts } from './kit-feedback.tsx'
import { KitMenus, KitTabs, KitToggles } from './kit-menus.tsx'
import { KitChoices, KitComboBoxes, KitSelects } from './kit-pickers.tsx'
import { KitForm, KitTable } from './kit-table.tsx'
import { t } from './kit-text.ts'

/* Each part of the kit with keys alone: it opens, moves, chooses and closes, and the focus returns. Finer points of a part
   are tested beside it. */

const button = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) }).first()
const opened = page.getByRole('dialog')

const focus = (locator: Locator) => (locator.element() as HTMLElement).focus()
const press = (keys: string) => userEvent.keyboard(keys)
const isFocused = (locator: Locator) => expect.element(locator).toHaveFocus()
const isGone = (locator: Locator) => expect.element(locator).not.toBeInTheDocument()

describe('menu', () => {
  const item = (name: string) => page.getByRole('menuitem', { name: new RegExp(`^${name}`) })

  it('opens by Enter, skips disabled items, acts by Enter, and returns the focus', async () => {
    await render(<KitMenus />)
    focus(button(t.device))
    await press('{Enter}')
    await isFocused(item(t.rename))
    await press('{ArrowDown}{ArrowDown}')
    await isFocused(page.getByRole('menuitemradio', { name: t.byName }))
    await press('{Home}{Enter}')
    await isGone(page.getByRole('menu'))
    await isFocused(button(t.device))
    await expect.element(page.getByRole('status').first()).toHaveTextContent(t.rename)
  })

  it('opens by Up with the last action, and Tab stays in it', async () => {
    await render(<KitMenus />)
    focus(button(t.device))
    await press('{ArrowUp}')
    await isFocused(item(t.remove))
    await press('{Tab}')
    expect(page.getByRole('menu').element().contains(document.activeElement)).toBe(true)
    await press('{Escape}')
    await isGone(page.getByRole('menu'))
  })

  it('of a long press opens by Alt and Down', async () => {
    await render(<KitMenus />)
    focus(button(t.longPress))
    await press('{Alt>}{ArrowDown}{/Alt}')
    await isFocused(item(t.edit))
    await press('{Escape}')
    await isFocused(button(t.longPress))
  })
})

it('popover: opens by Space, Tab stays in it, and Esc returns the focus', async () => {
  await render(<KitMenus />)
  focus(button(t.details))
  await press(' ')
  await expect.element(opened).toBeVisible()
  await press('{Tab}')
  await isFocused(opened.getByRole('button', { name: t.close }))
  await press('{Tab}')
  expect(opened.element().contains(document.activeElement)).toBe(true)
  await press('{Escape}')
  await isGone(opened)
  await isFocused(button(t.details))
})

describe('select', () => {
  it('moves by End past disabled items, and keeps its choice at Esc', async () => {
    await render(<KitSelects />)
    focus(button(t.line))
    await press('{Enter}')
    const list = page.getByRole('listbox', { name: t.line })
    await expect.element(list).toBeVisible()
    await press('{End}')
    await isFocused(list.getByRole('option', { name: t.lines[2] ?? '' }))
    await press('{Escape}')
    await isGone(list)
    await isFocused(button(t.line))
    await expect.element(button(t.line)).not.toMatchTextContent(t.lines[2] ?? '')
  })
})

describe('combo box', () => {
  it('opens by Enter, moves by arrow keys, takes by Enter, and returns the focus', async () => {
    await render(<KitComboBoxes />)
    focus(button(t.zone))
    await press('{Enter}')
    await isFocused(opened.getByRole('combobox'))
    await press('berlin{ArrowDown}{Enter}')
    await isGone(opened)
    await isFocused(button(t.zone))
  })

  it('of several toggles choices by Enter, and closes by Esc', async () => {
    await render(<KitComboBoxes />)
    focus(button(t.variables))
    await press('{Enter}')
    await isFocused(opened.getByRole('combobox'))
    await press('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}')
    await expect
      .element(opened.getByRole('option', { name: new RegExp(`^${t.variable(3)}\\b`) }))
      .toHaveAttribute('aria-selected', 'true')
    await press('{Escape}')
    await isGone(opened)
    await isFocused(button(t.variables))
  })

  it('clears its search by Esc before it closes', async () => {
    await render(<KitComboBoxes />)
    focus(button(t.zone))
    await press('{Enter}')
    await isFocused(opened.getByRole('combobox'))
    await press('tokyo{Escape}')
    await expect.element(opened.getByRole('combobox')).toHaveValue('')
    await press('{Escape}')
    await isGone(opened)
    await isFocused(button(t.zone))
  })

  it('closes by an Esc that is faster than its first frame', async () => {
    await render(<KitComboBoxes />)
    focus(button(t.variables))
    await press('{Enter}{Escape}')
    await isGone(opened)
    await isFocused(button(t.variables))
  })
})

it('choice list: finds, takes and leaves, the focus stays in the search', async () => {
  await render(<KitChoices />)
  const search = page.getByRole('combobox')
  const list = page.getByRole('listbox', { name: t.variables })
  focus(search)
  await press('zone 20 temperature 1000{ArrowDown}{Enter}')
  const found = list.getByRole('option', { name: new RegExp(`^${t.variable(1_000)}`) })
  await expect.element(found).toHaveAttribute('aria-selected', 'true')
  await isFocused(search)
  await press('{Enter}')
  await expect.element(found).toHaveAttribute('aria-selected', 'false')
})

it('tabs: Tab leads from the chosen one into its content', async () => {
  await render(<KitTabs />)
  focus(page.getByRole('tab', { name: new RegExp(`^${t.values}`) }))
  await press('{ArrowLeft}')
  await isFocused(page.getByRole('tab', { name: new RegExp(`^${t.alarms}`) }))
  await press('{Home}{Tab}')
  await isFocused(page.getByRole('tabpanel', { name: new RegExp(`^${t.values}`) }))
})

it('toggle buttons: arrow keys move, Space presses', async () => {
  await render(<KitToggles />)
  const day = (place: number) => page.getByRole('button', { name: t.dayNames[place] ?? '' })
  focus(day(0))
  await press('{ArrowRight} ')
  await isFocused(day(1))
  await expect.element(day(1)).toHaveAttribute('aria-pressed', 'true')
  await press('{End}')
  await isFocused(day(4))
})

describe('date and time', () => {
  const calendar = (label: string) =>
    page.getByRole('button', { name: new RegExp(`Calendar.*${label}`) }).first()

  it('opens by Enter and by Alt and Down, and returns the focus at Esc', async () => {
    await render(<KitDates />)
    focus(calendar(t.moment))
    await press('{Enter}')
    await expect.element(page.getByRole('grid')).toBeVisible()
    await press('{Escape}')
    await isGone(page.getByRole('grid'))
    await isFocused(calendar(t.moment))
    focus(page.getByRole('spinbutton').first())
    await press('{Alt>}{ArrowDown}{/Alt}')
    await expect.element(page.getByRole('grid')).toBeVisible()
    await press('{Escape}')
    await isGone(page.getByRole('grid'))
  })

  it('types from part to part, without the calendar', async () => {
    await render(<KitDates />)
    const part = (name: string) =>
      page.getByRole('spinbutton', { name: new RegExp(`^${name}.*${t.moment}`) }).first()
    focus(part('year'))
    await press('20270305')
    await isFocused(part('hour'))
    await press('0709{Enter}')
    await expect.element(part('month')).toHaveTextContent('03')
    await expect.element(part('minute')).toHaveTextContent('09')
  })

  it('changes the time and the zone beside the calendar, and is done by a button', async () => {
    await render(<KitDates />)
    focus(calendar(t.moment))
    await press('{Enter}')
    await expect.element(page.getByRole('grid')).toBeVisible()
    const hour = opened.getByRole('spinbutton', { name: /^hour/ })
    focus(hour)
    await press('05')
    await expect.element(hour).toHaveTextContent('05')
    focus(opened.getByRole('radio', { name: t.mine }))
    await press('{ArrowRight}')
    await expect.element(opened.getByText(/America\/New_York/)).toBeVisible()
    focus(opened.getByRole('button', { name: en.kit.date.done }))
    await press('{Enter}')
    await isGone(opened)
    await isFocused(calendar(t.moment))
  })
})

describe('time range', () => {
  const calendar = page.getByRole('button', { name: new RegExp(`Calendar.*${t.range}`) })

  it('takes its first and last day by Enter in the calendar', async () => {
    await render(<KitDates />)
    focus(calendar)
    await press('{Enter}')
    await expect.element(page.getByRole('grid').first()).toBeVisible()
    await press('{Home}{Enter}{ArrowRight}{Enter}{Escape}')
    await isGone(page.getByRole('grid'))
    await isFocused(calendar)
  })

  it('takes a preset by Enter', async () => {
    await render(<KitDates />)
    focus(calendar)
    await press('{Enter}')
    const preset = opened.getByRole('button', { name: en.kit.presets.yesterday })
    await expect.element(preset).toBeVisible()
    focus(preset)
    await press('{Enter}')
    await isGone(opened)
    await isFocused(calendar)
  })
})

it('number: Page up takes ten steps, and Tab skips its buttons', async () => {
  await render(<KitNumbers />)
  await press('{Tab}{PageUp}')
  await expect.element(page.getByRole('spinbutton', { name: t.setPoint })).toHaveValue('67.0')
  await press('{Shift>}{ArrowDown}{/Shift}{ArrowDown}')
  await expect.element(page.getByRole('spinbutton', { name: t.setPoint })).toHaveValue('61.5')
  await press('{Tab}')
  await isFocused(page.getByRole('spinbutton', { name: t.count }))
})

it('switch: turns by Space', async () => {
  await render(<KitFields />)
  const alarms = page.getByRole('switch', { name: t.alarmSwitch })
  focus(alarms)
  await press(' ')
  await expect.element(alarms).not.toBeChecked()
})

it('tooltip: comes with the focus and goes with it', async () => {
  await render(<KitTips />)
  await press('{Tab}')
  await isFocused(button(t.tipButton))
  await expect.element(page.getByText(t.tip)).toBeVisible()
  await press('{Tab}')
  await isGone(page.getByText(t.tip))
})

it('toast: F6 leads to undo, which takes back and returns the focus', async () => {
  await render(<KitToasts />)
  // On a slow machine its time would end before it was looked at.
  holdToasts()
  focus(button(t.showUndo))
  await press('{Enter}{F6}')
  await isFocused(page.getByRole('button', { name: en.notices.undo }))
  await press('{Enter}')
  await expect.element(page.getByText(t.undone)).toBeVisible()
  await isFocused(button(t.showUndo))
})

it('dialog: opens by Enter, Tab stays in it, Enter on its action closes it and returns the focus', async () => {
  await render(<KitDialogs />)
  focus(button(t.open))
  await press('{Enter}')
  await isFocused(page.getByRole('textbox', { name: t.name }))
  for (let tabs = 0; tabs < 20; tabs++) {
    await press('{Tab}')
    expect(
      document.activeElement === document.body || opened.element().contains(document.activeElement),
    ).toBe(true)
  }
  focus(opened.getByRole('button', { name: t.save }))
  await press('{Enter}')
  await isGone(opened)
  await isFocused(button(t.open))
})

it('form: Enter sends it, a refused field has the focus and its reason, and the focus returns', async () => {
  await render(<KitForm />)
  focus(button(t.openForm))
  await press('{Enter}')
  const name = opened.getByRole('textbox', { name: t.name })
  await isFocused(name)
  await press('{Enter}')
  await expect.element(name).toHaveAccessibleDescription(t.nameEmpty)
  await isFocused(name)
  await press('Hall 3{Enter}')
  await isGone(opened)
  await isFocused(button(t.openForm))
  await expect.element(page.getByText(t.done)).toBeVisible()
})

describe('list', () => {
  const grid = page.getByRole('grid', { name: t.devices })
  const header = (name: string) => grid.getByRole('columnheader', { name })
  const row = (n: number) => grid.getByRole('row', { name: new RegExp(`${t.press(n)}\\b`) })
  const active = () => document.getElementById(grid.element().getAttribute('aria-activedescendant') ?? '')

  afterEach(() => localStorage.removeItem('busbar.table.0.kit'))

  const start = async () => {
    await render(<KitTable />)
    await expect.element(grid).toBeVisible()
    focus(grid)
  }

  it('moves by arrow keys, and opens a row by Enter', async () => {
    await start()
    await press('{ArrowDown}{ArrowDown}')
    expect(active()?.textContent).toContain(t.press(2))
    await press('{Enter}')
    await expect.element(row(2)).toHaveAttribute('aria-current', 'true')
    await press('{End}')
    await expect.poll(() => active()?.textContent).toContain(t.press(24))
  })

  it('selects rows by Space and all of them by Ctrl and A, and deselects by its button', async () => {
    await start()
    await press('{ArrowDown} {ArrowDown} ')
    await expect.element(page.getByText(en.table.selected('2'))).toBeVisible()
    await press('{Control>}a{/Control}')
    await expect.element(page.getByText(en.table.selected('24'))).toBeVisible()
    focus(button(en.table.deselect))
    await press('{Enter}')
    await isGone(page.getByText(en.table.selected('24')))
  })

  it('sorts by Enter on a header', async () => {
    await start()
    await press('{ArrowDown}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowUp}')
    expect(active()?.textContent).toBe(t.temperature)
    await press('{Enter}')
    await expect.element(header(t.temperature)).toHaveAttribute('aria-sort', 'ascending')
    await press('{Enter}')
    await expect.element(header(t.temperature)).toHaveAttribute('aria-sort', 'descending')
  })

  it('makes a column wider and narrower by Shift and arrows on its header', async () => {
    await start()
    const width = () => (header(t.state).element() as HTMLElement).offsetWidth
    const before = width()
    await press('{ArrowDown}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowUp}')
    expect(active()?.textContent).toBe(t.state)
    await press('{Shift>}{ArrowLeft}{ArrowLeft}{ArrowLeft}{/Shift}')
    await expect.poll(width).toBe(before - 48)
    await press('{Shift>}{ArrowRight}{/Shift}')
    await expect.poll(width).toBe(before - 32)
  })

  it('enters a row’s menu by Enter in its cell, and comes back by Esc', async () => {
    await start()
    await press('{ArrowDown}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{Enter}')
    const more = button(en.access.more(t.press(1)))
    await isFocused(more)
    await press('{Enter}')
    await isFocused(page.getByRole('menuitem', { name: t.rename }))
    await press('{Escape}')
    await isFocused(more)
    await press('{Escape}')
    await isFocused(grid)
  })

  it('hides and pins a column in its options, and puts everything back', async () => {
    await start()
    focus(button(en.table.view))
    await press('{Enter}')
    await expect.element(opened).toBeVisible()
    focus(opened.getByRole('checkbox', { name: t.state }))
    await press(' ')
    await isGone(header(t.state))
    focus(opened.getByRole('button', { name: en.table.pin(t.line) }))
    await press('{Enter}')
    await expect
      .element(opened.getByRole('button', { name: en.table.unpin(t.line) }))
      .toHaveAttribute('aria-pressed', 'true')
    const placeOf = (name: string) => Number(header(name).element().getAttribute('aria-colindex'))
    await expect.poll(() => placeOf(t.line) < placeOf(t.temperature)).toBe(true)
    focus(opened.getByRole('button', { name: en.table.reset }))
    await press('{Enter}')
    await expect.element(header(t.state)).toBeVisible()
    await press('{Escape}')
    await isGone(opened)
    await isFocused(button(en.table.view))
  })
})
