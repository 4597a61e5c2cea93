import type { Tile } from '@busbar/contract'
import { type CSSProperties, useMemo } from 'react'
import { stateRuns, type TagSeries, titleOf, visibleRuns } from '../../../entities/history/history-series.ts'
import { lengthOf } from '../../../entities/history/history-span.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../../shared/i18n/time-span.ts'
import { chartNumber, formatTagValue } from '../../../shared/ui/data/tag-value.ts'
import type { TimeRange } from '../../../shared/ui/data/time-range.ts'
import { formatTimeSplit } from '../../../shared/ui/data/trend-axes.ts'
import { useWidth } from '../../../shared/ui/data/use-width.ts'
import { Grid, Row } from '../../../shared/ui/layout/layout.tsx'
import { useBoardsText } from '../boards-text.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'
import { useTileHistory } from './use-tile-history.ts'

/** A run narrower than this many pixels looks like its neighbour. */
const leastPixels = 2
const shades = 6
/** Intervals of a strip, however wide it is. */
const stripBuckets = 300

/** States over the board's time, one row for each variable. A time without values stays empty. */
export function StripTile({ tile }: { tile: Extract<Tile, { type: 'strip' }> }) {
  const [box, width] = useWidth<HTMLDivElement>()
  const { series, range, missing, partly } = useTileHistory(tile.tags, width > 0 ? stripBuckets : 0)
  return (
    <div ref={box} className={css.strips}>
      {missing ? (
        <MissingNote why={missing} />
      ) : (
        <>
          {partly && <MissingNote why={partly} isSmall />}
          {series.map((one) => (
            <Strip key={one.key} series={one} range={range} width={width} />
          ))}
          <Row as="p" align="stretch" justify="between" tone="quiet" size={11} numbers aria-hidden="true">
            <span>{formatTimeSplit(range.from, lengthOf(range) / 4)}</span>
            <span>{formatTimeSplit(range.to, lengthOf(range) / 4)}</span>
          </Row>
        </>
      )}
    </div>
  )
}

/** The index of each value that is not a number, in order of appearance. */
function shadeOf(value: unknown, known: Map<string, number>): number {
  const number = chartNumber(value as never)
  if (number !== null && number >= 0 && Number.isInteger(number)) return number % shades
  const key = String(value)
  const place = known.get(key) ?? known.size
  known.set(key, place)
  return place % shades
}

function Strip({ series, range, width }: { series: TagSeries; range: TimeRange; width: number }) {
  const { bool } = useText().machines
  const t = useBoardsText().tile
  const length = lengthOf(range)
  const runs = useMemo(() => {
    const known = new Map<string, number>()
    const all = stateRuns(series, Math.min(range.to, Date.now()))
    return visibleRuns(all, range, (length / Math.max(width, 1)) * leastPixels).map((run) => ({
      ...run,
      shade: shadeOf(run.told, known),
    }))
  }, [series, range, width, length])
  const name = titleOf(series.tag)
  return (
    <Grid gap={2} shrinks tone="soft">
      <span className="cut" title={name}>
        {name}
      </span>
      <div className={css.stripTrack} role="img" aria-label={t.strip(name)}>
        {runs.map((run) => {
          const { text, unit } = formatTagValue(run.told, series.tag, bool)
          const word = run.mixed ? t.changing : unit ? `${text} ${unit}` : text
          return (
            <span
              key={run.from}
              className={css.run}
              data-mixed={run.mixed || undefined}
              data-shade={run.shade}
              title={`${word} · ${formatTimeSpan(run)}`}
              style={
                {
                  left: `${((run.from - range.from) / length) * 100}%`,
                  width: `${(lengthOf(run) / length) * 100}%`,
                } as CSSProperties
              }
            >
              <span className={css.word}>{word}</span>
            </span>
          )
        })}
      </div>
    </Grid>
  )
}
