import { useEffect } from 'react'
import { createStore } from '../api/store.ts'
import { isShortcut } from './keys.ts'

/** Whether the list of keys is open. */
export const shortcutsOpen = createStore(false)

export function openShortcuts(): void {
  shortcutsOpen.set(true)
}

/** `?` shows all shortcuts. */
export function useShortcutsKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || !isShortcut(event)) return
      event.preventDefault()
      openShortcuts()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
