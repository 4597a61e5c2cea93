import type uPlot from 'uplot'
import type { TimeRange } from './time-range.ts'
import { axisFont, axisGap, fitUnit, textMeasure } from './trend-axes.ts'
import type { Gap } from './trend-gaps.ts'
import type { RuleLimit } from './trend-line.ts'
import type { TrendPoint } from './trend-series.ts'

/* Drawn beside the lines: the background of gaps, and samples as points. Pixels are those of the canvas. */

type ColourOf = (name: string) => string

/** Narrower gaps are drawn without a word. */
const gapWordWidthMin = 44
/** A gap too short for its time is still seen. */
const gapWidthMin = 2
const hatchStep = 6

/** A brand's accent may be any CSS colour: the browser mixes. */
export function withAlpha(colour: string, alpha: number): string {
  return `rgb(from ${colour} r g b / ${alpha})`
}

/** Unknown times: a hatched ground and, if it fits, the word. */
export function drawGaps(plot: uPlot, gaps: readonly Gap[], words: GapWords, colourOf: ColourOf): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  ctx.save()
  for (const gap of gaps) {
    const from = Math.max(plot.valToPos(gap.from, 'x', true), bbox.left)
    const to = Math.min(plot.valToPos(gap.to, 'x', true), bbox.left + bbox.width)
    if (to < bbox.left || from > bbox.left + bbox.width) continue
    const width = Math.max(to - from, gapWidthMin * ratio)
    const isLost = gap.lost !== undefined
    ctx.fillStyle = colourOf(isLost ? '--warn-bg' : '--off-bg')
    ctx.fillRect(from, bbox.top, width, bbox.height)
    hatch(ctx, { left: from, top: bbox.top, width, height: bbox.height }, ratio, {
      stroke: withAlpha(colourOf(isLost ? '--warn' : '--off'), isLost ? 0.4 : 0.28),
      rising: !isLost,
    })
    if (width < gapWordWidthMin * ratio) continue
    const word = isLost ? words.lost : words.offline
    ctx.font = axisFont.replace('11px', `${11 * ratio}px`)
    ctx.textAlign = 'center'
    ctx.textBaseline = 'top'
    const textWidth = ctx.measureText(word).width
    if (textWidth > width - 8 * ratio) continue
    const middle = from + width / 2
    // On the bare ground: a word across the hatching cannot be read.
    ctx.fillStyle = colourOf(isLost ? '--warn-bg' : '--off-bg')
    ctx.fillRect(middle - textWidth / 2 - 4 * ratio, bbox.top + 3 * ratio, textWidth + 8 * ratio, 17 * ratio)
    ctx.fillStyle = colourOf(isLost ? '--warn-text' : '--off-text')
    ctx.fillText(word, middle, bbox.top + 6 * ratio)
  }
  ctx.restore()
}

export interface GapWords {
  readonly offline: string
  readonly lost: string
}

/** The words on a drawing. */
export interface TrendWords {
  readonly gaps: GapWords
  readonly limits: { readonly min: string; readonly max: string }
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

function hatch(
  ctx: CanvasRenderingContext2D,
  { left, top, width, height }: Box,
  ratio: number,
  { stroke, rising }: { stroke: string; rising: boolean },
): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  ctx.beginPath()
  const step = hatchStep * ratio
  // From a corner of the whole drawing, so that the lines of neighbours meet.
  for (let x = Math.floor((left - height) / step) * step; x < left + width + height; x += step) {
    ctx.moveTo(x, rising ? top + height : top)
    ctx.lineTo(x + height, rising ? top : top + height)
  }
  ctx.strokeStyle = stroke
  ctx.lineWidth = ratio
  ctx.stroke()
  ctx.restore()
}

/** Closer together than this, points would only thicken the line. */
const pointSpaceMin = 6
const pointRadius = 1.8

/** Samples as points if there is enough space; an uncertain one is hollow and always drawn. */
export function drawSamples(
  plot: uPlot,
  points: readonly TrendPoint[],
  look: { readonly scale: string; readonly stroke: string; readonly ground: string },
): void {
  const { ctx, bbox } = plot
  const { min = 0, max = 0 } = plot.scales.x ?? {}
  if (min === null || max === null) return
  const seen = points.filter(({ at, value }) => value !== null && at >= min && at <= max)
  const ratio = devicePixelRatio
  const isRoomy = seen.length * pointSpaceMin * ratio <= bbox.width
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left - 4 * ratio, bbox.top, bbox.width + 8 * ratio, bbox.height)
  ctx.clip()
  ctx.lineWidth = 1.25 * ratio
  ctx.strokeStyle = look.stroke
  for (const { at, value, uncertain } of seen) {
    if (value === null || !(isRoomy || uncertain)) continue
    ctx.beginPath()
    const radius = (uncertain ? pointRadius + 0.9 : pointRadius) * ratio
    ctx.arc(plot.valToPos(at, 'x', true), plot.valToPos(value, look.scale, true), radius, 0, 2 * Math.PI)
    ctx.fillStyle = uncertain ? look.ground : look.stroke
    ctx.fill()
    if (uncertain) ctx.stroke()
  }
  ctx.restore()
}

