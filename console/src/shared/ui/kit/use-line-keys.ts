import { type KeyboardEvent, type PointerEvent, useRef } from 'react'

/** Letters typed within so long belong to one word. */
const wordMs = 1_000

const listLines = (panel: HTMLElement) => [
  ...panel.querySelectorAll<HTMLElement>(':is([role^="menuitem"], [role="option"]):not([aria-disabled])'),
]

const readWords = (line: HTMLElement) =>
  (line.querySelector('[data-words]')?.textContent ?? '').trim().toLocaleLowerCase()

/** A panel that opens under a mouse at rest is told as a move of it, by nothing. */
export function focusUnderMouse({
  pointerType,
  movementX,
  movementY,
  currentTarget,
}: PointerEvent<HTMLElement>) {
  if (pointerType !== 'mouse' || (movementX === 0 && movementY === 0) || currentTarget.ariaDisabled) return
  currentTarget.focus({ preventScroll: true })
}

/**
 * The keys of a menu or a list of choices: arrows, Home and End move, letters lead to the line that begins with them, and
 * Tab stays. The chosen line has the first focus.
 */
export function useLineKeys(first: 'first' | 'last') {
  const typed = useRef({ word: '', at: 0 })

  const findFirst = (panel: HTMLElement) =>
    panel.querySelector<HTMLElement>('[aria-selected="true"]') ??
    listLines(panel).at(first === 'first' ? 0 : -1)

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { key, timeStamp } = event
    const lines = listLines(event.currentTarget)
    const at = lines.indexOf(document.activeElement as HTMLElement)
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? -1 : at - 1,
      Home: 0,
      End: -1,
      Tab: at,
    }
    const to = steps[key]
    if (to !== undefined) {
      event.preventDefault()
      return lines.at(to % lines.length)?.focus()
    }
    if (key.length > 1 || event.ctrlKey || event.altKey || event.metaKey) return
    const before = timeStamp - typed.current.at < wordMs ? typed.current.word : ''
    // A space before any letter presses the line.
    if (key === ' ' && before === '') return
    event.preventDefault()
    const word = before + key.toLocaleLowerCase()
    typed.current = { word, at: timeStamp }
    // Another word looks beyond the line that has the focus; a longer one may still fit it.
    const from = before === '' ? at + 1 : Math.max(at, 0)
    ;[...lines.slice(from), ...lines].find((line) => readWords(line).startsWith(word))?.focus()
  }

  return { findFirst, onKeyDown }
}
