import { type ReactNode, useMemo } from 'react'
import { useIsLive } from '../../shared/api/live.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { csvName } from '../../shared/ui/data/csv.ts'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import type { LimitsByTag } from '../alarm-rule/rule-limits.ts'
import { HistoryChart } from './history-chart.tsx'
import { formatHistory, tableOf } from './history-csv.ts'
import { HistoryFoot, LastData } from './history-foot.tsx'
import css from './history-frame.module.css'
import { layoutSeries, withCompared } from './history-layout.ts'
import type { MarkedAlarm } from './history-marks.ts'
import { HistoryNotes } from './history-notes.tsx'
import { pointsWithin, type TagSeries, titleOf } from './history-series.ts'
import { lengthOf, presetOf, shareLink, spanAt } from './history-span.ts'
import { HistoryTable } from './history-table.tsx'
import { describeSpan } from './history-text.ts'
import { HistoryToolbar } from './history-toolbar.tsx'
import { NotesList } from './notes-list.tsx'
import { type KeyedMachine, useMarks } from './use-marks.ts'
import { useNotes } from './use-notes.ts'
import type { Past } from './use-past.ts'
import { useVariableColours } from './variable-colours.ts'

interface HistoryViewProps {
  past: Past
  /** Begins the name of the file of the visible data. */
  fileName: string
  /** Machines of which the reader has a key: their alarms and writes are marked. */
  keyed: readonly KeyedMachine[]
  /** Alarms that are marked without a key. */
  openAlarms?: readonly MarkedAlarm[]
  ruleLimits?: LimitsByTag
  /** Earlier periods, with the names that tell them apart. */
  compared?: readonly TagSeries[]
  /** The earlier periods are not shown yet. */
  isComparing?: boolean
  isApart?: boolean
  isTable: boolean
  onTable: (isTable: boolean) => void
  /** It fills the page; left out: it has its size. */
  isLarge?: boolean
  onLarge?: (isLarge: boolean) => void
  machineZone?: string | undefined
  onExportAll?: (() => void) | undefined
  /** The last variable can be removed as well. */
  canBeEmpty?: boolean
  /** Removes the earlier periods. */
  onCompareNot?: () => void
  /** Beside the description of the data. */
  picker?: ReactNode
  /** In place of the chart. */
  picture?: ReactNode
  /** Under the chart. */
  children?: ReactNode
}

const noLimits: LimitsByTag = new Map()
const noSeries: readonly TagSeries[] = []
const noAlarms: readonly MarkedAlarm[] = []

/** The past of one or several machines: toolbar, chart or table, what is missing, notes. */
export function HistoryView(props: HistoryViewProps) {
  const { past, isTable, isLarge = false, compared = noSeries, isApart = false } = props
  const { machines, tags, tagIds, history, range, span, moving, show, move, mark, update, wanted, choose } =
    past
  const { series, state } = history
  const busy = history.busy || props.isComparing === true
  const text = useText()
  const t = text.history
  const colours = useVariableColours(tags, tagIds)
  const layout = useMemo(
    () => layoutSeries(series, colours, { compared, isApart }),
    [series, colours, compared, isApart],
  )
  const everySeries = useMemo(() => withCompared(series, compared), [series, compared])
  const machineIds = useMemo(() => machines.map(({ id }) => id), [machines])
  const notes = useNotes(machineIds, range)
  const { openAlarms = noAlarms } = props
  const marks = useMarks(props.keyed, { openAlarms, isNamed: machines.length > 1, range, notes })
  const hears = useIsLive()

  const isHere = state === 'here'
  const label = t.label(series.map(({ tag }) => titleOf(tag)).join(t.listComma), describeSpan(span, t))
  const isEmpty = isHere && !busy && series.every((each) => !hasData(each, range))

  function exportSeen() {
    const words = { ...t.table, qualities: text.machines.quality }
    const name = csvName(props.fileName, range)
    saveFile(name, formatHistory(tableOf(everySeries, range, words)), 'text/csv;charset=utf-8')
    showToast(t.csvDone(name))
  }

  function picture(): ReactNode {
    if (state === 'failed')
      return (
        <EmptyState icon="warning" title={t.failed} hint={text.machines.failed.hint}>
          <Button icon="refresh" onClick={history.retry}>
            {text.machines.failed.retry}
          </Button>
        </EmptyState>
      )
    if (!isHere) return <HistoryWaiting />
    if (props.picture) return props.picture
    if (isTable) return <HistoryTable series={everySeries} range={range} caption={label} />
    return (
      <HistoryChart
        layout={layout}
        ruleLimits={props.ruleLimits ?? noLimits}
        range={range}
        large={isLarge}
        live={span.kind === 'live'}
        busy={busy}
        isMoving={moving !== null}
        until={Math.min(range.to, history.range.to, Date.now())}
        label={label}
        empty={isEmpty ? t.empty : undefined}
        marks={marks}
        mark={mark}
        onMark={(next) => update({ mark: next }, { replace: true })}
        removable={props.canBeEmpty || wanted.length > 1}
        onRemove={({ tag, shiftMs }) =>
          shiftMs > 0 ? props.onCompareNot?.() : choose(wanted.filter((other) => other !== tag.tagId))
        }
        onSelect={(selected) => show(spanAt(selected, Date.now()))}
        onMove={move}
        onReset={() => show(presetOf(span) ? span : past.first)}
        onNow={() => show({ kind: 'live', lengthMs: Math.round(lengthOf(range)) })}
      />
    )
  }

  if (state === 'noRight')
    return (
      <EmptyState icon="lock" title={machines.length > 1 ? t.noRightOfOne : t.noRight} hint={t.noRightHint} />
    )
  return (
    <>
      <HistoryToolbar
        span={span}
        range={range}
        machineZone={props.machineZone}
        hearing={hears && isHere && !history.isOld && machines.some(({ online }) => online)}
        large={isLarge}
        table={isTable}
        onShow={show}
        onMove={move}
        onLarge={props.onLarge}
        onTable={props.onTable}
        onShare={() => shareLink(location.href, range)}
        onExportAll={props.onExportAll}
        onExport={isHere && !busy && !isEmpty && !moving ? exportSeen : undefined}
      />
      <HistoryNotes
        series={series}
        range={range}
        failed={history.isOld}
        unknown={history.hasForeign}
        tagIds={wanted}
        onChoose={choose}
        onRetry={history.retry}
      >
        {props.picker}
      </HistoryNotes>
      <div className={css.picture}>{picture()}</div>
      {isEmpty && <LastData at={lastTime(past)} range={range} onShow={show} />}
      {props.children}
      <NotesList notes={notes} machines={machines} range={range} mark={mark} />
      <HistoryFoot at={range.to} />
    </>
  )
}

/** In the place of a picture that is on its way. */
export function HistoryWaiting() {
  return (
    <div className={css.waiting} aria-busy="true">
      <Skeleton width={180} height={14} />
      <Skeleton className={css.block} />
    </div>
  )
}

function hasData(series: TagSeries, range: TimeRange): boolean {
  return (
    series.points.some(({ value }) => value !== null) &&
    (pointsWithin(series, range).length > 0 || series.stepped)
  )
}

/** Time of the last value of any of the tags. */
function lastTime({ tags, tagIds }: Past): number | null {
  const times = tags.filter(({ tagId }) => tagIds.includes(tagId)).map(({ lastAt }) => lastAt ?? 0)
  return Math.max(0, ...times) || null
}
