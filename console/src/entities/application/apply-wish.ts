import { machines, type visits } from '@busbar/contract'
import { createStore } from '../../shared/api/store.ts'
import type { Machine } from '../machine/machine.ts'

/** The one-use ticket for a visit, after the right password of the machine. */
export interface PasswordProof {
  readonly ticket: string
  readonly mode: visits.VisitMode
}

/** The application that a person is about to make. */
export interface ApplyWish {
  readonly machineId: number
  readonly machineName: string
  /** Its password gives access without an approval. */
  readonly byPassword: boolean
  /** The initial choice of the dialog. */
  readonly kind: 'bind' | 'visit'
  /** Only read-write is offered, because the caller may watch already. */
  readonly onlyRw?: boolean
  /**
   * Enters the machine, for a dialog opened on the way into it; undefined if the dialog only requests the
   * right.
   */
  readonly onProved?: (proof: PasswordProof) => void
  /** Runs after the application was sent. */
  readonly onApplied?: () => void
}

/** The open application, wherever in the console it was begun. */
export const applyWish = createStore<ApplyWish | undefined>(undefined)

type Applicable = Pick<Machine, 'id' | 'name' | 'checkType'>

/** Opens the dialog for a machine of the list. */
export function openApply(machine: Applicable, wish: Pick<ApplyWish, 'kind' | 'onlyRw'>): void {
  applyWish.set({
    machineId: machine.id,
    machineName: machine.name,
    byPassword: machine.checkType === machines.checkTypes.akeyAndPassword,
    ...wish,
  })
}
