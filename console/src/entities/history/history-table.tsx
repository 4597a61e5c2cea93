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
  range: TimeRange
  caption: string
}

interface Row {
  readonly at: number
  readonly gap?: Gap
  /** The machine of the gap, where several are shown. */
  readonly machineName?: string | undefined
  readonly samples: readonly (HistorySample | undefined)[]
}

/** The same data as numbers and words, best for texts. */
export function HistoryTable({ series, range, caption }: HistoryTableProps) {
  const text = useText()
  const t = text.history
  const [shown, setShown] = useState(rowsPerStep)
  const rows = useMemo(() => listRows(series, range), [series, range])
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
              {series.map(({ key, tag }) => (
                <th key={key} scope="col" className={css.number}>
                  <span className="cut" title={titleOf(tag)}>
                    {titleOf(tag)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map(({ at, gap, machineName, samples }) =>
              gap ? (
                <tr key={`gap ${machineName ?? ''} ${gap.from} ${gap.lost ?? ''}`} className={css.gap}>
                  <th scope="row">{formatMoment(gap.from)}</th>
                  <td colSpan={series.length}>
                    {[machineName, describeGap(gap, t), formatLength(gap.to - gap.from, t)]
                      .filter((word) => word !== undefined)
                      .join(' · ')}
                  </td>
                </tr>
              ) : (
                <tr key={at}>
                  <th scope="row">{formatMoment(at)}</th>
                  {series.map((each, place) => (
                    <td key={each.key} className={css.number}>
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

/** The newest first, with the gaps of each machine at their beginning. */
export function listRows(series: readonly TagSeries[], range: TimeRange): Row[] {
  const rows = new Map<number, (HistorySample | undefined)[]>()
  series.forEach((each, place) => {
    for (const sample of pointsWithin(each, range)) {
      const samples = rows.get(sample.at) ?? Array<undefined>(series.length).fill(undefined)
      rows.set(sample.at, samples)
      samples[place] = sample
    }
  })
  const told = [...rows].map(([at, samples]): Row => ({ at, samples }))
  const ofNow = series.filter(({ shiftMs }) => shiftMs === 0)
  const away = [...Map.groupBy(ofNow, ({ machineId }) => machineId).values()].flatMap((own) =>
    gapsLeftBy(own)
      .filter(({ from, to }) => from < range.to && to >= range.from)
      .map((gap): Row => {
        const machineName = own[0]?.tag.machineName
        return { at: Math.max(gap.from, range.from), gap, machineName, samples: [] }
      }),
  )
  return [...told, ...away].sort((a, b) => b.at - a.at)
}
