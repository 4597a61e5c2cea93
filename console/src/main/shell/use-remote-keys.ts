import { type RefObject, useEffect } from 'react'
import { isShortcut } from '../../shared/ui/keys.ts'

const steps: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
const pressable = 'a[href], button:not(:disabled), input, [tabindex="0"]'

/**
 * Lets a remote control reach every control of a shell: its arrow keys move the focus from one control to the next,
 * beginning at `[data-remote-start]`. Lists, menus and fields keep the arrow keys that they use themselves.
 */
export function useRemoteKeys(shell: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    function onKey(event: KeyboardEvent) {
      const step = steps[event.key]
      if (!step || !shell.current || !isShortcut(event)) return
      const stops = [...shell.current.querySelectorAll<HTMLElement>(pressable)].filter(
        (each) => each.tabIndex >= 0 && each.checkVisibility(),
      )
      const place = stops.indexOf(document.activeElement as HTMLElement)
      const next =
        place < 0 ? shell.current.querySelector<HTMLElement>('[data-remote-start]') : stops[place + step]
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [shell, isOn])
}
