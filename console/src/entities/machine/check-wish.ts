import { createStore } from '../../shared/api/store.ts'

export interface CheckWish {
  readonly machineId: number
  readonly name: string
}

/** The device whose check is open, wherever on the page it was pressed for. */
export const checkWish = createStore<CheckWish | undefined>(undefined)

export const openCheck = ({ id, name }: { readonly id: number; readonly name: string }): void =>
  checkWish.set({ machineId: id, name })
