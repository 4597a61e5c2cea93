/** A sparkline ready to draw: SVG path data and the position of the last known value. */
export interface SparklineShape {
  readonly path: string
  /** The last value, or null if none is known. */
  readonly last: { readonly x: number; readonly y: number } | null
  /** Values with no neighbour on either side: a path cannot show them, a dot can. */
  readonly lonely: readonly { readonly x: number; readonly y: number }[]
}

export interface SparklineBox {
  readonly width: number
  readonly height: number
  /** Room kept free on every side, for the stroke and the dot. */
  readonly padding: number
}

/** The least range drawn, as a share of the mean: below it noise would look like drama. */
const rangeFloorShare = 0.14
/** The smallest range of values around zero, where a share of the mean would be too small. */
const rangeFloorAbsolute = 1e-6

/**
 * Draws evenly spaced values into a box. Null is a gap: the line breaks there and is not bridged. The vertical
 * range is that of the values, but at least 14 % of their mean.
 */
export function sparklineShape(values: readonly (number | null)[], box: SparklineBox): SparklineShape {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value))
  if (known.length === 0) return { path: '', last: null, lonely: [] }
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  let sum = 0
  for (const value of known) {
    if (value < low) low = value
    if (value > high) high = value
    sum += value
  }
  const floor = Math.max(Math.abs(sum / known.length) * rangeFloorShare, rangeFloorAbsolute)
  if (high - low < floor) {
    const middle = (high + low) / 2
    low = middle - floor / 2
    high = middle + floor / 2
  }
  const left = box.padding
  const top = box.padding
  const innerWidth = box.width - 2 * box.padding
  const innerHeight = box.height - 2 * box.padding
  const at = (index: number, value: number) => ({
    x: round(left + (values.length > 1 ? (index / (values.length - 1)) * innerWidth : innerWidth)),
    y: round(top + (1 - (value - low) / (high - low)) * innerHeight),
  })

  const isKnown = (index: number) => {
    const value = values[index]
    return value !== null && value !== undefined && Number.isFinite(value)
  }
  let path = ''
  let last: SparklineShape['last'] = null
  const lonely: { x: number; y: number }[] = []
  values.forEach((value, index) => {
    if (value === null || !Number.isFinite(value)) return
    const point = at(index, value)
    const starts = !isKnown(index - 1)
    if (starts && !isKnown(index + 1)) lonely.push(point)
    else path += `${starts ? 'M' : 'L'}${point.x} ${point.y}`
    last = point
  })
  return { path, last, lonely }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
