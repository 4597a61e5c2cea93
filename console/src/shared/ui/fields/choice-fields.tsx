import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import form from '../dialogs/form.module.css'
import { Select } from '../select/select.tsx'
import css from './choice-fields.module.css'

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
    <div className={form.field}>
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
    </div>
  )
}

interface ChecksFieldProps<Value extends string | number> {
  label: string
  values: readonly Value[]
  options: readonly { value: Value; label: string; hint?: string | undefined }[]
  onChange: (values: Value[]) => void
  error?: string | undefined
}

/** Any of several. */
export function ChecksField<Value extends string | number>(props: ChecksFieldProps<Value>) {
  const { label, values, options, onChange, error } = props
  const chosen = new Set(values)
  return (
    <fieldset className={css.checks} aria-invalid={error ? true : undefined}>
      <legend className={form.label}>{label}</legend>
      <div className={css.options}>
        {options.map((option) => (
          <label key={option.value} className={css.option}>
            <input
              type="checkbox"
              checked={chosen.has(option.value)}
              onChange={({ target }) =>
                onChange(
                  target.checked
                    ? [...values, option.value]
                    : values.filter((value) => value !== option.value),
                )
              }
            />
            <span className={css.words}>
              <span className="cut" title={option.label}>
                {option.label}
              </span>
              {option.hint && <small className={css.hint}>{option.hint}</small>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p className={classes(form.error)} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
