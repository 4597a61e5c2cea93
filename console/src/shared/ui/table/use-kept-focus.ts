import { type FocusEvent, useEffect, useRef } from 'react'

/** The row around a control: of a grid, or a card. */
const rowSelector = '[role="row"][aria-rowindex], li'

interface Left<Key> {
  readonly control: Element
  readonly row: Element | null
  /** Of the row among all, and the row's key. */
  readonly place: number
  readonly key: Key | undefined
}

/**
 * The focus of a list whose focused control left the page, as the button of an act does once the row is gone or does not
 * offer the act any more: `goOn` gives it to the row that is now at that place, or to the list. `first`: the place of the
 * first row in a list of several pages.
 */
export function useKeptFocus<Key>(
  order: readonly Key[],
  first: number,
  goOn: (next: Key | undefined) => void,
) {
  const last = useRef<Left<Key>>(null)
  useEffect(() => {
    const left = last.current
    if (!left || left.control.isConnected || document.activeElement !== document.body) return
    last.current = null
    // The row was scrolled out of sight, and is drawn no more.
    const isOnlyUnseen =
      left.row && !left.row.isConnected && left.key !== undefined && order.includes(left.key)
    if (!isOnlyUnseen) goOn(left.row ? order[Math.min(left.place, order.length - 1)] : undefined)
  })
  return {
    onFocus({ target, currentTarget }: FocusEvent<HTMLElement>) {
      // A layer over the list is its child for React only.
      if (!currentTarget.contains(target)) return
      const row = target.closest(rowSelector)
      const place = row ? placeOf(row, first) : -1
      last.current = { control: target, row, place, key: order[place] }
    },
    onBlur({ target, relatedTarget }: FocusEvent<HTMLElement>) {
      // A press beside all controls; another window leaves the focus where it is.
      if (!relatedTarget && target.isConnected && document.hasFocus()) last.current = null
    },
  }
}

/** Of a grid only the rows in sight are drawn, and the head is its first. */
function placeOf(row: Element, first: number): number {
  const index = Number(row.getAttribute('aria-rowindex'))
  return index > 0 ? index - 2 - first : [...(row.parentElement?.children ?? [])].indexOf(row)
}
