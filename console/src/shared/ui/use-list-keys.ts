import { useEffect, useEffectEvent } from 'react'
import { isShortcut } from './keys.ts'

interface ListKeys {
  readonly onNext: () => void
  readonly onPrevious: () => void
  readonly onOpen: () => void
  readonly onClose: () => void
  readonly onSearch: () => void
}

/** Elements that handle Enter themselves. */
const pressable = 'button, a, [role="tab"], [role="radio"]'

/** J and K go to the next and the previous machine, Enter opens, Esc closes, `/` searches. */
export function useListKeys(keys: ListKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event)) return
    const target = event.target instanceof Element ? event.target : null
    switch (event.key) {
      case 'j':
      case 'J':
        return keys.onNext()
      case 'k':
      case 'K':
        return keys.onPrevious()
      case 'Escape':
        return keys.onClose()
      case '/':
        event.preventDefault()
        return keys.onSearch()
      case 'Enter':
        if (!target?.closest(pressable)) keys.onOpen()
    }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
