import { createStore } from '../../shared/api/store.ts'

/** The last thing that can be taken back. */
export interface Undoable {
  readonly key: number
  readonly text: string
  readonly run: () => void
}

export const undoable = createStore<Undoable | undefined>(undefined)

let lastKey = 0

export function offerUndo(text: string, run: () => void): void {
  undoable.set({ key: ++lastKey, text, run })
}

/** Forgets it; another one offered meanwhile stays. */
export function dropUndo(key: number): void {
  if (undoable.get()?.key === key) undoable.set(undefined)
}
