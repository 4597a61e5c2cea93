import type { Locator } from 'playwright-core'
import type { View } from './view.ts'

/* Finds parts of the device list by the words that a person reads and a screen reader says. */

/** A machine's row or, on a phone, its card. */
export function machineEntry({ page, t, size }: View, name: string): Locator {
  const list =
    size === 'wide'
      ? page.getByRole('grid', { name: t.machines.list.label }).getByRole('row')
      : page.getByRole('list', { name: t.machines.list.label }).getByRole('listitem')
  return list.filter({ hasText: name })
}

/** The mark of a machine that is in this state, in a row, a card or the pane's head. */
export function stateMark(element: Locator, state: 'alarm' | 'warning' | 'online' | 'offline'): Locator {
  return element.locator(`[data-state="${state}"]`).first()
}

/** The pane with a machine's details. */
export function detailPane({ page, t }: View, name: string): Locator {
  return page.getByLabel(t.machines.pane.label(name))
}

/** Opens a machine's details with a click on its name. */
export async function openMachine(view: View, name: string): Promise<Locator> {
  await machineEntry(view, name).getByText(name, { exact: true }).first().click()
  const pane = detailPane(view, name)
  await pane.getByRole('heading', { name }).waitFor()
  return pane
}

/** Turns the pane to its list of variables. */
export async function showVariables({ t }: View, pane: Locator): Promise<void> {
  await pane.getByRole('tab', { name: new RegExp(`^${t.machines.pane.variables}`) }).click()
}

/** A variable in the pane's list: its name, value, quality and age. */
export function variableRow(pane: Locator, tagName: string): Locator {
  return pane.getByRole('row').filter({ hasText: tagName })
}
