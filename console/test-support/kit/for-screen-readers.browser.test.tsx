import { describe, expect, it } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { cn } from '../../src/shared/i18n/cn/index.ts'
import { en } from '../../src/shared/i18n/en/index.ts'
import { holdToasts } from '../../src/shared/ui/toast/toast-store.ts'
import { render } from '../render.tsx'
import { KitDates, KitNumbers } from './kit-dates.tsx'
import { KitDialogs, KitFields, KitToasts } from './kit-feedback.tsx'
import { KitMenus, KitTabs, KitToggles } from './kit-menus.tsx'
import { KitComboBoxes, KitSelects } from './kit-pickers.tsx'
import { KitForm, KitTable } from './kit-table.tsx'
import { t } from './kit-text.ts'

/* The names and states that a screen reader says of each part, in both languages. axe finds missing names;
   only this test finds a name in the wrong language, or one that says too little. */

const texts = { cn, en }
/** The library's own words for the parts of a date, and for the button of a calendar. */
const dateWords = {
  cn: { year: '年', day: '日', calendar: '日历' },
  en: { year: 'year', day: 'day', calendar: 'Calendar' },
}

const isThere = (locator: Locator) => expect.element(locator.first()).toBeVisible()

describe.each(['cn', 'en'] as const)('in %s', (lang) => {
  const words = texts[lang]
  const dates = dateWords[lang]
  const begins = (name: string) => new RegExp(`^${name}`)
  const ofAll = (...names: string[]) => new RegExp(names.map((name) => `(?=.*${name})`).join(''))
  const button = (name: string) => page.getByRole('button', { name: begins(name) }).first()

  it('a menu says that it opens, its name, its groups and their choice', async () => {
    await render(<KitMenus />, lang)
    await expect.element(button(t.device)).toHaveAttribute('aria-haspopup', 'menu')
    await expect.element(button(t.device)).toHaveAttribute('aria-expanded', 'false')
    await userEvent.click(button(t.device))
    await isThere(page.getByRole('menu', { name: t.device }))
    await isThere(page.getByRole('group', { name: t.sort }))
    await isThere(page.getByRole('menuitemradio', { name: t.byName, checked: true }))
    await expect
      .element(page.getByRole('menuitem', { name: t.disabled }))
      .toHaveAttribute('aria-disabled', 'true')
    await userEvent.keyboard('{Escape}')
  })

  it('a popover says its name', async () => {
    await render(<KitMenus />, lang)
    await userEvent.click(button(t.details))
    await isThere(page.getByRole('dialog', { name: t.details }))
    await userEvent.keyboard('{Escape}')
  })

  it('a select says its label, its value and its error', async () => {
    await render(<KitSelects />, lang)
    const wrong = page.getByRole('button', { name: `${t.line} ${t.lines[3]}` })
    await expect.element(wrong).toHaveAccessibleDescription(t.wrong)
    await userEvent.click(wrong)
    await isThere(page.getByRole('listbox', { name: t.line }))
    await isThere(page.getByRole('option', { name: t.lines[3] ?? '', selected: true }))
    await userEvent.keyboard('{Escape}')
  })

  it('a combo box says its label, its choice, its search and its groups', async () => {
    await render(<KitComboBoxes />, lang)
    const variables = button(t.variables)
    await expect
      .element(variables)
      .toHaveAccessibleName(`${t.variables} ${words.kit.chosen(t.variable(1), 1)}`)
    await userEvent.click(variables)
    const opened = page.getByRole('dialog', { name: t.variables })
    await isThere(opened.getByRole('combobox', { name: words.kit.search }))
    await isThere(opened.getByRole('listbox', { name: t.variables }))
    await isThere(opened.getByRole('group', { name: t.area(1), exact: true }))
    await userEvent.keyboard('qqqqq')
    await isThere(opened.getByText(words.kit.none))
    await isThere(opened.getByRole('button', { name: words.kit.clearSearch }))
    await userEvent.keyboard('{Escape}{Escape}')
  })

  it('tabs and toggles say their rows and their choice', async () => {
    await render(
      <>
        <KitTabs />
        <KitToggles />
      </>,
      lang,
    )
    await isThere(page.getByRole('tablist', { name: t.parts.tabs }))
    await isThere(page.getByRole('tab', { name: begins(t.values), selected: true }))
    await isThere(page.getByRole('radiogroup', { name: t.size }))
    await isThere(page.getByRole('radio', { name: begins(t.medium), checked: true }))
    await isThere(page.getByRole('group', { name: t.days }))
    await isThere(page.getByRole('button', { name: t.dayNames[0] ?? '', pressed: true }))
  })

  it('dates say their field, their part and their error', async () => {
    await render(<KitDates />, lang)
    await isThere(page.getByRole('group', { name: t.moment }))
    await isThere(page.getByRole('spinbutton', { name: ofAll(dates.year, t.moment) }))
    await isThere(page.getByRole('spinbutton', { name: ofAll(dates.day, t.range) }))
    await isThere(page.getByText(t.late))
    await userEvent.click(page.getByRole('button', { name: ofAll(dates.calendar, t.moment) }).first())
    const opened = page.getByRole('dialog')
    await expect.element(opened).toHaveAccessibleName(ofAll(t.moment))
    await isThere(opened.getByRole('radiogroup', { name: words.kit.date.clocks }))
    await isThere(opened.getByRole('group', { name: words.kit.date.time }))
    await userEvent.keyboard('{Escape}')
  })

  it('a number says its unit, its limits and its buttons', async () => {
    await render(<KitNumbers />, lang)
    const field = page.getByRole('spinbutton', { name: t.setPoint })
    await expect.element(field).toHaveAttribute('aria-valuetext', '62.0 °C')
    await isThere(page.getByRole('button', { name: words.kit.number.more(t.setPoint) }))
    await isThere(page.getByRole('button', { name: words.kit.number.less(t.setPoint) }))
  })

  it('text fields and switches say their labels, errors and states', async () => {
    await render(<KitFields />, lang)
    await expect
      .element(page.getByRole('textbox', { name: t.name }).nth(1))
      .toHaveAccessibleDescription(t.nameEmpty)
    await isThere(page.getByRole('switch', { name: t.alarmSwitch, checked: true }))
  })

  it('toasts are read out, failures assertively, and their buttons are named', async () => {
    await render(<KitToasts />, lang)
    // On a slow machine its time would end before it was looked at.
    holdToasts()
    await userEvent.click(button(t.showUndo))
    await expect.element(page.getByRole('status').last()).toMatchTextContent(t.removed)
    await isThere(page.getByRole('region', { name: words.notices.label }))
    await isThere(page.getByRole('button', { name: words.notices.undo, exact: true }))
    await isThere(page.getByRole('button', { name: words.notices.dismiss }))
    await userEvent.click(button(t.showFailed))
    await expect.element(page.getByRole('alert')).toMatchTextContent(t.failed)
  })

  it('dialogs and forms say their titles and their errors', async () => {
    await render(
      <>
        <KitDialogs />
        <KitForm />
      </>,
      lang,
    )
    await userEvent.click(button(t.open))
    await isThere(page.getByRole('dialog', { name: t.dialogTitle }))
    await isThere(page.getByRole('button', { name: words.app.close, exact: true }))
    await userEvent.keyboard('{Escape}')
    await userEvent.click(button(t.openForm))
    await isThere(page.getByRole('dialog', { name: t.openForm }))
    await userEvent.keyboard('{Enter}')
    const name = page.getByRole('textbox', { name: t.name })
    await expect.element(name).toHaveAttribute('aria-invalid', 'true')
    await expect.element(name).toHaveAccessibleDescription(t.nameEmpty)
    await userEvent.keyboard('{Escape}')
  })

  it('a list says its name, its order, its rows and their buttons', async () => {
    await render(<KitTable />, lang)
    await isThere(page.getByRole('grid', { name: t.devices }))
    await expect.element(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '25')
    await expect
      .element(page.getByRole('columnheader', { name: t.temperature }))
      .toHaveAttribute('aria-sort', 'none')
    await isThere(page.getByRole('checkbox', { name: words.table.selectAll }))
    await isThere(page.getByRole('checkbox', { name: words.table.select(t.press(1)), exact: true }))
    await isThere(page.getByRole('button', { name: words.access.more(t.press(1)), exact: true }))
    await isThere(page.getByRole('searchbox', { name: t.searchDevices }))
    await userEvent.click(page.getByRole('checkbox', { name: words.table.selectAll }))
    await isThere(page.getByRole('toolbar', { name: words.table.bulk }))
    await userEvent.click(page.getByRole('button', { name: words.table.view }))
    const opened = page.getByRole('dialog', { name: words.table.view })
    await isThere(opened.getByRole('group', { name: words.table.columns }))
    await isThere(opened.getByRole('button', { name: words.table.pin(t.line) }))
    await userEvent.keyboard('{Escape}')
  })
})
