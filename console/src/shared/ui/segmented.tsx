import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { formatNumber } from '../i18n/format.ts'
import { classes } from './classes.ts'
import css from './segmented.module.css'

export interface SegmentedOption<T extends string> {
  readonly value: T
  readonly label: ReactNode
  readonly icon?: ReactNode
  /** Every filter shows how many it would leave. */
  readonly count?: number
  /** Shown, but disabled. */
  readonly disabled?: boolean
}

interface SegmentedProps<T extends string> {
  label: string
  options: readonly SegmentedOption<T>[]
  value: T
  onChange: (value: T) => void
  size?: 'small' | 'medium'
  className?: string | undefined
}

/** One choice of a few, as a row. Arrow keys move the choice, as in any radio group. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const { label, options, value, onChange, size = 'medium', className } = props
  const group = useRef<HTMLDivElement>(null)
  // Where none is chosen the first one is the way in.
  const focusable = options.some((option) => option.value === value) ? value : options[0]?.value

  function move(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const enabled = options.filter((option) => !option.disabled || option.value === value)
    const place = enabled.findIndex((option) => option.value === value)
    const option = enabled[(place + step + enabled.length) % enabled.length]
    if (!option) return
    onChange(option.value)
    group.current?.querySelectorAll('button')[options.indexOf(option)]?.focus()
  }

  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      className={classes(css.group, size === 'small' && css.small, className)}
      onKeyDown={move}
    >
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: native radios cannot hold the icon, word and count in one hit area
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === focusable ? 0 : -1}
          className={css.option}
          disabled={option.disabled && option.value !== value}
          onClick={() => onChange(option.value)}
        >
          {option.icon}
          {option.label}
          {option.count !== undefined && <span className={css.count}>{formatNumber(option.count)}</span>}
        </button>
      ))}
    </div>
  )
}
