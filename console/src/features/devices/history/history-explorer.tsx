import { machines as contract, limits, type telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useRuleLimits } from '../../../entities/alarm-rule/use-rule-limits.ts'
import { HistoryChart } from '../../../entities/history/history-chart.tsx'
import { formatTable, tableOf } from '../../../entities/history/history-csv.ts'
import { HistoryFoot, LastData } from '../../../entities/history/history-foot.tsx'
import css from '../../../entities/history/history-frame.module.css'
import { layoutSeries } from '../../../entities/history/history-layout.ts'
import { HistoryNotes } from '../../../entities/history/history-notes.tsx'
import { pointsWithin, type TagSeries } from '../../../entities/history/history-series.ts'
import {
  firstSpan,
  formatSpan,
  lengthOf,
  presetOf,
  presets,
  shareLink,
  spanAt,
} from '../../../entities/history/history-span.ts'
import { HistoryTable } from '../../../entities/history/history-table.tsx'
import { describeSpan } from '../../../entities/history/history-text.ts'
import { HistoryToolbar } from '../../../entities/history/history-toolbar.tsx'
import { NotesList } from '../../../entities/history/notes-list.tsx'
import { useHistory } from '../../../entities/history/use-history.ts'
import { useHistorySpan } from '../../../entities/history/use-history-span.ts'
import { useNotes } from '../../../entities/history/use-notes.ts'
import { useVariableColours } from '../../../entities/history/variable-colours.ts'
import { isHeld, type Machine } from '../../../entities/machine/machine.ts'
import { machineDetailQuery } from '../../../entities/machine/machine-queries.ts'
import { useIsLive } from '../../../shared/api/live.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { csvName } from '../../../shared/ui/data/csv.ts'
import { saveFile } from '../../../shared/ui/data/save-file.ts'
import { useWidth } from '../../../shared/ui/data/use-width.ts'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { useListSearch } from '../list-search.ts'
import { HistoryTagPicker } from './history-tag-picker.tsx'
import { useMarks } from './use-marks.ts'
import { useSeries } from './use-series.ts'

interface HistoryExplorerProps {
  machine: Machine
  tags: readonly telemetry.Tag[]
  /** Tags that are shown when the address names no tags. */
  firstTags: readonly number[]
}

const tagsMax = limits.tagsPerHistory
/** Answers differ with every hundred pixels, not with every one. */
const widthStep = 100
const bucketsMin = 200

