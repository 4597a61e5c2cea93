import { timing } from '@busbar/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { KitDialogs, KitToasts } from '../../../../test-support/kit/kit-feedback.tsx'
import { t } from '../../../../test-support/kit/kit-text.ts'
import { moveTo, render } from '../../../../test-support/render.tsx'
import { en } from '../../i18n/en/index.ts'

// A toast leaves when a test says so: on a slow machine its seconds pass before its button is pressed.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('undoes the last act', async () => {
  await render(<KitToasts />)
  await userEvent.click(page.getByRole('button', { name: t.showUndo }))
  await expect.element(page.getByText(t.removed)).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: en.notices.undo }))
  await expect.element(page.getByText(t.undone)).toBeVisible()
  await expect.element(page.getByText(t.removed)).not.toBeInTheDocument()
})

it('leaves when its time is over, but stays under the pointer', async () => {
  await render(<KitToasts />)
  const show = page.getByRole('button', { name: t.showDone })
  const toast = page.getByRole('status').getByText(t.done)
  await userEvent.click(show)
  await expect.element(toast).toBeVisible()
  vi.advanceTimersByTime(timing.noticeMs)
  await expect.element(toast).not.toBeInTheDocument()
  await userEvent.click(show)
  await moveTo(`[role="status"]:has-text("${t.done}")`)
  vi.advanceTimersByTime(timing.noticeMs)
  await expect.element(toast).toBeVisible()
})

it('is reached by F6, and the focus returns', async () => {
  await render(<KitToasts />)
  const button = page.getByRole('button', { name: t.showUndo })
  await userEvent.click(button)
  await userEvent.keyboard('{F6}')
  await expect.element(page.getByRole('button', { name: en.notices.undo })).toHaveFocus()
  await userEvent.keyboard('{F6}')
  await expect.element(button).toHaveFocus()
})

it('announces a failure assertively, and can be dismissed', async () => {
  await render(<KitToasts />)
  await userEvent.click(page.getByRole('button', { name: t.showFailed }))
  await expect.element(page.getByRole('alert')).toHaveTextContent(t.failed)
  await userEvent.click(page.getByRole('button', { name: en.notices.dismiss }))
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

it('can be dismissed while a dialog is open', async () => {
  await render(<KitDialogs />)
  await userEvent.click(page.getByRole('button', { name: t.open }))
  await userEvent.click(page.getByRole('button', { name: t.showDone }))
  await userEvent.click(page.getByRole('button', { name: en.notices.dismiss }))
  await expect.element(page.getByText(t.done)).not.toBeInTheDocument()
})

it('is shown when the dialog that did the work closes in the same moment', async () => {
  await render(<KitDialogs />)
  await userEvent.click(page.getByRole('button', { name: t.open }))
  await userEvent.click(page.getByRole('button', { name: t.save }))
  await expect.element(page.getByText(t.done)).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})
