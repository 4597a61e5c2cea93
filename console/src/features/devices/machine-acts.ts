import { useEffect } from 'react'
import type { Machine } from '../../entities/machine/machine.ts'
import { createStore, useStore } from '../../shared/api/store.ts'

/** Actions on one's own entry of a machine, or on the groups of one's list; each opens a dialog over the list. */
export type MachineAct =
  | { readonly kind: 'edit' | 'groups' | 'transfer' | 'remove'; readonly machine: Machine }
  | { readonly kind: 'manageGroups' }

/** The act in progress, wherever on the page it was requested. */
export const openedAct = createStore<MachineAct | undefined>(undefined)

/** The menu of a row or card: of which machine, and the button it hangs on. */
export const openedMenu = createStore<
  { readonly machine: Machine; readonly opener: HTMLElement } | undefined
>(undefined)

/** Opens the menu at a button of a row or card; a second press closes it. */
export function toggleMenu(machine: Machine, opener: HTMLElement): void {
  openedMenu.set(openedMenu.get()?.opener === opener ? undefined : { machine, opener })
}

/** The act in progress, as long as the page that renders its dialog is open. */
export function useOpenedAct(): MachineAct | undefined {
  useEffect(() => () => openedAct.set(undefined), [])
  return useStore(openedAct)
}
