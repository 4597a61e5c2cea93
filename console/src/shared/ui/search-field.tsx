import { type InputHTMLAttributes, type Ref, useState } from 'react'
import { useText } from '../i18n/language.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { isComposing } from './keys.ts'
import css from './search-field.module.css'

interface SearchFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string
  value: string
  onChange: (value: string) => void
  ref?: Ref<HTMLInputElement>
}

/** A field that narrows a list while a person types. Esc empties it first, then leaves it. */
export function SearchField({ label, value, onChange, className, ref, ...rest }: SearchFieldProps) {
  const t = useText()
  // Letters that an input method is still composing do not count as a search.
  const [composed, setComposed] = useState<string>()
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
        value={composed ?? value}
        onChange={(event) => {
          if (composed === undefined) onChange(event.target.value)
          else setComposed(event.target.value)
        }}
        onCompositionStart={(event) => setComposed(event.currentTarget.value)}
        onCompositionEnd={(event) => {
          setComposed(undefined)
          onChange(event.currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return
          if (event.key !== 'Escape') return rest.onKeyDown?.(event)
          event.stopPropagation()
          // Clears or leaves only this field, not the dialog around it.
          event.preventDefault()
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
