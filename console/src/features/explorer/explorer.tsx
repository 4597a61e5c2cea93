import { limits } from '@busbar/contract'
import { type ReactNode, useMemo, useState } from 'react'
import type { LimitsByTag } from '../../entities/alarm-rule/rule-limits.ts'
import { dataPaths } from '../../entities/data-centre/data-centre.tsx'
import { HistoryChart } from '../../entities/history/history-chart.tsx'
import { formatTable, tableOf } from '../../entities/history/history-csv.ts'
import { HistoryFoot, LastData } from '../../entities/history/history-foot.tsx'
import frame from '../../entities/history/history-frame.module.css'
import { layoutSeries } from '../../entities/history/history-layout.ts'
import { HistoryNotes } from '../../entities/history/history-notes.tsx'
import { pointsWithin, type TagSeries, titleOf } from '../../entities/history/history-series.ts'
import {
  lengthOf,
  presetOf,
  presets,
  type Span,
  shareLink,
  spanAt,
} from '../../entities/history/history-span.ts'
import { HistoryTable } from '../../entities/history/history-table.tsx'
import { describeSpan, formatLength } from '../../entities/history/history-text.ts'
import { HistoryToolbar } from '../../entities/history/history-toolbar.tsx'
import { NotesList } from '../../entities/history/notes-list.tsx'
import { useHistorySpan } from '../../entities/history/use-history-span.ts'
import { useNotes } from '../../entities/history/use-notes.ts'
import { useVariableColours } from '../../entities/history/variable-colours.ts'
import { useIsLive } from '../../shared/api/live.ts'
import { useText } from '../../shared/i18n/index.ts'
import { getZone } from '../../shared/i18n/zone.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { csvName } from '../../shared/ui/data/csv.ts'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { Gap } from '../../shared/ui/data/trend-gaps.ts'
import { useWidth } from '../../shared/ui/data/use-width.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { apart, withCompared } from './compare.ts'
import css from './explorer.module.css'
import { ExplorerBar } from './explorer-bar.tsx'
import { useExplorerText } from './explorer-text.ts'
import { StatisticsTable } from './statistics-table.tsx'
import { TagPicker } from './tag-picker.tsx'
import { type ExplorerTag, useExplorerHistory, useExplorerTags } from './use-explorer.ts'
import { useExplorerMarks } from './use-explorer-marks.ts'
import { useExplorerSearch } from './use-explorer-search.ts'
import { ViewsList } from './views-list.tsx'
import { XyPlot } from './xy-plot.tsx'

const tagsMax = limits.tagsPerHistory
/** Answers differ with every hundred pixels, not with every one. */
const widthStep = 100
const bucketsMin = 200
const firstSpan: Span = { kind: 'live', lengthMs: presets['24h'] }
const noTags: readonly number[] = []
const noLimits: LimitsByTag = new Map()

