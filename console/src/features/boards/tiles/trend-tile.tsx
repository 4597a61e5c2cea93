import type { Tile } from '@busbar/contract'
import { useMemo } from 'react'
import type { LimitsByTag } from '../../../entities/alarm-rule/rule-limits.ts'
import { HistoryChart } from '../../../entities/history/history-chart.tsx'
import { layoutSeries } from '../../../entities/history/history-layout.ts'
import { type TagSeries, titleOf } from '../../../entities/history/history-series.ts'
import { lengthOf, spanAt } from '../../../entities/history/history-span.ts'
import { useVariableColours } from '../../../entities/history/variable-colours.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { useWidth } from '../../../shared/ui/data/use-width.ts'
import { useBoardsText } from '../boards-text.ts'
import { useTime } from '../view/board-time.ts'
import { MissingNote } from './missing-note.tsx'
import css from './tile.module.css'
import { useTileHistory, useTileTags } from './use-tile-history.ts'

type TrendOf = Extract<Tile, { type: 'trend' }>

/** Answers differ with every hundred pixels, not with every one. */
const widthStep = 100
const bucketsMin = 200
const noLimits: LimitsByTag = new Map()
const noMarks: readonly never[] = []
const ignore = () => {}

/** Curves over the board's time. Zooming moves the time of every tile. */
export function TrendTile({ tile }: { tile: TrendOf }) {
  const t = useBoardsText().tile
  const { history } = useText()
  const time = useTime()
  const [box, width] = useWidth<HTMLDivElement>()
  const { found, why } = useTileTags(tile.tags)
  const buckets = Math.max(Math.round(width / widthStep) * widthStep, bucketsMin)
  const { series, range: told, state, busy } = useTileHistory(width > 0 ? found : noMarks, time.span, buckets)
  const range = time.moving ?? told
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
      {found.length === 0 && why ? (
        <MissingNote why={why} />
      ) : state !== 'here' ? (
        <MissingNote why={state} />
      ) : (
        <>
          {why && why !== 'wait' && <MissingNote why={why} isSmall />}
          <HistoryChart
            layout={layout}
            ruleLimits={noLimits}
            gaps={noMarks}
            range={range}
            large={false}
            live={time.span.kind === 'live'}
            busy={busy || time.moving !== null}
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
