import { type ReactNode, useId } from 'react'
import { ChoiceList } from '../combo-box/lazy-choice-list.ts'
import type { Choice } from '../kit/choice.ts'
import kit from '../kit/field.module.css'
import { FieldError } from '../kit/field-error.tsx'
import css from './choice-fields.module.css'

/** Up to this many fit on the screen without a search. */
const fewMax = 7

interface ChoicesFieldProps<Value extends string | number> {
  label: string
  /** By which a form finds it. */
  name?: string
  value: readonly Value[]
  options: readonly (Omit<Choice, 'value'> & { value: Value })[]
  onChange: (value: readonly Value[]) => void
  /** With this label a list has a search, however short it is. */
  searchLabel?: string
  noneText?: string
  allLabel?: (count: string) => string
  /** Under the list. */
  hint?: ReactNode
  error?: string | undefined
}

/** Any of several, in a form. */
export function ChoicesField<Value extends string | number>(props: ChoicesFieldProps<Value>) {
  const { label, name, value, options, onChange, error, ...rest } = props
  const errorId = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be as narrow as its dialog
    <div
      role="group"
      data-field={name}
      aria-label={label}
      aria-describedby={error ? errorId : undefined}
      className={kit.field}
    >
      <span className={kit.label}>{label}</span>
      <ChoiceList
        {...rest}
        label={label}
        className={css.choices}
        isSearched={rest.searchLabel !== undefined || options.length > fewMax}
        max={Number.POSITIVE_INFINITY}
        choices={options.map((option) => ({ ...option, value: String(option.value) }))}
        chosen={value.map(String)}
        onChoose={(chosen) => {
          const ids = new Set(chosen)
          onChange(options.flatMap((option) => (ids.has(String(option.value)) ? [option.value] : [])))
        }}
      />
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}
