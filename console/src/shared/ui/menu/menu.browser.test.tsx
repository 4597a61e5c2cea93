import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { KitMenus } from '../../../../test-support/kit/kit-menus.tsx'
import { t } from '../../../../test-support/kit/kit-text.ts'
import { hold, render, tap } from '../../../../test-support/render.tsx'

const trigger = page.getByRole('button', { name: t.device })
const item = (name: string) => page.getByRole('menuitem', { name: new RegExp(`^${name}`) })

it('opens by Down on its button with the focus on the first action, and returns it at Esc', async () => {
  await render(<KitMenus />)
  trigger.element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('menu', { name: t.device })).toBeVisible()
  await expect.element(item(t.rename)).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(trigger).toHaveFocus()
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
})

it('finds an action by its letters', async () => {
  await render(<KitMenus />)
  await userEvent.click(trigger)
  await userEvent.keyboard('rem')
  await expect.element(item(t.remove)).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(t.remove)).toBeVisible()
})

it('marks the chosen line of a choice', async () => {
  await render(<KitMenus />)
  await userEvent.click(trigger)
  await userEvent.click(page.getByRole('menuitemradio', { name: t.byState }))
  await userEvent.click(trigger)
  await expect.element(page.getByRole('menuitemradio', { name: t.byState })).toBeChecked()
  await expect.element(page.getByRole('menuitemradio', { name: t.byName })).not.toBeChecked()
})

it('opens by a long press of a finger, and leaves a short one to the button', async () => {
  await render(<KitMenus />)
  const button = `text="${t.longPress}"`
  await tap(button)
  await expect.element(page.getByText(t.pressed(1))).toBeVisible()
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  await hold(button, 700)
  await expect.element(page.getByRole('menu', { name: t.longPress })).toBeVisible()
  await expect.element(page.getByText(t.pressed(2))).not.toBeInTheDocument()
})

it('has the focus on its first action when Enter opens it a second time, and Enter takes it', async () => {
  await render(<KitMenus />)
  trigger.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(item(t.rename)).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(trigger).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(item(t.rename)).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(t.rename, { exact: true })).toBeVisible()
})
