import { useEffect, useEffectEvent } from 'react'

/** ⌘K, or Ctrl+K. */
export function usePaletteKey(open: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.metaKey || event.ctrlKey) ||
      event.altKey ||
      event.shiftKey
    )
      return
    event.preventDefault()
    // A dialog is answered first: going elsewhere would lose what was typed into it.
    if (!document.querySelector('dialog[open]')) open()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
