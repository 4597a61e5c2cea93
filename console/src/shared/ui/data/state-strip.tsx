import { memo } from 'react'
import { formatShortClock, useText } from '../../i18n/index.ts'
import { classes } from '../classes.ts'
import { Grid, Row } from '../layout/layout.tsx'
import css from './state-strip.module.css'
import { countStrip, type StripWord, stripWord, stripWords } from './strip.ts'

const barWidth = 3
const barStep = 4.5
const height = 16
/** Height repeats the colour. */
const barHeights: Record<StripWord, number> = { unknown: 2, fine: 9, gap: 4, fault: 15 }

/** All bars of one state as one path: a list draws thousands of hours. */
function barsPath(hours: readonly number[], word: StripWord): string {
  const bar = barHeights[word]
  let path = ''
  hours.forEach((hour, place) => {
    if (stripWord(hour) === word)
      path += `M${place * barStep} ${(height - bar) / 2}h${barWidth}v${bar}h-${barWidth}z`
  })
  return path
}

interface StateStripProps {
  /** Numbers of contract's stripStates, oldest first. */
  hours: readonly number[]
}

/** The text of a strip for screen readers: only the states that occur. */
function useStripLabel(hours: readonly number[]): string {
  const { strip } = useText().machines
  const counts = countStrip(hours)
  const parts = (['fault', 'gap', 'fine', 'unknown'] as const)
    .filter((word) => counts[word] > 0)
    .map((word) => strip[word](counts[word]))
  return `${strip.label}${strip.colon}${parts.join(strip.comma)}`
}

/** Twenty-four hours in the width of a column. */
export const StateStrip = memo(function StateStrip({ hours }: StateStripProps) {
  const label = useStripLabel(hours)
  const width = hours.length * barStep - (barStep - barWidth)
  return (
    <svg
      role="img"
      aria-label={label}
      data-tip={label}
      className={css.strip}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      {stripWords.map((word) => {
        const path = barsPath(hours, word)
        return path && <path key={word} className={css[word]} d={path} />
      })}
    </svg>
  )
})

const hourMs = 3_600_000

/** The same at the width of a panel, with a scale and the hour of each bar on hover. */
export function StateStripWide({ hours, now }: StateStripProps & { now: number }) {
  const { strip } = useText().machines
  const label = useStripLabel(hours)
  const firstHour = Math.floor(now / hourMs) * hourMs - (hours.length - 1) * hourMs
  return (
    <div>
      <Grid role="img" aria-label={label} gap={4} align="center" className={css.wide} data-colour="">
        {hours.map((hour, index) => {
          const from = firstHour + index * hourMs
          const word = stripWord(hour)
          return (
            <span
              key={from}
              className={classes(css.hour, css[word])}
              title={`${formatShortClock(from)}–${formatShortClock(from + hourMs)} ${strip.words[word]}`}
            />
          )
        })}
      </Grid>
      <Row above={6} align="stretch" justify="between" tone="quiet" size="11/14" numbers aria-hidden="true">
        <span>{'\u2212'}24 h</span>
        <span>{'\u2212'}18</span>
        <span>{'\u2212'}12</span>
        <span>{'\u2212'}6</span>
        <span>{strip.now}</span>
      </Row>
    </div>
  )
}