/** The unit of each axis over its labels. */
export function drawUnits(plot: uPlot, units: readonly string[], colour: string): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const shown = units.slice(0, 2).map((unit) => fitUnit(textMeasure(plot), unit))
  ctx.save()
  ctx.font = axisFont.replace('11px', `${11 * ratio}px`)
  ctx.fillStyle = colour
  ctx.textBaseline = 'bottom'
  shown.forEach((unit, place) => {
    ctx.textAlign = place === 0 ? 'right' : 'left'
    const x = place === 0 ? bbox.left - axisGap * ratio : bbox.left + bbox.width + axisGap * ratio
    ctx.fillText(unit, x, bbox.top - 8 * ratio)
  })
  ctx.restore()
}

const limitDots = [1, 3]

/** Words at the right end of a line: above it, or below it when there is too little room. */
function labelLine({ ctx, bbox }: uPlot, y: number, label: string, colour: string): void {
  const ratio = devicePixelRatio
  const isHigh = y - bbox.top < 18 * ratio
  ctx.font = axisFont.replace('11px', `${11 * ratio}px`)
  ctx.textAlign = 'right'
  ctx.textBaseline = isHigh ? 'top' : 'bottom'
  ctx.fillStyle = colour
  ctx.fillText(label, bbox.left + bbox.width - 4 * ratio, y + (isHigh ? 3 : -3) * ratio)
}

/** The limits of a variable as dotted lines in its colour, with their words; one outside the axis is not drawn. */
export function drawLimits(
  plot: uPlot,
  limits: readonly { readonly at: number; readonly label: string }[],
  look: { readonly scale: string; readonly stroke: string },
): void {
  const { ctx, bbox } = plot
  const { min, max } = plot.scales[look.scale] ?? {}
  if (min === undefined || max === undefined || min === null || max === null) return
  const ratio = devicePixelRatio
  ctx.save()
  ctx.setLineDash(limitDots.map((length) => length * ratio))
  ctx.lineWidth = ratio
  ctx.strokeStyle = look.stroke
  for (const { at, label } of limits) {
    if (at < min || at > max) continue
    const y = Math.round(plot.valToPos(at, look.scale, true)) + 0.5
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    labelLine(plot, y, label, look.stroke)
  }
  ctx.restore()
}

/** Narrower would not be seen. */
const spanWidthMin = 2
const spanMarkHeight = 4

/** Times in which an alarm stood: a soft ground over the whole height, and a firm edge at the top. */
export function drawSpans(plot: uPlot, spans: readonly TimeRange[], colour: string): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  ctx.save()
  for (const span of spans) {
    const from = Math.max(plot.valToPos(span.from, 'x', true), bbox.left)
    const to = Math.min(plot.valToPos(span.to, 'x', true), bbox.left + bbox.width)
    if (to < bbox.left || from > bbox.left + bbox.width) continue
    const width = Math.max(to - from, spanWidthMin * ratio)
    ctx.fillStyle = withAlpha(colour, 0.14)
    ctx.fillRect(from, bbox.top, width, bbox.height)
    ctx.fillStyle = colour
    ctx.fillRect(from, bbox.top, width, spanMarkHeight * ratio)
  }
  ctx.restore()
}

/** The limits of rules: a dashed line with its words, a dotted one where the dead band ends, and a ground between them. */
export function drawRuleLimits(
  plot: uPlot,
  limits: readonly RuleLimit[],
  look: { readonly scale: string; readonly colourOf: ColourOf },
): void {
  const { ctx, bbox } = plot
  const { min, max } = plot.scales[look.scale] ?? {}
  if (min === undefined || max === undefined || min === null || max === null) return
  const ratio = devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.lineWidth = ratio
  for (const { at, back, tone, label } of limits) {
    const [y, yBack] = [at, back].map((value) => Math.round(plot.valToPos(value, look.scale, true)) + 0.5)
    // One outside the axis is not drawn, as with the limits of a variable.
    if (y === undefined || yBack === undefined || at < min || at > max) continue
    const line = (height: number, dash: readonly number[]) => {
      ctx.setLineDash(dash.map((length) => length * ratio))
      ctx.beginPath()
      ctx.moveTo(bbox.left, height)
      ctx.lineTo(bbox.left + bbox.width, height)
      ctx.stroke()
    }
    ctx.strokeStyle = look.colourOf(`--${tone}`)
    if (back !== at) {
      ctx.fillStyle = withAlpha(look.colourOf(`--${tone}`), 0.1)
      ctx.fillRect(bbox.left, Math.min(y, yBack), bbox.width, Math.abs(y - yBack))
      line(yBack, limitDots)
    }
    line(y, [8, 4])
    labelLine(plot, y, label, look.colourOf(`--${tone}-text`))
  }
  ctx.restore()
}

/** Points that a line cannot show, alone between two gaps. */
export function lonelyPlaces(plot: uPlot, seriesIndex: number): number[] | null {
  const values = plot.data[seriesIndex] ?? []
  const alone: number[] = []
  let run: number[] = []
  const end = () => {
    const [only] = run
    if (run.length === 1 && only !== undefined) alone.push(only)
    run = []
  }
  values.forEach((value, index) => {
    if (value === null) end()
    else if (value !== undefined) run.push(index)
  })
  end()
  return alone.length > 0 ? alone : null
}
