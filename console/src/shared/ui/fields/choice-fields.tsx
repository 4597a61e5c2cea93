import type { ReactNode } from 'react'
import form from '../dialogs/form.module.css'
import { Stack } from '../layout/layout.tsx'
import { Select } from '../select/select.tsx'

interface SelectFieldProps<Value extends string | number> {
  label: string
  name?: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  hint?: ReactNode
  error?: string | undefined
}

/** One of a few, in a form. */
export function SelectField<Value extends string | number>(props: SelectFieldProps<Value>) {
  const { label, name, value, options, onChange, hint, error } = props
  return (
    <Stack gap={6} align="start" shrinks className={form.field}>
      <Select
        label={label}
        {...(name === undefined ? {} : { name })}
        size="large"
        error={error}
        choices={options.map((option) => ({ value: String(option.value), label: option.label }))}
        value={String(value)}
        onChange={(wished) => {
          const chosen = options.find((option) => String(option.value) === wished)
          if (chosen) onChange(chosen.value)
        }}
      />
      {hint && <p className={form.hint}>{hint}</p>}
    </Stack>
  )
}
