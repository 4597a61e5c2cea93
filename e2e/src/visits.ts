import type { TestMachine } from '@busbar/testkit'
import type { Locator, Page } from 'playwright-core'
import { detailPane, machineEntry, openMachine } from './devices.ts'
import { findRow } from './rows.ts'
import type { View } from './view.ts'

/* A person's steps in the console with visits: enter, ask, release. Steps bring their tab to the front first,
   because the browser draws a hidden tab once a second. */

const deadlineMs = 10_000

/** Follows a link that opens a new tab; returns the tab. */
export async function openTab({ context }: View, link: Locator): Promise<Page> {
  const opened = context.waitForEvent('page')
  await link.click()
  return opened
}

/** The enter link in a row or a card of the list; `aria-disabled` if entering is not possible. */
export function enterLink(view: View, name: string): Locator {
  return machineEntry(view, name).getByRole('link', { name: view.t.visits.enterOf(name) })
}

/** Waits until the list offers the way in, or no longer does: then, to an ordinary user, the way to a right. */
export async function expectWayIn(view: View, name: string, isOpen: boolean): Promise<void> {
  const link = enterLink(view, name).and(view.page.locator(isOpen ? '[href]' : '[aria-disabled="true"]'))
  const apply = machineEntry(view, name).getByRole('button', {
    name: view.t.applications.apply.openOf(name),
    exact: true,
  })
  await (isOpen ? link : link.or(apply)).waitFor({ timeout: deadlineMs })
}

/** Enters another page of a machine than its own, from its details. */
export async function enterTarget(view: View, name: string, target: string): Promise<Page> {
  const { page, t } = view
  await page.bringToFront()
  const pane = await openMachine(view, name)
  await pane.getByRole('button', { name: t.visits.targets.choose }).click()
  const tab = await openTab(view, page.getByRole('menuitem').filter({ hasText: target }))
  // It covers the list on a phone, and some of its columns elsewhere.
  await page.keyboard.press('Escape')
  await detailPane(view, name).waitFor({ state: 'hidden' })
  return tab
}

/** The bar with the person's own visits. */
export function visitBar({ page, t }: View): Locator {
  return page.getByRole('region', { name: t.visits.bar.label })
}

/** Presses the control action of a visit's row in the bar: on a phone it is in the row's menu. */
export async function pressControl(view: View, row: Locator, name: string, label: string): Promise<void> {
  const { page, t, size } = view
  if (size === 'wide') return row.getByRole('button', { name: label, exact: true }).click()
  await row.getByRole('button', { name: t.visits.bar.more(name) }).click()
  await page.getByRole('menuitem', { name: label, exact: true }).click()
}

/** A visit's row in the list that the bar opens if there are several. */
export async function openSeveral(view: View, count: number): Promise<Locator> {
  const { page, t } = view
  await page.bringToFront()
  await visitBar(view)
    .getByRole('button', { name: t.visits.bar.several(count) })
    .click()
  return page.getByRole('dialog', { name: t.visits.bar.label }).getByRole('listitem')
}

/** Opens the administration of a machine, by default who has access. */
export async function openAdministration(
  { page }: View,
  { machineId }: TestMachine,
  tab?: 'visitors',
): Promise<void> {
  await page.goto(`/administrateCenter?machineId=${machineId}${tab ? `&tab=${tab}` : ''}`)
}

/** A person's row in the open list of people. */
export function personRow({ page }: View, name: string): Locator {
  return findRow(page, name)
}

/** A person's row among the visitors inside now. */
export function insideRow({ page, t }: View, name: string): Locator {
  return page
    .getByRole('region', { name: t.visits.pane.live })
    .getByRole('listitem')
    .filter({ hasText: name })
}
