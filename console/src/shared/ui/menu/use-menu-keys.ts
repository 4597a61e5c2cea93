import { type KeyboardEvent, useRef } from 'react'

/** Letters typed within so long belong to one word. */
const wordMs = 1_000

const listItems = (menu: HTMLElement) => [
  ...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled])'),
]

const readWords = (item: HTMLElement) =>
  (item.querySelector('[data-words]')?.textContent ?? '').trim().toLocaleLowerCase()

/** The keys of a menu: arrows, Home and End move, letters lead to the action that begins with them, and Tab stays. */
export function useMenuKeys(first: 'first' | 'last') {
  const typed = useRef({ word: '', at: 0 })

  const findFirst = (menu: HTMLElement) => listItems(menu).at(first === 'first' ? 0 : -1)

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const { key, timeStamp } = event
    const items = listItems(event.currentTarget)
    const at = items.indexOf(document.activeElement as HTMLElement)
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
      return items.at(to % items.length)?.focus()
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
    ;[...items.slice(from), ...items].find((item) => readWords(item).startsWith(word))?.focus()
  }

  return { findFirst, onKeyDown }
}
