import { useText } from '../../i18n/index.ts'
import { DateRangePicker } from '../date/date-range-picker.tsx'
import { listPresets } from '../date/presets.ts'
import type { DateRangeValue } from './filter.ts'

interface DateRangeFilterProps {
  title: string
  value: DateRangeValue | undefined
  onChange: (value: DateRangeValue) => void
}

/** Filters a list by a range of dates. */
export function DateRangeFilter({ title, value, onChange }: DateRangeFilterProps) {
  const { kit } = useText()
  const { from, to } = value ?? {}
  return (
    <DateRangePicker
      label={title}
      isLabelHidden
      size="small"
      value={from === undefined || to === undefined ? null : { from, to }}
      onChange={(span) => onChange({ kind: 'dateRange', ...span })}
      presets={listPresets(kit, ['lastHour', 'today', 'yesterday', 'last7Days', 'last30Days'])}
    />
  )
}
