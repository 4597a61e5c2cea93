import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { isComposing } from '../keys.ts'
import type { Choice } from '../kit/choice.ts'
import { useNoteChange } from '../kit/dialog-box.ts'
import field from '../kit/field.module.css'
import { FieldError } from '../kit/field-error.tsx'
import { Box } from '../layout/layout.tsx'
import { SelectPanel } from './select-panel.tsx'

interface SelectProps<T extends string> {
  label: string
  /** By which a form finds it. */
  name?: string
  /** Only for screen readers, if a visible text beside it says the same. */
  isLabelHidden?: boolean
  choices: readonly Choice<T>[]
  value: T | undefined
  onChange: (value: T) => void
  /** Shown while none is chosen. */
  placeholder?: string
  size?: 'small' | 'medium' | 'large'
  disabled?: boolean
  autoFocus?: boolean
  error?: string | undefined
  className?: string | undefined
}

/** One of a few values; a combo box is for many. Letters jump to a choice, also while it is closed. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, name, isLabelHidden = false, choices, value, onChange, placeholder, size = 'medium' } = props
  const { disabled = false, autoFocus = false, error, className } = props
  const [opener, setOpener] = useState<HTMLElement>()
  const id = useId()
  const noteChange = useNoteChange()
  const findByLetters = useLetters(choices)
  const chosen = choices.find((choice) => choice.value === value)

  function choose(next: string) {
    if (next === value) return
    noteChange()
    onChange(next as T)
  }

  function onKey(event: KeyboardEvent<HTMLElement>) {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpener(event.currentTarget)
    } else if (event.key.length === 1 && event.key !== ' ') {
      const found = findByLetters(event.key)
      if (found) choose(found.value)
    }
  }

  return (
    <div className={classes(field.field, error && field.wrong, className)}>
      <span id={`${id}-label`} className={isLabelHidden ? 'sr-only' : field.label}>
        {label}
      </span>
      <button
        type="button"
        name={name}
        className={classes(field.box, size !== 'medium' && field[size])}
        disabled={disabled}
        // biome-ignore lint/a11y/noAutofocus: a control opened for editing takes the focus
        autoFocus={autoFocus}
        data-autofocus={autoFocus || undefined}
        aria-haspopup="listbox"
        aria-expanded={opener !== undefined}
        aria-labelledby={`${id}-label ${id}-value`}
        aria-describedby={error ? `${id}-error` : undefined}
        onClick={(event) => setOpener(event.currentTarget)}
        onKeyDown={onKey}
      >
        <Box id={`${id}-value`} as="span" grows className={classes('cut', !chosen && field.empty)}>
          {chosen?.label ?? placeholder}
        </Box>
        <Icon name="chevronDown" size={14} />
      </button>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {opener && (
        <SelectPanel
          label={label}
          choices={choices}
          value={value}
          opener={opener}
          onChoose={choose}
          onClose={() => setOpener(undefined)}
        />
      )}
    </div>
  )
}

/** Letters typed within this time are one word. */
const wordMs = 1_000

/** Finds a choice by its first letters, typed one after the other. */
function useLetters<T extends string>(choices: readonly Choice<T>[]) {
  const typed = useRef({ text: '', at: 0 })
  return (letter: string) => {
    const { text, at } = typed.current
    const now = Date.now()
    const word = (now - at < wordMs ? text + letter : letter).toLowerCase()
    typed.current = { text: word, at: now }
    return choices.find(({ label, disabled }) => !disabled && label.toLowerCase().startsWith(word))
  }
}
