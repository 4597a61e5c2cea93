/** The part of a plan that is in sight: its centre as parts of the picture, and how many times larger it is than as a whole. */
export interface Sight {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export const wholePlan: Sight = { x: 0.5, y: 0.5, zoom: 1 }
const zoomMax = 12

const within = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

/** A point kept within the picture. */
export const inPicture = ({ x, y }: Point): Point => ({ x: within(x, 0, 1), y: within(y, 0, 1) })

/** The size of the picture on the page: at zoom 1 all of it is in sight. */
export function pictureSize(view: Size, aspect: number, zoom: number): Size {
  const width = Math.min(view.width, view.height * aspect) * zoom
  return { width, height: width / aspect }
}

/** The upper left corner of the picture, in pixels from that of the view. */
export function cornerOf(view: Size, aspect: number, { x, y, zoom }: Sight): Point {
  const picture = pictureSize(view, aspect, zoom)
  return { x: view.width / 2 - x * picture.width, y: view.height / 2 - y * picture.height }
}

/** The point of the picture at a point of the view; outside of the picture beyond 0 and 1. */
export function pointAt(view: Size, aspect: number, sight: Sight, at: Point): Point {
  const corner = cornerOf(view, aspect, sight)
  const picture = pictureSize(view, aspect, sight.zoom)
  return { x: (at.x - corner.x) / picture.width, y: (at.y - corner.y) / picture.height }
}

/** Moves the picture by pixels. */
export function moved(view: Size, aspect: number, sight: Sight, by: Point): Sight {
  const picture = pictureSize(view, aspect, sight.zoom)
  const centre = inPicture({ x: sight.x - by.x / picture.width, y: sight.y - by.y / picture.height })
  return { ...sight, ...centre }
}

/** Another zoom; the point of the picture at `at` stays where it is on the page. */
export function zoomed(view: Size, aspect: number, sight: Sight, factor: number, at: Point): Sight {
  const zoom = within(sight.zoom * factor, 1, zoomMax)
  if (zoom === 1) return wholePlan
  const fixed = pointAt(view, aspect, sight, at)
  const picture = pictureSize(view, aspect, zoom)
  const centre = inPicture({
    x: fixed.x + (view.width / 2 - at.x) / picture.width,
    y: fixed.y + (view.height / 2 - at.y) / picture.height,
  })
  return { ...centre, zoom }
}
