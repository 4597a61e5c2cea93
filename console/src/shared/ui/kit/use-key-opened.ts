import { useLayoutEffect } from 'react'
import { setInteractionModality } from 'react-aria/useFocusVisible'

/**
 * Tells the library that a panel was opened by a key. It takes Enter on a button for the click of a screen reader, and then
 * moves the focus only once: to the list, which is empty at first, and not on to the first line.
 */
export function useKeyOpened(opener: HTMLElement): void {
  // Runs before the effects with which the lists in the panel move the focus.
  useLayoutEffect(() => {
    if (opener.matches(':focus-visible')) setInteractionModality('keyboard')
  }, [opener])
}
