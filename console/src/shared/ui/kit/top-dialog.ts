import { createStore } from '../../api/store.ts'

const open: HTMLElement[] = []

/** The topmost dialog; undefined if none is open. */
export const topDialog = createStore<HTMLElement | undefined>(undefined)

/** Notes that a dialog is open; returns the function that notes its closing. */
export function enterDialog(dialog: HTMLElement): () => void {
  open.push(dialog)
  topDialog.set(dialog)
  return () => {
    open.splice(open.indexOf(dialog), 1)
    topDialog.set(open.at(-1))
  }
}
