import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { render, still } from '../../../test-support/render.tsx'
import { cn } from '../../shared/i18n/cn/index.ts'
import { en } from '../../shared/i18n/en/index.ts'
import { KitPage } from './kit-page.tsx'
import { type KitText, kitTexts } from './kit-text.ts'

const texts = { cn, en }
const widths = { wide: 1280, narrow: 390 } as const

const faultsOf = async (context: Element = document.body) => {
  await still()
  return (await axe.run(context, { resultTypes: ['violations'] })).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}

/** A part that opens: the button in the section of this name, and what appears. */
interface Opening {
  readonly section: keyof KitText['parts']
  /** Of the buttons of the section that begin with this name, the first. */
  readonly button: (t: KitText, lang: 'cn' | 'en') => string
  readonly opened: (t: KitText) => Locator
}

const dialog = () => page.getByRole('dialog')
const openings: readonly Opening[] = [
  { section: 'menu', button: (t) => t.device, opened: () => page.getByRole('menu') },
  { section: 'popover', button: (t) => t.details, opened: dialog },
  { section: 'select', button: (t) => t.line, opened: (t) => page.getByRole('listbox', { name: t.line }) },
  { section: 'comboBox', button: (t) => t.variables, opened: dialog },
  { section: 'dates', button: (t) => `.*${t.moment}`, opened: dialog },
  { section: 'dates', button: (t) => `.*${t.range}`, opened: dialog },
  { section: 'toasts', button: (t) => t.showUndo, opened: () => page.getByRole('status').last() },
  { section: 'toasts', button: (t) => t.showFailed, opened: () => page.getByRole('alert').last() },
  { section: 'dialogs', button: (t) => t.open, opened: dialog },
  { section: 'form', button: (t) => t.openForm, opened: dialog },
  { section: 'table', button: (_, lang) => texts[lang].table.view, opened: dialog },
]

afterEach(() => page.viewport(1280, 800))

describe.each(['cn', 'en'] as const)('every part of the kit in %s', (lang) => {
  const t = kitTexts[lang]

  describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
    it.each(['wide', 'narrow'] as const)('can be read and is named on a %s page', async (layout) => {
      await page.viewport(widths[layout], 800)
      await render(<KitPage />, lang, { theme, layout })
      expect(await faultsOf()).toEqual([])
    })

    // Each language with both themes and both widths, and each theme with both widths.
    const layout = (lang === 'cn') === (theme === 'light') ? 'wide' : 'narrow'
    it(`can be read and is named when it is open, ${layout}`, async () => {
      await page.viewport(widths[layout], 800)
      await render(<KitPage />, lang, { theme, layout })
      const found: string[] = []
      for (const { section, button, opened } of openings) {
        const part = page.getByRole('region', { name: t.parts[section], exact: true })
        await userEvent.click(part.getByRole('button', { name: new RegExp(`^${button(t, lang)}`) }).first())
        const place = opened(t)
        await expect.element(place).toBeVisible()
        const panel = place.element()
        const faults = await faultsOf(panel)
        found.push(...faults.map((fault) => `${section}: ${fault}`))
        await userEvent.keyboard('{Escape}')
        if (section !== 'toasts') await expect.poll(() => panel.isConnected).toBe(false)
      }
      expect(found).toEqual([])
    }, 180_000)
  })

  it('every element beside an open menu has a name', async () => {
    await render(<KitPage />, lang)
    await userEvent.click(page.getByRole('button', { name: t.device }).nth(2))
    await expect.element(page.getByRole('menu')).toBeVisible()
    expect(await faultsOf()).toEqual([])
  })
})

it('is looked at when what moves has come to its end, whatever moves without one', async () => {
  await render(<KitPage />)
  const [ending, endless] = document.querySelectorAll('h2')
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
