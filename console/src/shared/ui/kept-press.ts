/** A pointer that moves further than this drags. */
const slackPx = 10

interface Press {
  readonly element: Element
  readonly x: number
  readonly y: number
  readonly top: number
  readonly left: number
}

let press: Press | undefined

/**
 * A press counts for what it began on, also where the page moves that before the release, as when a banner above a list goes.
 * The browser would click what lies around both ends or, for a finger, what lies there by then.
 */
export function keepPresses(): void {
  document.addEventListener(
    'pointerdown',
    ({ target, clientX: x, clientY: y }) => {
      if (!(target instanceof Element)) return
      const { top, left } = target.getBoundingClientRect()
      press = { element: target, x, y, top, left }
    },
    true,
  )
  document.addEventListener(
    'click',
    (event) => {
      const begun = press
      press = undefined
      if (!begun || !event.isTrusted || !isMovedAway(begun, event)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      // With the keys that are held, and the count of presses.
      begun.element.dispatchEvent(new PointerEvent('click', event))
    },
    true,
  )
}

function isMovedAway({ element, x, y, top, left }: Press, { target, clientX, clientY }: MouseEvent): boolean {
  if (!element.isConnected || (target instanceof Node && element.contains(target))) return false
  if (Math.hypot(clientX - x, clientY - y) > slackPx) return false
  const now = element.getBoundingClientRect()
  return now.top !== top || now.left !== left
}
