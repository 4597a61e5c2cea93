import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { KitDialogs } from '../../../test-support/kit/kit-feedback.tsx'
import { t } from '../../../test-support/kit/kit-text.ts'
import { dragTo, render } from '../../../test-support/render.tsx'
import { cn } from '../i18n/cn/index.ts'
import { en } from '../i18n/en/index.ts'
import { Dialog } from './dialog.tsx'

const dialog = page.getByRole('dialog', { name: t.dialogTitle })
const question = page.getByRole('dialog', { name: en.app.discard.title })
const name = page.getByRole('textbox', { name: t.name })
const beside = { x: 20, y: 400 }

async function open() {
  await render(<KitDialogs />)
  await userEvent.click(page.getByRole('button', { name: t.open }))
  await expect.element(name).toHaveFocus()
}

it('stays where text is selected and the mouse is let go beside it', async () => {
  await open()
  await dragTo('dialog input', beside)
  await expect.element(dialog).toBeVisible()
  await expect.element(question).not.toBeInTheDocument()
})

it('closes at a press beside it, where nothing was entered', async () => {
  await open()
  await userEvent.click(document.documentElement, { position: beside })
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: t.open })).toHaveFocus()
})

it('asks before Escape discards input, and keeps it', async () => {
  await open()
  await userEvent.keyboard('Press 7{Escape}')
  await expect.element(question).toBeVisible()
  await expect.element(page.getByRole('button', { name: en.app.discard.keep })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(name).toHaveValue('Press 7')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('button', { name: en.app.discard.drop }))
  await expect.element(dialog).not.toBeInTheDocument()
})

it('closed by Escape with its secret, which is shown once, after it had lost the focus', async () => {
  await render(<Dialog title={t.dialogTitle}>{t.name}</Dialog>)
  const secret = page.getByRole('dialog', { name: t.dialogTitle })
  await expect.element(secret).toBeVisible()
  for (const _ of [1, 2, 3]) {
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.keyboard('{Escape}')
    expect((secret.element() as HTMLDialogElement).open).toBe(true)
  }
})

it('asks in Chinese', async () => {
  await render(<KitDialogs />, 'cn')
  await userEvent.click(page.getByRole('button', { name: t.open }))
  await userEvent.keyboard('7 号{Escape}')
  await expect.element(page.getByRole('dialog', { name: cn.app.discard.title })).toBeVisible()
})

it('does not ask if the input was removed again', async () => {
  await open()
  await userEvent.keyboard('P{Backspace}{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})

it('asks for a choice of a picker, too', async () => {
  await open()
  await userEvent.click(page.getByRole('button', { name: new RegExp(`^${t.line}`) }))
  await userEvent.click(page.getByRole('option', { name: t.lines[1] ?? '' }))
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.element(question).toBeVisible()
})

it('lets its menus and calendars be used, and Escape closes only them', async () => {
  await open()
  await userEvent.click(page.getByRole('button', { name: t.device }))
  await userEvent.click(page.getByRole('menuitem', { name: t.copy }))
  await expect.element(name).toHaveValue(t.copy)
  await userEvent.click(page.getByRole('button', { name: /Calendar/ }))
  await expect.element(page.getByRole('grid')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('grid')).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
})
