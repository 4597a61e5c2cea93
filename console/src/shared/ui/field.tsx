import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { classes } from './classes.ts'
import css from './field.module.css'
import { Icon } from './icon.tsx'

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string
  value: string
  onChange: (value: string) => void
  /** Shown under the field, in plain words. */
  error?: string | undefined
  before?: ReactNode
  after?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** A native text field with its label and its error. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, error, before, after, ref, ...rest } = props
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes(css.box, error && css.wrong)}>
        {before}
        <input
          {...rest}
          data-autofocus={rest.autoFocus || undefined}
          ref={ref}
          id={id}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {after}
      </div>
      {error && (
        <p id={errorId} className={css.error}>
          <Icon name="warning" size={14} />
          {error}
        </p>
      )}
    </div>
  )
}