/** A machine's past: any time of it, as near as one likes, and true to what is stored. */
export function HistoryExplorer({ machine, tags, firstTags }: HistoryExplorerProps) {
  const text = useText()
  const t = text.history
  const [search, update] = useListSearch()
  const navigate = useNavigate()
  const [box, width] = useWidth<HTMLDivElement>()
  // The first span is chosen once: a machine that goes offline later does not change it.
  const [first] = useState(() => firstSpan(machine.online, machine.lastSeen, Date.now()))
  const { span, moving, show, move } = useHistorySpan(search, update, first)
  const tagIds = search.tags ?? firstTags
  const ruleLimits = useRuleLimits(machine.id)
  const large = search.large === true
  const isTable = search.table === true

  const complete = useEffectEvent(() => update({ tags: firstTags, ...formatSpan(span) }, { replace: true }))
  const isIncomplete = search.tags === undefined && firstTags.length > 0
  // The address contains everything that is shown, defaults included, so that it can be sent to another
  // person. It is changed once per device: each change renders the page before it completes, and a second
  // change would repeat that endlessly.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another device needs another address
  useEffect(() => {
    if (isIncomplete) complete()
  }, [isIncomplete, machine.id])

  const buckets = Math.max(Math.round(width / widthStep) * widthStep, bucketsMin)
  const state = useHistory({
    machineId: machine.id,
    tagIds: width > 0 ? tagIds : noTags,
    span,
    buckets,
    online: machine.online,
  })
  const { answer, gaps, busy, failed } = state
  const range = moving ?? state.range
  const { series, unknown } = useSeries(machine.id, tags, tagIds, answer)
  const colours = useVariableColours(tags, tagIds)
  const layout = useMemo(() => layoutSeries(series, colours), [series, colours])
  const { openAlarms } = machine
  const isKey = machine.level >= contract.limitAuthority.bkey
  const detail = useQuery(machineDetailQuery(machine.id, useLang())).data
  const machineZone = isHeld(detail) ? detail.timeZone || undefined : undefined
  const machines = useMemo(() => [{ id: machine.id, name: machine.name }], [machine.id, machine.name])
  const machineIds = useMemo(() => [machine.id], [machine.id])
  const notes = useNotes(machineIds, range)
  const marks = useMarks(state.machineId, { openAlarms, isKey, range, notes })
  const hears = useIsLive()

  const names = series.map(({ tag }) => tag.name).join(t.listComma)
  const label = t.label(names, describeSpan(span, t))
  const isEmpty = answer !== undefined && !busy && series.every((each) => !hasData(each, range))

  const choose = (ids: readonly number[]) => update({ tags: ids }, { replace: true })
  const reset = () => show({ kind: 'live', lengthMs: presets[presetOf(span) ?? '1h'] })
  const now = () => show({ kind: 'live', lengthMs: Math.round(lengthOf(range)) })

  function exportSeen() {
    const words = { ...t.table, qualities: text.machines.quality }
    const name = csvName(machine.name, range)
    saveFile(name, formatTable(tableOf(series, range, words)), 'text/csv;charset=utf-8')
    showToast(t.csvDone(name))
  }

  function content(): ReactNode {
    if (tags.length === 0 && tagIds.length === 0)
      return <EmptyState icon="chart" title={t.noTags} hint={t.noTagsHint} />
    if (failed === 'noRight') return <EmptyState icon="lock" title={t.noRight} hint={t.noRightHint} />
    return (
      <>
        <HistoryToolbar
          span={span}
          range={range}
          machineZone={machineZone}
          hearing={hears && machine.online && failed === 'no'}
          large={large}
          table={isTable}
          onShow={show}
          onMove={move}
          onLarge={(wanted) => update({ large: wanted || undefined })}
          onTable={(wanted) => update({ table: wanted || undefined }, { replace: true })}
          onShare={() => shareLink(location.href, range)}
          onExportAll={
            tagIds.length === 0
              ? undefined
              : () =>
                  void navigate({
                    to: '/dataCenter/exports',
                    search: {
                      tags: tagIds.join(),
                      from: Math.round(range.from),
                      to: Math.round(range.to),
                    },
                  })
          }
          onExport={answer && !busy && !isEmpty && !moving ? exportSeen : undefined}
        />
        <HistoryNotes
          series={series}
          range={range}
          gaps={gaps}
          failed={failed === 'failed' && answer !== undefined}
          unknown={unknown}
          tagIds={tagIds}
          onChoose={choose}
          onRetry={state.retry}
        >
          <HistoryTagPicker tags={tags} chosen={tagIds} max={tagsMax} onChoose={choose} />
        </HistoryNotes>
        {answer === undefined ? (
          failed === 'failed' ? (
            <EmptyState icon="warning" title={t.failed} hint={text.machines.failed.hint}>
              <Button icon="refresh" onClick={state.retry}>
                {text.machines.failed.retry}
              </Button>
            </EmptyState>
          ) : (
            <div className={css.waiting} aria-busy="true">
              <Skeleton width={180} height={14} />
              <Skeleton className={css.block} />
            </div>
          )
        ) : isTable ? (
          <HistoryTable
            series={series}
            gaps={gaps}
            range={range}
            caption={t.table.caption(names, describeSpan(span, t))}
          />
        ) : (
          <HistoryChart
            layout={layout}
            ruleLimits={ruleLimits}
            gaps={gaps}
            range={range}
            large={large}
            live={span.kind === 'live'}
            busy={busy || moving !== null}
            until={Math.min(range.to, answer.range.to, Date.now())}
            label={label}
            empty={isEmpty ? t.empty : undefined}
            marks={marks}
            mark={search.mark}
            onMark={(mark) => update({ mark }, { replace: true })}
            removable={tagIds.length > 1}
            onRemove={(tagId) => choose(tagIds.filter((other) => other !== tagId))}
            onSelect={(selected) => show(spanAt(selected, Date.now()))}
            onMove={move}
            onReset={reset}
            onNow={now}
          />
        )}
        {isEmpty && <LastData at={lastTime(tags, tagIds)} range={range} onShow={show} />}
        <NotesList notes={notes} machines={machines} range={range} mark={search.mark} />
        <HistoryFoot at={range.to} />
      </>
    )
  }

  return (
    <div ref={box} className={css.explorer} data-large={large || undefined}>
      {content()}
    </div>
  )
}

const noTags: readonly number[] = []
function hasData(series: TagSeries, range: { from: number; to: number }): boolean {
  return (
    series.points.some(({ value }) => value !== null) &&
    (pointsWithin(series, range).length > 0 || series.stepped)
  )
}

/** Time of the last value of any of the tags. */
function lastTime(tags: readonly telemetry.Tag[], tagIds: readonly number[]): number | null {
  const times = tags.filter(({ tagId }) => tagIds.includes(tagId)).map(({ lastAt }) => lastAt ?? 0)
  return Math.max(0, ...times) || null
}
