import { type RefObject, useEffect } from 'react'
import { createStore } from '../api/store.ts'

/** The list that the page is about, if it has one. */
export const listOnPage = createStore<HTMLElement | null>(null)

/** Makes an element the page's list, to which the keyboard can skip. */
export function useListOnPage(list: RefObject<HTMLElement | null>, isIt = true): void {
  useEffect(() => {
    const element = list.current
    if (!isIt || !element) return
    listOnPage.set(element)
    return () => {
      if (listOnPage.get() === element) listOnPage.set(null)
    }
  }, [list, isIt])
}

/** Its rows where they are one stop, or the list itself. */
export function focusList(): void {
  const list = listOnPage.get()
  const rows = list?.querySelector<HTMLElement>('[role="grid"]') ?? list
  rows?.focus()
}
