import { useMemo } from 'react'
import { classes } from '../classes.ts'
import { Text } from '../layout/layout.tsx'
import type { DisplayState } from './display-state.ts'
import css from './sparkline.module.css'
import { sparklineShape } from './sparkline-path.ts'

interface SparklineProps {
  /** Evenly spaced, oldest first; null is a gap. */
  values: readonly (number | null)[]
  /** Only abnormal values have a colour. */
  state: DisplayState
  width?: number
  height?: number
}

/** A small curve without axes. It is decoration beside the value it belongs to. */
export function Sparkline({ values, state, width = 72, height = 24 }: SparklineProps) {
  const shape = useMemo(() => sparklineShape(values, { width, height, padding: 3 }), [values, width, height])
  if (!shape.last) {
    return (
      <Text tone="quiet" aria-hidden="true">
        —
      </Text>
    )
  }
  const tone = state === 'online' || state === 'service' ? undefined : css[state]
  return (
    <svg
      aria-hidden="true"
      className={classes(css.sparkline, tone)}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <path className={css.line} d={shape.path} />
      {shape.lonely.map(({ x, y }) => (
        <circle key={x} className={css.lonely} cx={x} cy={y} r="0.9" />
      ))}
      <circle className={css.dot} cx={shape.last.x} cy={shape.last.y} r="2" />
    </svg>
  )
}
