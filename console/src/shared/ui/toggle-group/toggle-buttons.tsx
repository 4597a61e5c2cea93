import { type KeyboardEvent, useRef } from 'react'
import css from './toggle-group.module.css'
import { nextPlace, ToggleContent, type ToggleRowProps, toggleRowClass } from './toggle-group.tsx'

interface ToggleButtonsProps<T extends string> extends ToggleRowProps<T> {
  values: readonly T[]
  onChange: (values: readonly T[]) => void
}

/** Any values of a few, as a row of buttons that stay pressed. Arrow keys move the focus. */
export function ToggleButtons<T extends string>(props: ToggleButtonsProps<T>) {
  const { label, options, values, onChange, size, className } = props
  const group = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent) {
    const buttons = [...(group.current?.querySelectorAll('button:not(:disabled)') ?? [])] as HTMLElement[]
    const next = nextPlace(event.key, buttons.indexOf(document.activeElement as HTMLElement), buttons.length)
    if (next === undefined) return
    event.preventDefault()
    buttons[next]?.focus()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a border and cannot be a flex row everywhere
    <div
      ref={group}
      role="group"
      aria-label={label}
      className={toggleRowClass(size, className)}
      onKeyDown={move}
    >
      {options.map((option) => {
        const isOn = values.includes(option.value)
        return (
          <button
            key={option.value}
            type="button"
            aria-pressed={isOn}
            className={css.option}
            disabled={option.disabled}
            onClick={() =>
              onChange(isOn ? values.filter((value) => value !== option.value) : [...values, option.value])
            }
          >
            <ToggleContent option={option} />
          </button>
        )
      })}
    </div>
  )
}
