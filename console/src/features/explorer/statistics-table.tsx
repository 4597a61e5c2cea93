import { ApiError, telemetry } from '@busbar/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Fragment, useMemo } from 'react'
import { isState, type TagSeries, titleOf } from '../../entities/history/history-series.ts'
import { spanAt } from '../../entities/history/history-span.ts'
import { formatLength, formatMoment } from '../../entities/history/history-text.ts'
import type { Past } from '../../entities/history/use-past.ts'
import { useVariableColours } from '../../entities/history/variable-colours.ts'
import { call } from '../../shared/api/client.ts'
import { emptyMark, formatMinute, formatNumber, joinUnit, useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'
import { TagValueText } from '../../shared/ui/data/tag-value-text.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import css from './explorer.module.css'
import { useExplorerText } from './explorer-text.ts'
import { findLargestRise } from './largest-rise.ts'

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

interface StatisticsTableProps {
  past: Past
  /** The earlier periods of the variables, if any are compared. */
  compared: readonly TagSeries[]
}

/** Statistics of each variable in the visible span, and under them those of the compared period with the difference. */
export function StatisticsTable({ past, compared }: StatisticsTableProps) {
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
  const shiftMs = compared[0]?.shiftMs ?? 0
  const before = { from: asked.from - shiftMs, to: asked.to - shiftMs }
  const earlier = useQuery({
    ...statisticsQuery(ids, before),
    enabled: ids.length > 0 && !busy && shiftMs > 0,
  })
  if (error)
    return (
      <p className={css.note} role="status">
        {error instanceof ApiError && error.code === 'QUERY_TOO_LARGE' ? t.tooLarge : t.failed}
      </p>
    )
  const byId = new Map(data?.map((one) => [one.tagId, one]))
  const earlierById = new Map((shiftMs > 0 ? earlier.data : undefined)?.map((one) => [one.tagId, one]))
  const earlierOf = (tagId: number) => compared.find(({ tag }) => tag.tagId === tagId)
  const rows = (all: readonly TagSeries[], Kind: typeof NumberRow | typeof StateRow) =>
    all.map((one) => {
      const { tagId } = one.tag
      const shared = { colour: colours.get(tagId) ?? 1, range: asked }
      const former = earlierOf(tagId)
      const told = byId.get(tagId)
      return (
        <Fragment key={one.key}>
          <Kind series={one} told={told} onShow={(rise) => past.show(spanAt(rise, Date.now()))} {...shared} />
          {former && <Kind series={former} told={earlierById.get(tagId)} later={told} {...shared} />}
        </Fragment>
      )
    })
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
                  {[t.variable, t.min, t.max, t.mean, t.timeMean, t.last, t.delta, t.rise, t.known].map(
                    (title) => (
                      <th key={title} scope="col">
                        {title}
                      </th>
                    ),
                  )}
                </tr>
              </thead>
              <tbody>{rows(numbers, NumberRow)}</tbody>
            </>
          )}
          {states.length > 0 && <tbody className={css.states}>{rows(states, StateRow)}</tbody>}
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
  range: TimeRange
  /** The statistics with which those of an earlier period are compared. */
  later?: telemetry.TagStatistics | undefined
  /** Shows a stretch of time. */
  onShow?: (range: TimeRange) => void
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

/** Around a rise, so that it is seen where it begins and ends. */
const aroundMs = 1_800_000

function NumberRow({ series, colour, told, range, later, onShow }: RowProps) {
  const words = useText().history
  const t = useExplorerText().statistics
  const { tag } = series
  const rise = useMemo(() => findLargestRise(series, range), [series, range])
  const at = (one: telemetry.TagStatistics['min']) => (one ? t.at(formatMoment(one.at)) : undefined)
  const value = (
    one: telemetry.TagValue | undefined,
    { tip, now }: { tip?: string | undefined; now?: telemetry.TagValue | undefined } = {},
  ) => (
    <td data-tip={tip}>
      {one === undefined || one === null ? emptyMark : <TagValueText value={one} tag={tag} quality="good" />}
      <Difference before={one} now={now} tag={tag} />
    </td>
  )
  // A mean gets more digits than its values.
  const rounded = (one: number | null | undefined) =>
    one === null || one === undefined ? null : Number(one.toPrecision(6))
  const { delta } = told ?? {}
  return (
    <tr className={series.shiftMs > 0 ? css.earlier : undefined}>
      <NameOf series={series} colour={colour} />
      {value(told?.min?.value, { tip: at(told?.min ?? null), now: later?.min?.value })}
      {value(told?.max?.value, { tip: at(told?.max ?? null), now: later?.max?.value })}
      {value(rounded(told?.mean), { now: rounded(later?.mean) })}
      {value(rounded(told?.timeMean), { now: rounded(later?.timeMean) })}
      {value(told?.last?.value, { tip: at(told?.last ?? null), now: later?.last?.value })}
      <td>
        {delta ? (
          <>
            <TagValueText value={delta.value} tag={tag} quality="good" />
            {delta.resets > 0 && <small className={css.under}>{t.resets(delta.resets)}</small>}
            <Difference before={delta.value} now={later?.delta?.value} tag={tag} />
          </>
        ) : (
          emptyMark
        )}
      </td>
      <td>
        {rise ? (
          <>
            <TagValueText value={rise.by} tag={tag} quality="good" />
            {onShow && (
              <button
                type="button"
                className={css.jump}
                aria-label={t.showRise(titleOf(tag))}
                onClick={() => onShow({ from: rise.from - aroundMs, to: rise.to + aroundMs })}
              >
                {formatMinute(rise.from)}
              </button>
            )}
          </>
        ) : (
          emptyMark
        )}
      </td>
      <td data-tip={told && `${t.count} ${formatNumber(told.count)}`}>
        {told?.knownMs === null || told?.knownMs === undefined
          ? emptyMark
          : joinUnit(formatNumber(Math.round((told.knownMs / (range.to - range.from)) * 1_000) / 10), '%')}
        {told?.gapMs ? (
          <small className={css.under}>{`${words.gaps.offline} ${formatLength(told.gapMs, words)}`}</small>
        ) : null}
      </td>
    </tr>
  )
}

/** By how much a value of the visible span differs from that of the compared one. */
function Difference(props: {
  before: telemetry.TagValue | undefined
  now: telemetry.TagValue | undefined
  tag: TagSeries['tag']
}) {
  const t = useExplorerText().statistics
  const { before, now, tag } = props
  if (typeof before !== 'number' || typeof now !== 'number') return null
  const by = formatNumber(now - before, tag.scale)
  return (
    <small className={css.under} data-tip={t.differenceHint}>
      {t.difference(now > before ? `+${by}` : by)}
    </small>
  )
}

function StateRow({ series, colour, told }: RowProps) {
  const text = useText()
  const t = useExplorerText().statistics
  const { tag } = series
  const all = told?.states ?? []
  const knownMs = told?.knownMs ?? 0
  const share = (ms: number) =>
    joinUnit(formatNumber(Math.round((ms / Math.max(knownMs, 1)) * 1_000) / 10), '%')
  const rest = all.slice(statesShown).reduce((sum, { ms }) => sum + ms, 0) + (told?.otherStatesMs ?? 0)
  return (
    <tr>
      <NameOf series={series} colour={colour} />
      <td colSpan={8}>
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
