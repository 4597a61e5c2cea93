import { useId } from 'react'
import { startOfDay, toWallField, useText } from '../../i18n/index.ts'
import { fromWallField } from '../../i18n/zone.ts'
import { Button } from '../button.tsx'
import type { DateRangeValue } from './filter.ts'
import css from './filter-control.module.css'

interface DateRangeFilterProps {
  value: DateRangeValue | undefined
  onChange: (value: DateRangeValue) => void
  onDone: () => void
}

const dayMs = 86_400_000
const presets = {
  today: (now: number) => startOfDay(now),
  day: (now: number) => now - dayMs,
  week: (now: number) => startOfDay(now, -6),
  month: (now: number) => startOfDay(now, -29),
} as const

/** Two days in the zone of the screen, both of them in; or a span until now. */
export function DateRangeFilter({ value, onChange, onDone }: DateRangeFilterProps) {
  const t = useText().table
  const id = useId()
  const { from, to } = value ?? {}
  const dayOf = (at: number | undefined) => (at === undefined ? '' : toWallField(at).slice(0, 10))
  const change = (changed: { from?: number | undefined; to?: number | undefined }) => {
    const wished = { from, to, ...changed }
    onChange({
      kind: 'dateRange',
      ...(wished.from !== undefined && { from: wished.from }),
      ...(wished.to !== undefined && { to: wished.to }),
    })
  }
  return (
    <>
      <div className={css.presets}>
        {Object.entries(presets).map(([name, begin]) => (
          <Button
            key={name}
            size="small"
            onClick={() => {
              onChange({ kind: 'dateRange', from: begin(Date.now()) })
              onDone()
            }}
          >
            {t.presets[name as keyof typeof presets]}
          </Button>
        ))}
      </div>
      <div className={css.pair}>
        <label htmlFor={`${id}-from`}>{t.from}</label>
        <label htmlFor={`${id}-to`}>{t.to}</label>
        <input
          id={`${id}-from`}
          type="date"
          className={css.field}
          value={dayOf(from)}
          onChange={(event) => change({ from: startOf(event.target.value) })}
        />
        <input
          id={`${id}-to`}
          type="date"
          className={css.field}
          // The range ends where the day after begins.
          value={dayOf(to === undefined ? undefined : to - 1)}
          onChange={(event) => {
            const begins = startOf(event.target.value)
            change({ to: begins === undefined ? undefined : startOfDay(begins, 1) })
          }}
        />
      </div>
    </>
  )
}

function startOf(day: string): number | undefined {
  const at = fromWallField(`${day}T00:00`)
  return Number.isNaN(at) ? undefined : at
}
