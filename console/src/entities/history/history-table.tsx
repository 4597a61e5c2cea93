import { useMemo, useState } from 'react'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { QualityMark, TagValueText } from '../../shared/ui/data/tag-value-text.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { type Gap, gapsLeftBy } from '../../shared/ui/data/trend-gaps.ts'
import { type HistorySample, pointsWithin, type TagSeries, titleOf } from './history-series.ts'
import css from './history-table.module.css'
import { describeGap, formatLength, formatMoment } from './history-text.ts'

const rowsPerStep = 200

interface HistoryTableProps {
  series: readonly TagSeries[]
  gaps: readonly Gap[]
  range: TimeRange
  caption: string
}

interface Row {
  readonly at: number
  readonly gap?: Gap
  readonly samples: readonly (HistorySample | undefined)[]
}

/** The same data as numbers and words, best for texts. */
export function HistoryTable({ series, gaps, range, caption }: HistoryTableProps) {
  const text = useText()
  const t = text.history
  const [shown, setShown] = useState(rowsPerStep)
  const rows = useMemo(() => listRows(series, gaps, range), [series, gaps, range])
  const count = rows.filter(({ gap }) => !gap).length
  if (count === 0) return <p className={css.none}>{t.empty}</p>
  return (
    <div className={css.frame}>
      {/*
       * biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element has to be reachable by the
       * keyboard
       */}
      <section className={css.scroller} aria-label={caption} tabIndex={0}>
        <table className={css.table}>
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{t.table.time}</th>
              {series.map(({ tag }) => (
                <th key={tag.tagId} scope="col" className={css.number}>
                  <span className="cut" title={titleOf(tag)}>
                    {titleOf(tag)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map(({ at, gap, samples }) =>
              gap ? (
                <tr key={`gap ${gap.from} ${gap.lost ?? ''}`} className={css.gap}>
                  <th scope="row">{formatMoment(gap.from)}</th>
                  <td
                    colSpan={series.length}
                  >{`${describeGap(gap, t)} · ${formatLength(gap.to - gap.from, t)}`}</td>
                </tr>
              ) : (
                <tr key={at}>
                  <th scope="row">{formatMoment(at)}</th>
                  {series.map((each, place) => (
                    <td key={each.tag.tagId} className={css.number}>
                      <TableCell series={each} sample={samples[place]} />
                    </td>
                  ))}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </section>
      <p className={css.foot}>
        {t.table.count(formatNumber(Math.min(shown, rows.length)), formatNumber(rows.length))}
        {shown < rows.length && (
          <Button size="small" onClick={() => setShown(shown + rowsPerStep)}>
            {t.table.more(Math.min(rowsPerStep, rows.length - shown))}
          </Button>
        )}
      </p>
    </div>
  )
}

function TableCell({
  series: { tag, kind },
  sample,
}: {
  series: TagSeries
  sample: HistorySample | undefined
}) {
  const t = useText().history
  if (!sample) return null
  const { told, quality, min, max } = sample
  if (told === null) return <QualityMark quality={quality} quiet />
  const hasBounds = kind === 'buckets' && tag.type !== 'bool' && min !== null && max !== null
  return (
    <>
      <TagValueText value={told} tag={tag} quality={quality} />
      {hasBounds && (
        <small>{t.bucketRange(formatNumber(min, tag.scale), formatNumber(max, tag.scale))}</small>
      )}
    </>
  )
}

/** The newest first, with gaps at their beginning. */
function listRows(series: readonly TagSeries[], gaps: readonly Gap[], range: TimeRange): Row[] {
  const rows = new Map<number, (HistorySample | undefined)[]>()
  series.forEach((each, place) => {
    for (const sample of pointsWithin(each, range)) {
      const samples = rows.get(sample.at) ?? Array<undefined>(series.length).fill(undefined)
      rows.set(sample.at, samples)
      samples[place] = sample
    }
  })
  const told = [...rows].map(([at, samples]): Row => ({ at, samples }))
  const away = gapsLeftBy(series, gaps)
    .filter(({ from, to }) => from < range.to && to >= range.from)
    .map((gap): Row => ({ at: Math.max(gap.from, range.from), gap, samples: [] }))
  return [...told, ...away].sort((a, b) => b.at - a.at)
}