/** Up to 20 variables of several devices over one time axis, with statistics and comparisons. */
export function Explorer({ space }: { space: PageSpace }) {
  const text = useText()
  const words = text.history
  const t = useExplorerText()
  const [search, update] = useExplorerSearch()
  const [box, width] = useWidth<HTMLDivElement>()
  const [isPicking, setPicking] = useState(false)
  const { span, moving, show, move } = useHistorySpan(search, update, firstSpan)
  const wanted = search.tags ?? noTags
  const tags = useExplorerTags(wanted)
  const buckets = Math.max(Math.round(width / widthStep) * widthStep, bucketsMin)
  const compareMs = search.compare
  const history = useExplorerHistory(width > 0 ? tags.found : [], span, { buckets, compareMs })
  const { series, compared, busy } = history
  const range = moving ?? history.range
  const shown = useMemo(() => series.map(({ tag }) => tag), [series])
  const ids = useMemo(() => shown.map(({ tagId }) => tagId), [shown])
  const colours = useVariableColours(shown, ids)
  const suffix = compareMs === undefined ? '' : t.compare.suffix(formatLength(compareMs, words))
  const isApart = search.apart === true
  const layout = useMemo(() => {
    const plain = layoutSeries(series, colours)
    return withCompared(isApart ? apart(plain) : plain, compared, suffix)
  }, [series, colours, isApart, compared, suffix])
  const machines = useMemo(() => machinesOf(tags.found), [tags.found])
  const machineIds = useMemo(() => machines.map(({ id }) => id), [machines])
  const notes = useNotes(machineIds, range)
  const marks = useExplorerMarks(space, tags.found, { range, notes })
  const gaps = useMemo(() => gapsOfAll(series), [series])
  const hears = useIsLive()
  const isLive = span.kind === 'live'

  const choose = (next: readonly number[]) =>
    update({ tags: next.length > 0 ? next : undefined }, { replace: true })
  const names = series.map(({ tag }) => titleOf(tag)).join(words.listComma)
  const label = t.label(names, describeSpan(span, words))
  const isEmpty = history.state === 'here' && !busy && series.every((each) => !hasData(each, range))
  const everySeries = useMemo(() => layoutOrder(series, compared, suffix), [series, compared, suffix])

  function exportSeen() {
    const name = csvName(t.csv, range)
    const said = { ...words.table, qualities: text.machines.quality }
    saveFile(name, formatTable(tableOf(everySeries, range, said)), 'text/csv;charset=utf-8')
    showToast(words.csvDone(name))
  }

  function picture(): ReactNode {
    if (history.state === 'noRight') return <EmptyState icon="lock" title={t.noRight} />
    if (history.state === 'failed')
      return (
        <EmptyState icon="warning" title={words.failed} hint={text.machines.failed.hint}>
          <Button icon="refresh" onClick={history.retry}>
            {t.retry}
          </Button>
        </EmptyState>
      )
    if (history.state === 'wait') return <Waiting />
    if (search.form === 'xy')
      return (
        <XyPlot
          series={series}
          range={range}
          chosen={{ x: search.x, y: search.y }}
          onChoose={({ x, y }) => update({ x, y }, { replace: true })}
        />
      )
    if (search.form === 'table')
      return <HistoryTable series={everySeries} gaps={gaps} range={range} caption={label} />
    return (
      <HistoryChart
        layout={layout}
        ruleLimits={noLimits}
        gaps={gaps}
        range={range}
        large={false}
        live={isLive}
        busy={busy || moving !== null}
        until={Math.min(range.to, Date.now())}
        label={label}
        empty={isEmpty ? words.empty : undefined}
        marks={marks}
        mark={search.mark}
        onMark={(mark) => update({ mark }, { replace: true })}
        removable
        onRemove={(tagId) =>
          tagId < 0 ? update({ compare: undefined }) : choose(wanted.filter((other) => other !== tagId))
        }
        onSelect={(selected) => show(spanAt(selected, Date.now()))}
        onMove={move}
        onReset={() => show({ kind: 'live', lengthMs: presets[presetOf(span) ?? '24h'] })}
        onNow={() => show({ kind: 'live', lengthMs: Math.round(lengthOf(range)) })}
      />
    )
  }

  function content(): ReactNode {
    const pick = (
      <Button kind="primary" icon="plus" onClick={() => setPicking(true)}>
        {t.pick}
      </Button>
    )
    if (wanted.length === 0) return <ViewsList space={space} pick={pick} onOpen={update} />
    if (tags.state === 'failed') return <EmptyState icon="warning" title={t.failed} />
    if (tags.state !== 'here') return <Waiting />
    if (tags.found.length === 0)
      return (
        <EmptyState icon="lock" title={t.allMissing} hint={t.allMissingHint}>
          {pick}
        </EmptyState>
      )
    return (
      <>
        <ExplorerBar
          space={space}
          tags={tags.found}
          range={range}
          search={search}
          exportsAddress={exportsAddress(space, wanted, range)}
          reportsAddress={reportsAddress(space, wanted)}
          onPick={() => setPicking(true)}
          onChange={update}
        />
        <HistoryToolbar
          span={span}
          range={range}
          machineZone={undefined}
          hearing={hears && history.state === 'here'}
          large={false}
          table={search.form === 'table'}
          onShow={show}
          onMove={move}
          onLarge={undefined}
          onTable={(isTable) => update({ form: isTable ? 'table' : undefined }, { replace: true })}
          onShare={() => shareLink(location.href, range)}
          onExport={history.state === 'here' && !busy && !isEmpty && !moving ? exportSeen : undefined}
        />
        <HistoryNotes
          series={series}
          range={range}
          gaps={gaps}
          failed={false}
          unknown={false}
          tagIds={wanted}
          onChoose={choose}
          onRetry={history.retry}
        >
          {null}
        </HistoryNotes>
        {tags.missing > 0 && (
          <p className={frame.note} role="status">
            <Icon name="lock" size={14} />
            {t.missing(tags.missing)}
          </p>
        )}
        <div className={css.picture}>{picture()}</div>
        {isEmpty && <LastData at={lastTime(tags.found)} range={range} onShow={show} />}
        {history.state === 'here' && !moving && (
          <StatisticsTable series={series} colours={colours} range={range} isLive={isLive} busy={busy} />
        )}
        <NotesList notes={notes} machines={machines} range={range} mark={search.mark} />
        <HistoryFoot at={range.to} />
      </>
    )
  }

  return (
    <div ref={box} className={wanted.length > 0 ? css.explorer : css.begin}>
      {content()}
      {isPicking && (
        <TagPicker
          space={space}
          chosen={wanted}
          found={tags.found}
          max={tagsMax}
          onChoose={choose}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  )
}

function Waiting() {
  return (
    <div className={frame.waiting} aria-busy="true">
      <Skeleton width={180} height={14} />
      <Skeleton className={frame.block} />
    </div>
  )
}

/** The devices of variables, each once. */
function machinesOf(found: readonly ExplorerTag[]): ExplorerTag['machine'][] {
  return [...new Map(found.map(({ machine }) => [machine.id, machine])).values()]
}

/** The address that orders files of these variables. */
function exportsAddress({ asked }: PageSpace, tagIds: readonly number[], { from, to }: TimeRange): string {
  const search = new URLSearchParams({
    eid: String(asked.eid ?? 0),
    tags: tagIds.join(),
    from: String(Math.round(from)),
    to: String(Math.round(to)),
    tz: getZone(),
  })
  return `${dataPaths.exports}?${search}`
}

/** The address that sets up a report of these variables. */
function reportsAddress({ asked }: PageSpace, tagIds: readonly number[]): string {
  const search = new URLSearchParams({
    eid: String(asked.eid ?? 0),
    add: 'true',
    tags: tagIds.join(),
  })
  return `${dataPaths.reports}?${search}`
}

/** The gaps of every device shown: a chart draws those that none of its lines crosses. */
function gapsOfAll(series: readonly TagSeries[]): Gap[] {
  const byMachine = new Map(series.map(({ tag, gaps }) => [tag.machineName, gaps ?? []]))
  return [...byMachine.values()].flat().sort((a, b) => a.from - b.from)
}

/** Each series, and after it the one it is compared with. */
function layoutOrder(
  series: readonly TagSeries[],
  compared: readonly TagSeries[],
  suffix: string,
): TagSeries[] {
  const byId = new Map(compared.map((one) => [-one.tag.tagId, one]))
  return series.flatMap((one) => {
    const earlier = byId.get(one.tag.tagId)
    return earlier
      ? [one, { ...earlier, tag: { ...earlier.tag, name: `${earlier.tag.name} ${suffix}` } }]
      : [one]
  })
}

/** When any of the variables last had a value. */
function lastTime(found: readonly ExplorerTag[]): number | null {
  return Math.max(0, ...found.map(({ tag }) => tag.lastAt ?? 0)) || null
}

function hasData(series: TagSeries, range: TimeRange): boolean {
  return (
    series.points.some(({ value }) => value !== null) &&
    (pointsWithin(series, range).length > 0 || series.stepped)
  )
}
