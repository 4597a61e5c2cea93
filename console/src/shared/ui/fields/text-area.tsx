import { type ReactNode, type TextareaHTMLAttributes, useId } from 'react'
import { classes } from '../classes.ts'
import form from '../dialogs/form.module.css'
import { FieldError } from '../kit/field-error.tsx'
import { Stack } from '../layout/layout.tsx'

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /** Shown under it, and read together with it. */
  hint?: ReactNode
}

/** A text of several lines, with its label and its error. */
export function TextArea({ label, value, onChange, error, hint, className, ...rest }: TextAreaProps) {
  const id = useId()
  return (
    <Stack gap={6} align="start" shrinks className={form.field}>
      <label className={form.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        {...rest}
        id={id}
        className={classes(form.area, className)}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={classes(error && `${id}-error`, hint !== undefined && `${id}-hint`) || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint !== undefined && (
        <div id={`${id}-hint`} aria-live="polite">
          {hint}
        </div>
      )}
    </Stack>
  )
}
