import type { Locator } from 'playwright-core'
import type { View } from './view.ts'

/* A person's steps in the console with applications: apply, see the badge rise, read, answer. */

const deadlineMs = 10_000

/**
 * Writes a message into the dialog for applying that is open, and sends it. By the keys alone: on a phone what lies
 * around the dialog is inert, which the browser knows to be no matter of the dialog and Playwright does not.
 */
export async function applyFor({ page, t }: View, message: string): Promise<void> {
  const { apply } = t.applications
  const field = page.getByRole('dialog').getByLabel(apply.message, { exact: true })
  await field.and(page.locator(':focus')).waitFor()
  await page.keyboard.type(message)
  await page.keyboard.press('Enter')
}

/** Waits until the badge shows this many unread messages. */
export async function waitForUnread({ page, t }: View, count: number): Promise<void> {
  const bell = page.getByRole('button', { name: t.app.header.unread(count), exact: true })
  await bell.waitFor({ timeout: deadlineMs })
}

/** Goes by the badge to the unread message about a person; returns the open message. */
export async function openMessage({ page, t }: View, about: string): Promise<Locator> {
  await page.getByRole('button', { name: t.app.header.unread(1), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: t.app.unread.scenes.inbox ?? '' })
    .click()
  const list = page.getByRole('list', { name: t.messages.list })
  await list.locator('[data-unread]').filter({ hasText: about }).getByRole('button').first().click()
  return page.locator('[data-pane]')
}

/** On a phone a pane covers everything: closes it, to get at what lies below. */
export async function closePane({ page, size }: View): Promise<void> {
  if (size === 'wide') return
  await page.keyboard.press('Escape')
  await page.locator('[data-pane]').waitFor({ state: 'detached' })
}
