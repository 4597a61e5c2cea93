import type { ReactNode } from 'react'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { gapsOf } from '../../shared/ui/data/trend-gaps.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import css from './history-frame.module.css'
import { isState, type TagSeries, titleOf } from './history-series.ts'
import { formatLength, formatMoment } from './history-text.ts'

interface HistoryNotesProps {
  series: readonly TagSeries[]
  range: TimeRange
  /** The last refresh failed. */
  failed: boolean
  /** Some of the tags belong to another machine. */
  unknown: boolean
  tagIds: readonly number[]
  onChoose: (tagIds: readonly number[]) => void
  onRetry: () => void
  children: ReactNode
}

/** Tells whether averages or samples are shown, and which data is missing. */
export function HistoryNotes(props: HistoryNotesProps) {
  const { series, range, failed, unknown, tagIds, onChoose, onRetry, children } = props
  const text = useText()
  const t = text.history
  const lost = gapsOf(series)
    .filter((gap) => gap.from < range.to && gap.to >= range.from)
    .reduce((sum, gap) => sum + (gap.lost ?? 0), 0)
  return (
    <>
      <div className={css.head}>
        <p className={css.kind} role="status">
          {useKinds(series)}
        </p>
        {children}
      </div>
      {failed && (
        <p className={css.note} role="alert">
          <Icon name="warning" size={14} />
          {t.failedOld}
          <Button size="small" icon="refresh" onClick={onRetry}>
            {text.machines.failed.retry}
          </Button>
        </p>
      )}
      {lost > 0 && (
        <p className={css.note}>
          <Icon name="warning" size={14} />
          {t.lostNote(formatNumber(lost))}
        </p>
      )}
      {series.map(({ key, tag, cutAt }) =>
        cutAt === null ? null : (
          <p key={key} className={css.note}>
            <Icon name="warning" size={14} />
            {t.cut(titleOf(tag), formatMoment(cutAt))}
          </p>
        ),
      )}
      {unknown && (
        <p className={css.note}>
          <Icon name="info" size={14} />
          {t.unknownTag}
        </p>
      )}
      {series.map((each) => (
        <VersionNote key={each.key} series={each} tagIds={tagIds} onChoose={onChoose} />
      ))}
    </>
  )
}

interface VersionNoteProps {
  series: TagSeries
  tagIds: readonly number[]
  onChoose: (tagIds: readonly number[]) => void
}

/** A tag that changed its type has its past in two parts: the way from one to the other. */
function VersionNote({ series: { tag }, tagIds, onChoose }: VersionNoteProps) {
  const t = useText().history
  const { version } = tag
  if (!version) return null
  if (version.retiredAt !== null) {
    const { laterId } = version
    return (
      <p className={css.note}>
        <Icon name="info" size={14} />
        {t.of(t.former(t.types[tag.type], formatMoment(version.retiredAt)), titleOf(tag))}
        {laterId !== null && !tagIds.includes(laterId) && (
          <Button
            size="small"
            onClick={() => onChoose(tagIds.map((tagId) => (tagId === tag.tagId ? laterId : tagId)))}
          >
            {t.toLater}
          </Button>
        )}
      </p>
    )
  }
  const { earlierId } = version
  if (earlierId === null || tagIds.includes(earlierId)) return null
  return (
    <p className={css.note}>
      <Icon name="info" size={14} />
      {t.toEarlier(titleOf(tag))}
      <Button size="small" onClick={() => onChoose([...tagIds, earlierId])}>
        {t.showEarlier}
      </Button>
    </p>
  )
}

/** "10 s averages, min–max", or which tags are shown in which way. */
function useKinds(series: readonly TagSeries[]): string {
  const t = useText().history
  const byKind = Map.groupBy(series, (each) => {
    if (each.kind !== 'buckets') return t.kinds[each.kind]
    const interval = formatLength(each.intervalMs, t)
    return isState(each.tag) ? t.kinds.states(interval) : t.kinds.buckets(interval)
  })
  if (byKind.size === 1) return [...byKind.keys()].join('')
  return [...byKind]
    .map(([kind, members]) => t.of(kind, members.map(({ tag }) => titleOf(tag)).join(t.listComma)))
    .join(' · ')
}
