/** Measures of a list at a field, in pixels: maximum height, gap to the field, minimum width, distance from the edge. */
const measures = { height: 320, gap: 6, widthMin: 280, edge: 8 } as const

/** Puts a popover under a field, or above it if there is more space; as a popover it is never clipped. */
export function placePanel(panel: HTMLElement | null, field: DOMRect | undefined): void {
  if (!panel || !field) return
  const { height, gap, widthMin, edge } = measures
  const below = innerHeight - field.bottom
  const isBelow = below >= height + gap || below >= field.top
  const width = Math.min(Math.max(field.width, widthMin), innerWidth - 2 * edge)
  const left = Math.max(edge, Math.min(field.left, innerWidth - width - edge))
  const room = (isBelow ? below : field.top) - gap - edge
  Object.assign(panel.style, {
    left: `${left}px`,
    width: `${width}px`,
    maxHeight: `${Math.min(height, room)}px`,
    top: isBelow ? `${field.bottom + gap}px` : 'auto',
    bottom: isBelow ? 'auto' : `${innerHeight - field.top + gap}px`,
  })
}
