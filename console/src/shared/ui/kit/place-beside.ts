/** The side of its button on which a panel opens if there is space, and the edge it is aligned with. */
export type Placement = 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right top' | 'right bottom'

/** Pixels between a panel and its button, and between a panel and the edge of the window. */
const gap = 6
const edge = 8

/** Puts a panel on the wanted side of its button, or on the other side if only there is enough space for it. */
export function placeBeside(panel: HTMLElement, button: DOMRect, placement: Placement): void {
  const [side, aligned] = placement.split(' ')
  const width = panel.offsetWidth
  // As high as it would like to be, also where it is cut now.
  const height = panel.offsetHeight - panel.clientHeight + panel.scrollHeight
  const within = (start: number, size: number, room: number) =>
    Math.max(edge, Math.min(start, room - size - edge))
  if (side === 'right') {
    const right = button.right + gap
    const isRight = right + width + edge <= innerWidth
    const left = isRight ? right : button.left - gap - width
    const top = aligned === 'top' ? button.top : button.bottom - height
    put(panel, {
      left: `${within(left, width, innerWidth)}px`,
      top: `${within(top, height, innerHeight)}px`,
      maxHeight: `${innerHeight - 2 * edge}px`,
    })
    return
  }
  const below = innerHeight - button.bottom - gap - edge
  const above = button.top - gap - edge
  const isBelow = side === 'bottom' ? below >= Math.min(height, above) : above < Math.min(height, below)
  const left = aligned === 'start' ? button.left : button.right - width
  panel.dataset.placement = isBelow ? 'bottom' : 'top'
  put(panel, {
    left: `${within(left, width, innerWidth)}px`,
    top: isBelow ? `${button.bottom + gap}px` : 'auto',
    bottom: isBelow ? 'auto' : `${innerHeight - button.top + gap}px`,
    maxHeight: `${isBelow ? below : above}px`,
  })
}

const put = (panel: HTMLElement, style: Partial<CSSStyleDeclaration>) => Object.assign(panel.style, style)
