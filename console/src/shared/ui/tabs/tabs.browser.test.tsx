import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { KitTabs, KitToggles } from '../../../../test-support/kit/kit-menus.tsx'
import { t } from '../../../../test-support/kit/kit-text.ts'
import { render } from '../../../../test-support/render.tsx'

const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })

it('tabs move by arrow keys and End, past disabled ones, and name their content', async () => {
  await render(<KitTabs />)
  await userEvent.click(tab(t.values))
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(tab(t.history)).toHaveFocus()
  await expect.element(page.getByRole('tabpanel', { name: t.history })).toHaveTextContent(t.panel(t.history))
  await userEvent.keyboard('{End}')
  await expect.element(tab(t.alarms)).toHaveAttribute('aria-selected', 'true')
  await expect.element(tab(t.raw)).toBeDisabled()
})

it('a toggle group is one stop of Tab, and its arrow keys skip disabled ones', async () => {
  await render(<KitToggles />)
  const group = page.getByRole('radiogroup', { name: t.size })
  await userEvent.tab()
  await expect.element(group.getByRole('radio', { name: new RegExp(`^${t.medium}`) })).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(group.getByRole('radio', { name: new RegExp(`^${t.small}`) })).toBeChecked()
})

it('toggle buttons stay pressed independently', async () => {
  await render(<KitToggles />)
  const day = page.getByRole('button', { name: t.dayNames[1] ?? '' })
  await expect.element(day).toHaveAttribute('aria-pressed', 'false')
  await userEvent.click(day)
  await expect.element(day).toHaveAttribute('aria-pressed', 'true')
  await expect
    .element(page.getByRole('button', { name: t.dayNames[0] ?? '' }))
    .toHaveAttribute('aria-pressed', 'true')
})
