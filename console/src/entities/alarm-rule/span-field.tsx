import { useText } from '../../shared/i18n/index.ts'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { Grid } from '../../shared/ui/layout/layout.tsx'
import { NumberField } from '../../shared/ui/number-field/number-field.tsx'
import css from './rule-form.module.css'
import type { SpanInput } from './rule-input.ts'
import { spanUnits } from './rule-words.ts'

interface SpanFieldProps {
  /** By which a form finds it. */
  name: string
  label: string
  value: SpanInput
  onChange: (value: SpanInput) => void
  error?: string | undefined
}

/** A time: a number and its unit. */
export function SpanField({ name, label, value, onChange, error }: SpanFieldProps) {
  const t = useText().alarmRules
  return (
    <Grid role="group" aria-label={label} gap={6} align="start" className={css.joined} data-field={name}>
      <NumberField
        label={label}
        size="large"
        decimals={2}
        step={1}
        min={0}
        value={value.amount}
        error={error}
        onChange={(amount) => onChange({ ...value, amount })}
      />
      <SelectField
        label={t.editor.places.unit}
        value={value.unit}
        onChange={(unit) => onChange({ ...value, unit })}
        options={spanUnits.map((unit) => ({ value: unit, label: t.units[unit] }))}
      />
    </Grid>
  )
}
