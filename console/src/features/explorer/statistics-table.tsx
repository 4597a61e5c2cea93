import { ApiError, telemetry } from '@busbar/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isState, type TagSeries, titleOf } from '../../entities/history/history-series.ts'
import { formatLength, formatMoment } from '../../entities/history/history-text.ts'
import type { Past } from '../../entities/history/use-past.ts'
import { useVariableColours } from '../../entities/history/variable-colours.ts'
import { call } from '../../shared/api/client.ts'
import { emptyMark, formatNumber, useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'
import { TagValueText } from '../../shared/ui/data/tag-value-text.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import css from './explorer.module.css'
import { useExplorerText } from './explorer-text.ts'

/** Interval at which the statistics of a live span are counted, which is longer than that of the chart. */
const liveStepMs = 15_000
const statesShown = 4

/** Statistics of exactly the visible range. */
function statisticsQuery(tagIds: readonly number[], range: TimeRange) {
  const [from, to] = [Math.round(range.from), Math.round(range.to)]
  return queryOptions({
    queryKey: ['explorer', 'statistics', tagIds.join(), from, to],
    queryFn: ({ signal }) =>
      call(telemetry.getStatistics, { tagIds: [...tagIds], from, to }, { signal, noNotice: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  })
}

/** Statistics of each variable in the visible span. */
export function StatisticsTable({ past }: { past: Past }) {
  const { range, tags, tagIds } = past
  const { series, busy } = past.history
  const isLive = past.span.kind === 'live'
  const colours = useVariableColours(tags, tagIds)
  const t = useExplorerText().statistics
  const asked = useMemo(() => {
    if (!isLive) return range
    const to = Math.floor(range.to / liveStepMs) * liveStepMs
    return { from: to - (range.to - range.from), to }
  }, [isLive, range])
  const ids = useMemo(() => series.map(({ tag }) => tag.tagId), [series])
  const { data, error, isPlaceholderData } = useQuery({
    ...statisticsQuery(ids, asked),
    // The picture comes first: both read the same samples, and the platform would tell both later.
    enabled: ids.length > 0 && !busy,
  })
  if (error)
    return (
      <p className={css.note} role="status">
        {error instanceof ApiError && error.code === 'QUERY_TOO_LARGE' ? t.tooLarge : t.failed}
      </p>
    )
  const byId = new Map(data?.map((one) => [one.tagId, one]))
  const numbers = series.filter(({ tag }) => !isState(tag))
  const states = series.filter(({ tag }) => isState(tag))
  const hasAverages = data?.some(({ basis }) => basis === 'averages')
  return (
    <div className={css.statistics} aria-busy={isPlaceholderData || !data || undefined}>
      <h2 className={css.heading}>{t.title}</h2>
      {/*
       * biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element has to be reachable by the
       * keyboard
       */}
      <section className={css.scroller} tabIndex={0} aria-label={t.title}>
        <table className={css.table}>
          <caption className="sr-only">{t.title}</caption>
          {numbers.length > 0 && (
            <>
              <thead>
                <tr>
                  {[t.variable, t.min, t.max, t.mean, t.timeMean, t.last, t.delta, t.known].map((title) => (
                    <th key={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {numbers.map((one) => (
                  <NumberRow
                    key={one.key}
                    series={one}
                    colour={colours.get(one.tag.tagId) ?? 1}
                    told={byId.get(one.tag.tagId)}
                    range={asked}
                  />
                ))}
              </tbody>
            </>
          )}
          {states.length > 0 && (
            <tbody className={css.states}>
              {states.map((one) => (
                <StateRow
                  key={one.key}
                  series={one}
                  colour={colours.get(one.tag.tagId) ?? 1}
                  told={byId.get(one.tag.tagId)}
                />
              ))}
            </tbody>
          )}
        </table>
      </section>
      {hasAverages && <p className={css.note}>{t.averages}</p>}
    </div>
  )
}

interface RowProps {
  series: TagSeries
  colour: number
  told: telemetry.TagStatistics | undefined
}

function NameOf({ series: { tag }, colour }: Pick<RowProps, 'series' | 'colour'>) {
  return (
    <th scope="row">
      <Row as="span" gap={8}>
        <span className={css.dash} style={{ background: `var(--chart-${colour})` }} />
        <span className={classes(css.rowName, 'cut')} title={titleOf(tag)}>
          {tag.machineName && <small className={css.rowMachine}>{tag.machineName}</small>}
          {tag.name}
        </span>
      </Row>
    </th>
  )
}

function NumberRow({ series, colour, told, range }: RowProps & { range: TimeRange }) {
  const words = useText().history
  const t = useExplorerText().statistics
  const { tag } = series
  const at = (one: telemetry.TagStatistics['min']) => (one ? t.at(formatMoment(one.at)) : undefined)
  const value = (one: telemetry.TagValue | undefined, tip?: string) => (
    <td data-tip={tip}>
      {one === undefined || one === null ? emptyMark : <TagValueText value={one} tag={tag} quality="good" />}
    </td>
  )
  // A mean gets more digits than its values.
  const mean = (one: number | null | undefined) =>
    value(one === null || one === undefined ? null : Number(one.toPrecision(6)))
  const { delta } = told ?? {}
  return (
    <tr>
      <NameOf series={series} colour={colour} />
      {value(told?.min?.value, at(told?.min ?? null))}
      {value(told?.max?.value, at(told?.max ?? null))}
      {mean(told?.mean)}
      {mean(told?.timeMean)}
      {value(told?.last?.value, at(told?.last ?? null))}
      <td>
        {delta ? (
          <>
            <TagValueText value={delta.value} tag={tag} quality="good" />
            {delta.resets > 0 && <small className={css.under}>{t.resets(delta.resets)}</small>}
          </>
        ) : (
          emptyMark
        )}
      </td>
      <td data-tip={told && `${t.count} ${formatNumber(told.count)}`}>
        {told?.knownMs === null || told?.knownMs === undefined
          ? emptyMark
          : `${formatNumber(Math.round((told.knownMs / (range.to - range.from)) * 1_000) / 10)} %`}
        {told?.gapMs ? (
          <small className={css.under}>{`${words.gaps.offline} ${formatLength(told.gapMs, words)}`}</small>
        ) : null}
      </td>
    </tr>
  )
}

function StateRow({ series, colour, told }: RowProps) {
  const text = useText()
  const t = useExplorerText().statistics
  const { tag } = series
  const all = told?.states ?? []
  const knownMs = told?.knownMs ?? 0
  const share = (ms: number) => `${formatNumber(Math.round((ms / Math.max(knownMs, 1)) * 1_000) / 10)} %`
  const rest = all.slice(statesShown).reduce((sum, { ms }) => sum + ms, 0) + (told?.otherStatesMs ?? 0)
  return (
    <tr>
      <NameOf series={series} colour={colour} />
      <td colSpan={7}>
        {told && all.length === 0 && t.none}
        <ul className={css.shares}>
          {all.slice(0, statesShown).map(({ value, ms, times }) => (
            <li key={String(value)} data-tip={formatLength(ms, text.history)}>
              {t.state(formatTagValue(value, tag, text.machines.bool).text, share(ms), formatNumber(times))}
            </li>
          ))}
          {rest > 0 && <li>{`${t.others} ${share(rest)}`}</li>}
        </ul>
      </td>
    </tr>
  )
}
