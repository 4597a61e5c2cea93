import { createContext, type RefObject, useContext } from 'react'

interface Surroundings {
  readonly box: RefObject<HTMLElement | null>
  /** Notes unsaved input, which closing would lose. */
  readonly noteChange: () => void
}

/** The dialog around a part. Everything outside an open one is inert, so a panel must be rendered inside. */
export const DialogBox = createContext<Surroundings | undefined>(undefined)

const nothing = () => {}

/** Tells the dialog around a part that its value was changed; the browser's own fields do so by their events. */
export function useNoteChange(): () => void {
  return useContext(DialogBox)?.noteChange ?? nothing
}
