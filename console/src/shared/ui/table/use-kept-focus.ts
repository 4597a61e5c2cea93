import { type FocusEvent, useEffect, useRef } from 'react'

/** The row around a control: of a grid, or a card. */
const rowSelector = '[role="row"][aria-rowindex], li'
const controlSelector = 'button:not(:disabled), a[href], input:not(:disabled)'

interface Left<Key> {
  readonly control: Element
  readonly row: Element | null
  /** Of the row among all, and the row's key. */
  readonly place: number
  readonly key: Key | undefined
  readonly rows: Element | null
  readonly findAlike: (row: Element) => HTMLElement | undefined
}

/**
 * The focus of a list whose focused control left the page, as the button of an act does once the row is gone or does not
 * offer the act any more. The same control of the next row gets it; `goOn` gives it to the row that is now at that
 * place, or to the list. `first`: the place of the first row in a list of several pages.
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
    if (!left.row) return goOn(undefined)
    const place = Math.min(left.place, order.length - 1)
    // The row was scrolled out of sight, and is drawn no more.
    if (!left.row.isConnected && left.key !== undefined && order[place] === left.key) return
    const next = [...(left.rows?.children ?? [])]
      .map((row) => ({ place: placeOf(row, first), control: left.findAlike(row) }))
      .filter((row) => row.control && row.place >= place)
      .sort((a, b) => a.place - b.place)[0]
    goOn(order[next?.place ?? place])
    next?.control?.focus({ preventScroll: true })
  })
  return {
    'data-keeps-focus': '',
    onFocus({ target, currentTarget }: FocusEvent<HTMLElement>) {
      // A layer over the list is its child for React only.
      if (!currentTarget.contains(target)) return
      const row = target.closest(rowSelector)
      const place = row ? placeOf(row, first) : -1
      last.current = {
        ...{ control: target, row, place, key: order[place] },
        rows: row?.parentElement ?? null,
        findAlike: row ? alikeOf(target, row) : () => undefined,
      }
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

/**
 * Finds what a control is in its row in another: of those that begin with the same word or picture, counted from the
 * end, where acts stand.
 */
function alikeOf(control: HTMLElement, row: Element): Left<unknown>['findAlike'] {
  const listAlike = (of: Element) =>
    [...of.querySelectorAll<HTMLElement>(controlSelector)].filter((one) => wordOf(one) === word)
  const word = wordOf(control)
  const all = listAlike(row)
  const fromEnd = all.length - all.indexOf(control)
  return (other) => listAlike(other).at(-fromEnd)
}

/** Without the name of its row, which may follow for screen readers. */
const wordOf = ({ firstChild }: Element) => firstChild?.textContent ?? ''
