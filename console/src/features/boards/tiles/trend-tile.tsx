import type { Tile } from '@busbar/contract'
import { useMemo } from 'react'
import type { LimitsByTag } from '../../../entities/alarm-rule/rule-limits.ts'
import { HistoryChart } from '../../../entities/history/history-chart.tsx'
import { layoutSeries } from '../../../entities/history/history-layout.ts'
import { type TagSeries, titleOf } from '../../../entities/history/history-series.ts'
import { lengthOf, spanAt } from '../../../entities/history/history-span.ts'
import { useBuckets } from '../../../entities/history/use-history.ts'
import { useVariableColours } from '../../../entities/history/variable-colours.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { useBoardsText } from '../boards-text.ts'
import { useTime } from '../view/board-time.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'
import { useTileHistory } from './use-tile-history.ts'

type TrendOf = Extract<Tile, { type: 'trend' }>

const noLimits: LimitsByTag = new Map()
const noMarks: readonly never[] = []
const ignore = () => {}

/** Curves over the board's time. Zooming moves the time of every tile. */
export function TrendTile({ tile }: { tile: TrendOf }) {
  const t = useBoardsText().tile
  const { history } = useText()
  const time = useTime()
  const [box, buckets] = useBuckets()
  const { series, range, busy, missing, partly } = useTileHistory(tile.tags, buckets)
  const tags = useMemo(() => series.map(({ tag }) => tag), [series])
  const ids = useMemo(() => tags.map(({ tagId }) => tagId), [tags])
  const colours = useVariableColours(tags, ids)
  const layout = useMemo(
    () => layoutSeries(tile.axes === 'one' ? series.map(withoutUnit(series)) : series, colours),
    [tile.axes, series, colours],
  )
  const names = tags.map(titleOf).join(history.listComma)
  return (
    <div ref={box} className={css.trend}>
      {missing ? (
        <MissingNote why={missing} />
      ) : (
        <>
          {partly && <MissingNote why={partly} isSmall />}
          <HistoryChart
            layout={layout}
            ruleLimits={noLimits}
            range={range}
            large={false}
            live={time.span.kind === 'live'}
            busy={busy}
            isMoving={time.moving !== null}
            until={Math.min(range.to, Date.now())}
            label={t.trend(names)}
            empty={undefined}
            marks={noMarks}
            mark={undefined}
            onMark={ignore}
            removable={false}
            onRemove={ignore}
            onSelect={(selected) => time.show(spanAt(selected, Date.now()))}
            onMove={time.move}
            onReset={time.reset}
            onNow={() => time.show({ kind: 'live', lengthMs: Math.round(lengthOf(range)) })}
          />
        </>
      )}
    </div>
  )
}

/** One axis cannot name several units. */
function withoutUnit(all: readonly TagSeries[]): (one: TagSeries) => TagSeries {
  const units = new Set(all.map(({ tag }) => tag.unit))
  return (one) => (units.size > 1 ? { ...one, tag: { ...one.tag, unit: '' } } : one)
}
