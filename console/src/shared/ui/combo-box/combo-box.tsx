import { type ReactNode, useId } from 'react'
import { useText } from '../../i18n/language.ts'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import type { Choice } from '../kit/choice.ts'
import { useNoteChange } from '../kit/dialog-box.ts'
import field from '../kit/field.module.css'
import { FieldError } from '../kit/field-error.tsx'
import type { Placement } from '../kit/place-beside.ts'
import { Box } from '../layout/layout.tsx'
import { lazyPart } from '../lazy-part.tsx'
import type { TriggerElement } from '../menu/menu.tsx'
import { Popover } from '../popover/popover.tsx'
import type { ChoiceListProps } from './choice-list.tsx'
import css from './combo-box.module.css'

/** With the library, and loaded with it. */
const ChoiceList = lazyPart<ChoiceListProps<string>>(() =>
  import('./choice-list.tsx').then((module) => module.ChoiceList),
)

interface ComboBoxProps<T extends string> {
  label: string
  /** Only for screen readers, if a visible text beside it says the same. */
  isLabelHidden?: boolean
  choices: readonly Choice<T>[]
  chosen: readonly T[]
  onChoose: (chosen: readonly T[]) => void
  /** Several can be chosen, up to this number; otherwise one, and the first choice closes the list. */
  max?: number
  min?: number
  /** Shown while none is chosen. */
  placeholder?: string
  searchLabel?: string
  noneText?: string
  hint?: ReactNode
  size?: 'small' | 'medium' | 'large'
  disabled?: boolean
  error?: string | undefined
  placement?: Placement
  className?: string | undefined
  /** Replaces the button that shows the chosen value. */
  trigger?: TriggerElement
}

/** One or several of many values, found by a search. */
export function ComboBox<T extends string>(props: ComboBoxProps<T>) {
  const { label, isLabelHidden = false, choices, chosen, onChoose, max = 1, min, placeholder } = props
  const { searchLabel, noneText, hint, size = 'medium', disabled = false, error, trigger } = props
  const { placement = 'bottom start', className } = props
  const t = useText().kit
  const noteChange = useNoteChange()
  const labelId = useId()
  const valueId = useId()
  const errorId = useId()
  const names = choices.filter(({ value }) => chosen.includes(value)).map((choice) => choice.label)
  const [first = ''] = names
  const value = names.length > 1 ? t.chosen(first, names.length - 1) : first
  const list = (close: () => void) => (
    <ChoiceList
      autoFocus
      label={label}
      choices={choices}
      chosen={chosen}
      max={max}
      {...(min === undefined ? {} : { min })}
      {...(searchLabel === undefined ? {} : { searchLabel })}
      {...(noneText === undefined ? {} : { noneText })}
      hint={hint}
      onChoose={(next) => {
        if (max === 1) close()
        if (max === 1 && next[0] === chosen[0]) return
        noteChange()
        onChoose(next as readonly T[])
      }}
    />
  )
  if (trigger)
    return (
      <Popover label={label} placement={placement} className={css.panel} trigger={trigger}>
        {list}
      </Popover>
    )
  return (
    <div className={classes(field.field, error && field.wrong, className)}>
      <span id={labelId} className={isLabelHidden ? 'sr-only' : field.label}>
        {label}
      </span>
      <Popover
        label={label}
        placement={placement}
        className={css.panel}
        trigger={
          <button
            type="button"
            className={classes(field.box, size !== 'medium' && field[size])}
            aria-labelledby={`${labelId} ${valueId}`}
            aria-describedby={error ? errorId : undefined}
            disabled={disabled}
          >
            <Box id={valueId} as="span" grows className={classes('cut', !value && field.empty)}>
              {value || placeholder || t.choose}
            </Box>
            <Icon name="chevronDown" size={14} />
          </button>
        }
      >
        {list}
      </Popover>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}
