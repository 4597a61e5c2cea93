import type { InputHTMLAttributes, Ref } from 'react'
import { useText } from '../i18n/language.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import css from './search-field.module.css'

interface SearchFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string
  value: string
  onChange: (value: string) => void
  ref?: Ref<HTMLInputElement>
}

/** A field that narrows a list as one types. Esc empties it first, then leaves it. */
export function SearchField({ label, value, onChange, className, ref, ...rest }: SearchFieldProps) {
  const t = useText()
  return (
    <div className={classes(css.field, className)}>
      <Icon name="search" />
      <input
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        {...rest}
        ref={ref}
        aria-label={label}
        className={css.input}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return rest.onKeyDown?.(event)
          event.stopPropagation()
          if (value) onChange('')
          else event.currentTarget.blur()
        }}
      />
      {value && (
        <button type="button" className={css.clear} aria-label={t.app.clear} onClick={() => onChange('')}>
          <Icon name="close" size={14} />
        </button>
      )}
    </div>
  )
}
