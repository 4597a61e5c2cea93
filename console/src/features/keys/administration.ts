import { createContext, use } from 'react'
import type { GivingLimits } from '../../entities/access/may-give.ts'
import type { HeldDetail } from '../../entities/machine/machine.ts'
import type { Confirmation } from '../../shared/ui/dialogs/confirm-dialog.tsx'

/** An act that can be undone: done immediately, with an offer to undo it. */
export interface Work {
  call(): Promise<unknown>
  /** Shows the outcome before the platform answers; its data is reloaded afterwards, whatever the answer. */
  expect?(): void
  /** The act in words. */
  readonly done: string
  /** Undoes it; left out if that is not possible any more. */
  undo?(): Promise<unknown>
}

/** The data and actions that every part of the page shares. */
export interface Administration {
  readonly machineId: number
  readonly machine: HeldDetail
  readonly isAkey: boolean
  /** A Bkey may propose another one, with the Akey's consent. */
  readonly mayPropose: boolean
  /** The rights that the caller may not give. */
  readonly limits: GivingLimits
  /** The caller; undefined until known. */
  readonly userId: number | undefined
  ask(confirmation: Confirmation): void
  run(work: Work): Promise<boolean>
  /** Reloads everything shown. */
  refresh(): Promise<void>
}

const context = createContext<Administration | undefined>(undefined)

export const AdministrationProvider = context.Provider

export function useAdministration(): Administration {
  const administration = use(context)
  if (!administration) throw new Error('drawn outside of the administration page')
  return administration
}
