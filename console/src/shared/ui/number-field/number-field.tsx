import {
  type KeyboardEvent,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useText } from '../../i18n/language.ts'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { isComposing } from '../keys.ts'
import field from '../kit/field.module.css'
import { FieldError } from '../kit/field-error.tsx'
import { Stack, Text } from '../layout/layout.tsx'
import css from './number-field.module.css'
import { type NumberRules, parseNumber, plainNumber, refusal, stepNumber } from './number-text.ts'
import { useRepeat } from './use-repeat.ts'

interface NumberFieldProps extends NumberRules {
  label: string
  isLabelHidden?: boolean
  /** The typed text, which may be part of a number. */
  value: string
  onChange: (value: string) => void
  /** One press of ↑; with Shift or Page up ten of them. By default the last decimal. */
  step?: number
  unit?: string | undefined
  size?: 'small' | 'medium' | 'large'
  disabled?: boolean
  error?: string | undefined
  describedBy?: string | undefined
  className?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/**
 * A number with as many decimals as it may have: further ones are refused as they are typed, and said to be. After a step
 * all of it is selected, so that what is typed next replaces it.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, isLabelHidden = false, value, onChange, decimals, min, max, unit, size = 'medium' } = props
  const { step = 10 ** -decimals, disabled = false, error, describedBy, className, ref } = props
  const t = useText().kit.number
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => input.current as HTMLInputElement)
  const [refused, setRefused] = useState<'letters' | 'decimals'>()
  const [selections, countSelection] = useState(0)
  const rules = { decimals, min, max }

  useLayoutEffect(() => {
    if (selections > 0) input.current?.select()
  }, [selections])

  function type(typed: string) {
    const text = plainNumber(typed)
    const reason = refusal(text, rules)
    setRefused(reason)
    if (!reason) onChange(text)
  }

  function stepBy(count: number) {
    setRefused(undefined)
    onChange(stepNumber(value, count * step, rules))
    countSelection((n) => n + 1)
  }

  function onKey(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    const size = event.shiftKey ? 10 : 1
    const steps = { ArrowUp: size, ArrowDown: -size, PageUp: 10, PageDown: -10 }[event.key]
    if (!steps) return
    event.preventDefault()
    stepBy(steps)
  }

  const hint = refused && (refused === 'decimals' ? t.decimals(decimals) : t.onlyNumbers)
  const up = useRepeat(() => stepBy(1))
  const down = useRepeat(() => stepBy(-1))
  const at = parseNumber(value)
  return (
    <div className={classes(field.field, error && field.wrong, className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : field.label}>
        {label}
      </label>
      <div className={classes(field.box, css.box, size !== 'medium' && field[size])}>
        <input
          ref={input}
          id={id}
          className={css.input}
          role="spinbutton"
          type="text"
          inputMode={decimals > 0 || (min ?? -1) < 0 ? 'decimal' : 'numeric'}
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          value={value}
          aria-valuenow={at}
          aria-valuetext={unit && at !== undefined ? `${value} ${unit}` : undefined}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-invalid={error ? true : undefined}
          aria-describedby={classes(describedBy, (error || hint) && `${id}-hint`) || undefined}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKey}
          onBlur={() => setRefused(undefined)}
        />
        {unit && (
          <Text fixed tone="quiet">
            {unit}
          </Text>
        )}
        <Stack as="span" justify="center" fixed className={css.steps}>
          <button type="button" tabIndex={-1} disabled={disabled} aria-label={t.more(label)} {...up}>
            <Icon name="chevronUp" size={12} />
          </button>
          <button type="button" tabIndex={-1} disabled={disabled} aria-label={t.less(label)} {...down}>
            <Icon name="chevronDown" size={12} />
          </button>
        </Stack>
      </div>
      {error ? (
        <FieldError id={`${id}-hint`}>{error}</FieldError>
      ) : (
        <p id={`${id}-hint`} role="status" className={hint ? field.hint : 'sr-only'}>
          {hint}
        </p>
      )}
    </div>
  )
}
