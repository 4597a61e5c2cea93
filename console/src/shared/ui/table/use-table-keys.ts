import { useEffect, useEffectEvent } from 'react'
import { isShortcut } from '../keys.ts'

interface TableKeys {
  readonly isOn: boolean
  readonly move: (step: 1 | -1) => void
  readonly open: () => void
  readonly search: () => void
  readonly escape: () => void
}

/** Elements that handle Enter themselves. */
const pressable = 'button, a, input, summary, [role="grid"], [role="tab"], [role="radio"]'

/** J and K move to the next and the previous row of a page's list, Enter opens it, `/` searches, Esc deselects. */
export function useTableKeys(keys: TableKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event)) return
    const target = event.target instanceof Element ? event.target : null
    switch (event.key.toLowerCase()) {
      case 'j':
        return keys.move(1)
      case 'k':
        return keys.move(-1)
      case 'escape':
        return keys.escape()
      case '/':
        event.preventDefault()
        return keys.search()
      case 'enter':
        if (!target?.closest(pressable)) keys.open()
    }
  })
  useEffect(() => {
    if (!keys.isOn) return
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [keys.isOn])
}
