import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import { shapePaths } from '../../shared/ui/data/state-shapes.ts'
import type { MapColours } from './map-colours.ts'
import { worstFirst } from './map-features.ts'

/** Pixels of the canvas for one of the screen. */
export const markRatio = 2
const markSize = 22
const clusterSize = 52
const ringWidth = 5
const gapRadians = 0.06
/** In the 10 × 10 box of a shape. */
const shapeBox = 10

/** How many parts of a cluster's ring a state can have: a bound for the number of pictures. */
export const ringParts = 8

export const markImage = (state: DisplayState): string => `mark/${state}`
/** `cluster/` and the parts of each state, worst first. */
export const clusterImagePrefix = 'cluster/'

let shared: CanvasRenderingContext2D | null | undefined

/**
 * The one canvas that all pictures are drawn on, empty. Kept in the processor's memory: a view has many clusters, and
 * reading each from the graphics card would hold the page up for a frame.
 */
function openCanvas(size: number) {
  shared ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!shared) throw new Error('this browser draws no canvas')
  Object.assign(shared.canvas, { width: size * markRatio, height: size * markRatio })
  shared.scale(markRatio, markRatio)
  return shared
}

const pictureOf = (context: CanvasRenderingContext2D) =>
  context.getImageData(0, 0, context.canvas.width, context.canvas.height)

function drawShape(
  context: CanvasRenderingContext2D,
  state: DisplayState,
  size: number,
  centre: { x: number; y: number },
  colours: MapColours,
): void {
  const { path, isOutline } = shapePaths[state]
  const shape = new Path2D(path)
  context.save()
  context.translate(centre.x - size / 2, centre.y - size / 2)
  context.scale(size / shapeBox, size / shapeBox)
  context.lineJoin = 'round'
  // A rim of the surface parts marks that lie on each other.
  context.strokeStyle = colours.surface
  context.lineWidth = isOutline ? 4.4 : 2.6
  context.stroke(shape)
  context.fillStyle = isOutline ? colours.surface : colours[state]
  context.fill(shape)
  if (isOutline) {
    context.strokeStyle = colours[state]
    context.lineWidth = 1.8
    context.stroke(shape)
  }
  context.restore()
}

/** A machine's mark: shape and colour of its state. */
export function drawMark(state: DisplayState, colours: MapColours): ImageData {
  const context = openCanvas(markSize)
  drawShape(context, state, 14, { x: markSize / 2, y: markSize / 2 }, colours)
  return pictureOf(context)
}

/** A cluster: a ring with the shares of its states, and the shape of the worst above the number. */
export function drawCluster(image: string, colours: MapColours): ImageData {
  const parts = image.slice(clusterImagePrefix.length).split('/').map(Number)
  const sum = parts.reduce((total, part) => total + part, 0) || 1
  const context = openCanvas(clusterSize)
  const middle = clusterSize / 2
  const radius = middle - ringWidth / 2 - 2
  context.beginPath()
  context.arc(middle, middle, middle - 1, 0, 2 * Math.PI)
  context.fillStyle = colours.surface
  context.fill()
  context.lineWidth = ringWidth
  const present = worstFirst
    .map((state, place) => ({ state, part: parts[place] ?? 0 }))
    .filter(({ part }) => part > 0)
  const gap = present.length > 1 ? gapRadians : 0
  let angle = -Math.PI / 2
  for (const { state, part } of present) {
    const next = angle + (part / sum) * 2 * Math.PI
    context.beginPath()
    context.arc(middle, middle, radius, angle + gap, next - gap)
    context.strokeStyle = colours[state]
    context.stroke()
    angle = next
  }
  const [worst] = present
  if (worst) drawShape(context, worst.state, 10, { x: middle, y: middle - 10 }, colours)
  return pictureOf(context)
}
