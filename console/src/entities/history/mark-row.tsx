import type { telemetry } from '@busbar/contract'
import { formatExact, useText } from '../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../shared/i18n/time-span.ts'
import { classes } from '../../shared/ui/classes.ts'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import type { PlotPlace } from '../../shared/ui/data/trend-canvas.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Text } from '../../shared/ui/layout/layout.tsx'
import { LevelGlyph } from '../machine/level-badge.tsx'
import { groupMarks, type HistoryMark, nextInGroup, worstOf } from './history-marks.ts'
import css from './mark-row.module.css'

/** Marks closer together than this form one, with their number. */
const groupPixels = 22

interface MarkRowProps {
  marks: readonly HistoryMark[]
  /** The key of the mark that is shown in words. */
  chosen: string | undefined
  range: TimeRange
  place: PlotPlace
  onChoose: (key: string | undefined) => void
}

/** Alarms and writes over the times of the axis; a press shows one in words, and its time in every chart. */
export function MarkRow({ marks, chosen, range, place, onChoose }: MarkRowProps) {
  const describe = useMarkText()
  if (marks.length === 0) return null
  const msPerPixel = (range.to - range.from) / place.width
  const shown = marks.find(({ key }) => key === chosen)
  return (
    <>
      <div className={css.row} style={{ marginLeft: place.left, width: place.width }}>
        {groupMarks(marks, groupPixels * msPerPixel).map((group) => {
          const [first] = group
          const worst = worstOf(group)
          if (!first || !worst) return null
          const isChosen = group.some(({ key }) => key === chosen)
          const mark = isChosen && shown ? shown : worst
          return (
            <button
              key={first.key}
              type="button"
              className={classes(css.mark, isChosen && css.chosen)}
              style={{ left: ((isChosen ? mark : first).at - range.from) / msPerPixel }}
              aria-pressed={isChosen}
              aria-label={group.map(describe).join('; ')}
              data-tip={describe(mark)}
              onClick={() => {
                const next = nextInGroup(group, chosen)
                onChoose(next?.key === chosen ? undefined : next?.key)
              }}
            >
              <MarkGlyph mark={mark} />
              {group.length > 1 && (
                <Text size={11} numbers>
                  {group.length}
                </Text>
              )}
            </button>
          )
        })}
      </div>
      {shown && (
        <p className={css.words} role="status">
          <MarkGlyph mark={shown} />
          {describe(shown)}
        </p>
      )}
    </>
  )
}

function MarkGlyph({ mark }: { mark: HistoryMark }) {
  if (mark.kind === 'write') return <Icon name="edit" size={12} />
  if (mark.kind === 'note') return <Icon name="tag" size={12} />
  return <LevelGlyph level={mark.alarm.level} />
}

/** A mark in words: what happened and when. */
function useMarkText(): (mark: HistoryMark) => string {
  const text = useText()
  const t = text.history.marks
  const say = (value: telemetry.TagValue) =>
    formatTagValue(value, { unit: '', scale: null }, text.machines.bool).text
  return (mark) => {
    const time = formatExact(mark.at)
    if (mark.kind === 'write') {
      const { tag, from, to, user, state } = mark.write
      const change = `${say(from)} → ${say(to)}`
      return t.write({ time, tag, change, user: user || t.atMachine, state: text.visits.pane.states[state] })
    }
    if (mark.kind === 'note') {
      const { from, to, text: words, by } = mark.note
      return text.history.notes.said({ time: formatTimeSpan({ from, to }), text: words, by })
    }
    const { text: words, level, clearedAt } = mark.alarm
    const end = clearedAt === null ? t.open : t.cleared(formatExact(clearedAt))
    return t.alarm({ time, text: words, level: text.machines.alarms.levels[level], end })
  }
}
