import axe from 'axe-core'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { cn } from '../../src/shared/i18n/cn/index.ts'
import { en } from '../../src/shared/i18n/en/index.ts'
import { holdToasts } from '../../src/shared/ui/toast/toast-store.ts'
import { render, still } from '../render.tsx'
import { KitDates } from './kit-dates.tsx'
import { KitDialogs, KitToasts } from './kit-feedback.tsx'
import { KitMenus } from './kit-menus.tsx'
import { KitPage } from './kit-page.tsx'
import { KitComboBoxes, KitSelects } from './kit-pickers.tsx'
import { KitForm, KitTable } from './kit-table.tsx'
import { t } from './kit-text.ts'

const texts = { cn, en }
const widths = { wide: 1280, narrow: 390 } as const

const faultsOf = async (context: Element = document.body) => {
  await still()
  return (await axe.run(context, { resultTypes: ['violations'] })).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}

/** A part that opens: its sample, the first of the buttons that begin with this name, and what appears. */
interface Opening {
  readonly part: ReactNode
  readonly button: (lang: 'cn' | 'en') => string
  readonly opened: () => Locator
}

const dialog = () => page.getByRole('dialog')
const openings: Readonly<Record<string, Opening>> = {
  menu: { part: <KitMenus />, button: () => t.device, opened: () => page.getByRole('menu') },
  popover: { part: <KitMenus />, button: () => t.details, opened: dialog },
  select: { part: <KitSelects />, button: () => t.line, opened: () => page.getByRole('listbox') },
  'combo box': { part: <KitComboBoxes />, button: () => t.variables, opened: dialog },
  moment: { part: <KitDates />, button: () => `.*${t.moment}`, opened: dialog },
  range: { part: <KitDates />, button: () => `.*${t.range}`, opened: dialog },
  toast: { part: <KitToasts />, button: () => t.showUndo, opened: () => page.getByRole('status').last() },
  'failure toast': {
    part: <KitToasts />,
    button: () => t.showFailed,
    opened: () => page.getByRole('alert').last(),
  },
  dialog: { part: <KitDialogs />, button: () => t.open, opened: dialog },
  form: { part: <KitForm />, button: () => t.openForm, opened: dialog },
  'view of a list': { part: <KitTable />, button: (lang) => texts[lang].table.view, opened: dialog },
}

afterEach(() => page.viewport(1280, 800))

/** Contrast depends on the theme, and what is drawn and named on the width and the language: no pair of them hides another. */
const looks = [
  { theme: 'light', layout: 'wide', lang: 'en' },
  { theme: 'dark', layout: 'narrow', lang: 'cn' },
] as const

describe.each(looks)('in $lang, $theme and $layout', ({ theme, layout, lang }) => {
  beforeEach(() => page.viewport(widths[layout], 800))

  it('every part of the kit can be read and is named', async () => {
    await render(<KitPage />, lang, { theme, layout })
    expect(await faultsOf()).toEqual([])
  })

  it.each(Object.entries(openings))(
    'an open %s can be read and is named',
    async (_, { part, button, opened }) => {
      await render(part, lang, { theme, layout })
      // On a slow machine a toast's time would end before it was looked at.
      holdToasts()
      await userEvent.click(page.getByRole('button', { name: new RegExp(`^${button(lang)}`) }).first())
      await expect.element(opened()).toBeVisible()
      expect(await faultsOf(opened().element())).toEqual([])
      await userEvent.keyboard('{Escape}')
    },
  )
})

it('every element beside an open menu has a name', async () => {
  await render(<KitMenus />)
  await userEvent.click(page.getByRole('button', { name: t.device }))
  await expect.element(page.getByRole('menu')).toBeVisible()
  expect(await faultsOf()).toEqual([])
})

it('is looked at when what moves has come to its end, whatever moves without one', async () => {
  await render(
    <>
      <p>ends</p>
      <p>goes on</p>
    </>,
  )
  const [ending, endless] = document.querySelectorAll('p')
  endless?.animate([{ opacity: 0.5 }, { opacity: 1 }], {
    duration: 200,
    iterations: Number.POSITIVE_INFINITY,
  })
  const fade = ending?.animate([{ opacity: 0.5 }, { opacity: 1 }], 400)
  await still()
  expect(fade?.playState).toBe('finished')
})

it('fits a phone without scrolling sideways', async () => {
  await page.viewport(320, 800)
  await render(<KitPage />, 'en', { layout: 'narrow' })
  expect(document.documentElement.scrollWidth).toBe(320)
})
