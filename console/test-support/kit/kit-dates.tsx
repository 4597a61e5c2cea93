import { useState } from 'react'
import { useText } from '../../src/shared/i18n/language.ts'
import { browserZone } from '../../src/shared/i18n/zone.ts'
import { DatePicker } from '../../src/shared/ui/date/date-picker.tsx'
import { DateRangePicker, DayRangePicker } from '../../src/shared/ui/date/date-range-picker.tsx'
import { listPresets, type TimeSpan } from '../../src/shared/ui/date/presets.ts'
import { NumberField } from '../../src/shared/ui/number-field/number-field.tsx'
import css from './kit-page.module.css'
import { KitPart } from './kit-part.tsx'
import { t } from './kit-text.ts'

const hourMs = 3_600_000

/** Fields of dates and times. */
export function KitDates() {
  const text = useText().kit
  const [now] = useState(() => Date.now())
  const [moment, setMoment] = useState<number | null>(now)
  const [span, setSpan] = useState<TimeSpan>({ from: now - hourMs, to: now })
  const [days, setDays] = useState({ from: '2026-11-16', to: '2026-11-22' })
  const zones = [
    { zone: browserZone, label: t.mine },
    { zone: 'America/New_York', label: t.machine },
  ]
  return (
    <KitPart name={t.parts.dates}>
      <DatePicker className={css.field} label={t.moment} value={moment} zones={zones} onChange={setMoment} />
      <DatePicker
        className={css.field}
        label={t.moment}
        value={moment}
        max={now - hourMs}
        error={t.late}
        onChange={setMoment}
      />
      <DatePicker label={t.disabled} disabled value={null} onChange={setMoment} />
      <DateRangePicker
        className={css.wide}
        label={t.range}
        granularity="second"
        value={span}
        zones={zones}
        presets={listPresets(text, ['lastHour', 'last24Hours', 'today', 'yesterday', 'last7Days'])}
        onChange={setSpan}
      />
      <DayRangePicker className={css.field} label={t.rangeOfDays} value={days} onChange={setDays} />
    </KitPart>
  )
}

/** Fields of numbers. */
export function KitNumbers() {
  const [temperature, setTemperature] = useState('62.0')
  const [count, setCount] = useState('')
  return (
    <KitPart name={t.parts.numbers}>
      <NumberField
        className={css.field}
        label={t.setPoint}
        value={temperature}
        onChange={setTemperature}
        decimals={1}
        step={0.5}
        min={0}
        max={180}
        unit="°C"
        error={Number(temperature) > 180 ? t.tooHigh : undefined}
      />
      <NumberField
        className={css.field}
        label={t.count}
        value={count}
        onChange={setCount}
        decimals={0}
        min={0}
      />
      <NumberField label={t.disabled} disabled value="5" onChange={setCount} decimals={0} />
    </KitPart>
  )
}
