import { access, limits } from '@busbar/contract'
import { useId } from 'react'
import { formatMinute, fromWallField, useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { ZoneNote } from '../../shared/ui/zone-note.tsx'
import { findTimeProblem, formatLocalTime, type TimeChoice, timePresets, toEnd } from './visit-time.ts'

/** Contains the calendar, which is loaded only for a custom instant. */
const DatePicker = lazyPart(() =>
  import('../../shared/ui/date/date-picker.tsx').then((module) => module.DatePicker),
)

interface VisitTimeFieldProps {
  /** By which a form finds it. */
  name?: string
  value: TimeChoice
  onChange: (value: TimeChoice) => void
  error: string | undefined
}

const minuteMs = 60_000
const tickMs = 15_000

/** The duration: a span by one press, or a custom instant; below it the resulting end. */
export function VisitTimeField({ name, value, onChange, error }: VisitTimeFieldProps) {
  const t = useText().access.add
  const id = useId()
  const now = useNow(tickMs)
  const end = toEnd(value, now)
  const isComplete = findTimeProblem(value, now) === undefined
  return (
    <Stack data-field={name} gap={6} align="start" shrinks className={css.field}>
      <span className={css.label}>{t.time}</span>
      <ToggleGroup
        label={t.time}
        className={css.presets}
        value={value.preset}
        onChange={(preset) =>
          onChange({ preset, customAt: value.customAt || (preset === 'custom' ? tomorrow(now) : '') })
        }
        options={timePresets.map((preset) => ({ value: preset, label: t.presets[preset] }))}
      />
      {value.preset === 'custom' && (
        <Row gap={10}>
          <DatePicker
            label={t.customAt}
            size="large"
            min={now + (limits.visitMinutesMin + 1) * minuteMs}
            value={value.customAt ? fromWallField(value.customAt) : null}
            onChange={(at) => onChange({ ...value, customAt: at === null ? '' : formatLocalTime(at) })}
          />
          <ZoneNote className={css.hint} />
        </Row>
      )}
      {error ? (
        <p id={`${id}-note`} className={css.error} role="alert">
          <Icon name="warning" size={14} />
          {error}
        </p>
      ) : (
        isComplete && (
          <p id={`${id}-note`} className={css.hint}>
            {end === access.visitTimes.forever ? t.endsNever : t.endsAt(formatMinute(end))}
          </p>
        )
      )}
    </Stack>
  )
}

const dayMs = 24 * 60 * minuteMs

/** The first value of a custom end: this time tomorrow. */
function tomorrow(now: number): string {
  return formatLocalTime(now + dayMs)
}
