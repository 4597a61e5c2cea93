import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { formatNumber } from '../../i18n/format-number.ts'
import { classes } from '../classes.ts'
import css from './toggle-group.module.css'

export interface Toggle<T extends string> {
  readonly value: T
  readonly label: ReactNode
  readonly icon?: ReactNode
  /** Every filter shows how many it would leave. */
  readonly count?: number
  /** There are more than were counted. */
  readonly isCut?: boolean
  /** Shown, but disabled. */
  readonly disabled?: boolean
}

export interface ToggleRowProps<T extends string> {
  label: string
  options: readonly Toggle<T>[]
  size?: 'small' | 'medium'
  className?: string | undefined
}

interface ToggleGroupProps<T extends string> extends ToggleRowProps<T> {
  value: T
  onChange: (value: T) => void
}

/** One value of a few, as a row. Arrow keys move the choice, as in any radio group. */
export function ToggleGroup<T extends string>(props: ToggleGroupProps<T>) {
  const { label, options, value, onChange, size, className } = props
  const group = useRef<HTMLDivElement>(null)
  // If none is chosen, the first one takes the focus.
  const focusable = options.some((option) => option.value === value) ? value : options[0]?.value
  const enabled = options.filter((option) => !option.disabled || option.value === value)

  function move(event: KeyboardEvent) {
    const next = nextPlace(
      event.key,
      enabled.findIndex((option) => option.value === value),
      enabled.length,
    )
    const option = next === undefined ? undefined : enabled[next]
    if (!option) return
    event.preventDefault()
    onChange(option.value)
    focusOption(group.current, options.indexOf(option))
  }

  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      className={toggleRowClass(size, className)}
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
          <ToggleContent option={option} />
        </button>
      ))}
    </div>
  )
}

/** The content of a segment. */
export function ToggleContent<T extends string>({ option }: { option: Toggle<T> }) {
  return (
    <>
      {option.icon}
      {option.label}
      {option.count !== undefined && (
        <span className={css.count}>{`${formatNumber(option.count)}${option.isCut ? '+' : ''}`}</span>
      )}
    </>
  )
}

/** The look of a row of segments. */
export const toggleRowClass = (size: 'small' | 'medium' | undefined, className: string | undefined) =>
  classes(css.group, size === 'small' && css.small, className)

/** The index to which a key moves in a row of `count`; undefined for any other key. */
export function nextPlace(key: string, place: number, count: number): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowRight: (place + 1) % count,
    ArrowDown: (place + 1) % count,
    ArrowLeft: (place - 1 + count) % count,
    ArrowUp: (place - 1 + count) % count,
    Home: 0,
    End: count - 1,
  }
  return places[key]
}

function focusOption(group: HTMLElement | null, place: number): void {
  group?.querySelectorAll('button')[place]?.focus()
}
