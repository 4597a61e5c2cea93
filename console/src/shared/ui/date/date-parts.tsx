import type { KeyboardEvent, ReactNode } from 'react'
import { Button, DateInput, DateSegment, FieldError, Group, Label } from 'react-aria-components/DatePicker'
import { TimeField, type TimeValue } from 'react-aria-components/TimeField'
import { flushSync } from 'react-dom'
import { useText } from '../../i18n/language.ts'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import field from '../kit/field.module.css'
import { Row } from '../layout/layout.tsx'
import { ToggleGroup } from '../toggle-group/toggle-group.tsx'
import css from './date.module.css'
import { type Granularity, nameOffset } from './instants.ts'

/** A time zone that a field can show: the reader's, the machine's. */
export interface ZoneChoice {
  readonly zone: string
  /** Names the field that the parts belong to. */
  readonly label: string
}

interface LabelledProps {
  label: string
  isLabelHidden: boolean
  error: string | undefined
  /** Why the typed value is invalid. */
  problem: string
  size: 'small' | 'medium' | 'large'
  /** Commits the typed value, before the form around it is sent. */
  onEnter: () => void
  children: ReactNode
}

/** The label, the box with its calendar button, and the error of a field of dates. */
export function DateBox({ label, isLabelHidden, error, problem, size, onEnter, children }: LabelledProps) {
  function onKey(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Enter') return
    flushSync(onEnter)
    event.currentTarget.closest('form')?.requestSubmit()
  }

  return (
    <>
      <Label className={isLabelHidden ? 'sr-only' : (field.label ?? '')}>{label}</Label>
      <Group className={classes(field.box, css.box, size !== 'medium' && field[size])}>
        <Row gap="0 6" wraps grows className={css.inputs} onKeyDownCapture={onKey}>
          {children}
        </Row>
        <Button className={css.open ?? ''}>
          <Icon name="calendar" size={14} />
        </Button>
      </Group>
      <FieldError className={classes(field.error)}>
        <Icon name="warning" size={14} />
        {/* Not the library's own words, which are in the browser's language. */}
        {error ?? problem}
      </FieldError>
    </>
  )
}

/** The parts of a date or a time, each typed separately. */
export function Segments({ slot }: { slot?: 'start' | 'end' }) {
  return (
    <DateInput {...(slot ? { slot } : {})} className={css.segments ?? ''}>
      {(segment) => <DateSegment segment={segment} className={css.segment ?? ''} />}
    </DateInput>
  )
}

interface ZoneLineProps {
  zone: string
  zones: readonly ZoneChoice[]
  onZone: (zone: string) => void
  at: number
}

/** The time zone in effect, and a choice if the machine's differs from the reader's. */
export function ZoneLine({ zone, zones, onZone, at }: ZoneLineProps) {
  const t = useText().kit.date
  const others = zones.filter((each, place) => zones.findIndex((first) => first.zone === each.zone) === place)
  return (
    <Row gap="6 12" wraps tone="quiet" size="12/16">
      {others.length > 1 && (
        <ToggleGroup
          size="small"
          label={t.clocks}
          value={zone}
          options={others.map((each) => ({ value: each.zone, label: each.label }))}
          onChange={onZone}
        />
      )}
      <span>{t.zone(zone, nameOffset(at, zone))}</span>
    </Row>
  )
}

interface TimeOfDayProps {
  label: string
  value: TimeValue | null | undefined
  granularity: Granularity
  onChange: (time: TimeValue) => void
}

/** The time beside a calendar, for a finger that does not type into the field. */
export function TimeOfDay({ label, value, granularity, onChange }: TimeOfDayProps) {
  return (
    <TimeField
      className={css.time ?? ''}
      value={value ?? null}
      onChange={(time) => time && onChange(time)}
      granularity={granularity}
      hourCycle={24}
      hideTimeZone
      shouldForceLeadingZeros
    >
      <Label className={field.label ?? ''}>{label}</Label>
      <div className={classes(field.box, css.timeBox)}>
        <Segments />
      </div>
    </TimeField>
  )
}
