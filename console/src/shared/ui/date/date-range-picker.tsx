import { fromAbsolute, toCalendarDate } from '@internationalized/date'
import { useState } from 'react'
import { useZone } from '../../i18n/zone.ts'
import { type ZoneChoice, ZoneLine } from './date-parts.tsx'
import { type Granularity, toDay, toInstant, toZonedTime } from './instants.ts'
import type { SpanPreset, TimeSpan } from './presets.ts'
import { RangeField, type RangeFieldProps } from './range-field.tsx'

interface DateRangePickerProps extends RangeFieldProps {
  value: TimeSpan | null
  onChange: (value: TimeSpan) => void
  granularity?: Granularity
  presets?: readonly SpanPreset[]
  /** Zones to choose from; the first is used. Otherwise the zone of all times on screen. */
  zones?: readonly ZoneChoice[]
  min?: number
  max?: number
}

/** From when to when. Handed on once it is complete: by Enter, by leaving the field or closing its calendar. */
export function DateRangePicker(props: DateRangePickerProps) {
  const { value, onChange, granularity = 'minute', presets = [], zones = [], min, max, ...rest } = props
  const pageZone = useZone()
  const [zone, setZone] = useState(zones[0]?.zone ?? pageZone)
  const [now] = useState(() => Date.now())
  const toValue = (at: number) => toZonedTime(at, zone, granularity)
  return (
    <RangeField
      {...rest}
      value={value && { start: toValue(value.from), end: toValue(value.to) }}
      valueKey={`${value?.from} ${value?.to} ${zone}`}
      onCommit={({ start, end }) => onChange({ from: toInstant(start, zone), to: toInstant(end, zone) })}
      granularity={granularity}
      placeholder={toValue(now)}
      min={min === undefined ? undefined : toValue(min)}
      max={max === undefined ? undefined : toValue(max)}
      presets={presets.map(({ label, spanAt }) => ({
        label,
        choose: () => onChange(spanAt(Date.now(), zone)),
      }))}
      foot={(commit) => (
        <ZoneLine
          zone={zone}
          zones={zones}
          at={value?.to ?? now}
          onZone={(next) => {
            commit()
            setZone(next)
          }}
        />
      )}
    />
  )
}

/** Days from the first to the last one, each such as `2026-11-22`. */
export interface DaySpan {
  readonly from: string
  readonly to: string
}

interface DayRangePickerProps extends RangeFieldProps {
  value: DaySpan | null
  onChange: (value: DaySpan) => void
  /** The last day that can be chosen. */
  max?: string
}

/** From which day to which, without times. */
export function DayRangePicker({ value, onChange, max, ...rest }: DayRangePickerProps) {
  const zone = useZone()
  const [now] = useState(() => Date.now())
  const start = value && toDay(value.from)
  const end = value && toDay(value.to)
  return (
    <RangeField
      {...rest}
      value={start && end && { start, end }}
      valueKey={`${value?.from} ${value?.to}`}
      onCommit={(span) => onChange({ from: dayOf(span.start.toString()), to: dayOf(span.end.toString()) })}
      granularity="day"
      placeholder={toCalendarDate(fromAbsolute(now, zone))}
      max={max === undefined ? undefined : (toDay(max) ?? undefined)}
      presets={[]}
    />
  )
}

const dayOf = (text: string) => text.slice(0, 'yyyy-mm-dd'.length)
