import { useId, useMemo } from 'react'
import {
  Button,
  Label,
  Select as LibrarySelect,
  ListBox,
  Popover,
  SelectValue,
} from 'react-aria-components/Select'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { type Choice, groupChoices } from '../kit/choice.ts'
import { ChoiceOption, ChoiceSections } from '../kit/choice-option.tsx'
import { useNoteChange } from '../kit/dialog-box.ts'
import field from '../kit/field.module.css'
import { FieldError } from '../kit/field-error.tsx'
import { KitScope } from '../kit/kit-scope.tsx'
import panel from '../kit/panel.module.css'
import css from './select.module.css'

interface SelectProps<T extends string> {
  label: string
  /** Only for screen readers, where what stands beside it says it. */
  isLabelHidden?: boolean
  choices: readonly Choice<T>[]
  value: T | undefined
  onChange: (value: T) => void
  /** Shown while none is chosen. */
  placeholder?: string
  size?: 'small' | 'medium' | 'large'
  disabled?: boolean
  error?: string | undefined
  className?: string | undefined
}

/** One of a few values; a combo box is for many. Letters jump to a choice, also while it is closed. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, isLabelHidden = false, choices, value, onChange, placeholder, size = 'medium' } = props
  const { disabled = false, error, className } = props
  const errorId = useId()
  const noteChange = useNoteChange()
  const groups = useMemo(() => groupChoices(choices), [choices])
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <KitScope>
      <LibrarySelect
        className={classes(field.field, error && field.wrong, className)}
        {...(isLabelHidden ? { 'aria-label': label } : {})}
        value={value ?? null}
        onChange={(key) => {
          if (key === null || key === value) return
          noteChange()
          onChange(key as T)
        }}
        isDisabled={disabled}
        isInvalid={Boolean(error)}
        {...(error ? { 'aria-describedby': errorId } : {})}
      >
        {!isLabelHidden && <Label className={field.label ?? ''}>{label}</Label>}
        <Button className={classes(field.box, size !== 'medium' && field[size])}>
          <SelectValue className={classes(field.value, 'cut', !chosen && field.empty)}>
            {chosen ? chosen.label : (placeholder ?? '')}
          </SelectValue>
          <Icon name="chevronDown" size={14} />
        </Button>
        {error && <FieldError id={errorId}>{error}</FieldError>}
        <Popover className={classes(panel.panel, css.panel)} offset={4}>
          <ListBox className={css.list ?? ''}>
            {groups.length === 1 && groups[0]?.name === undefined ? (
              choices.map((choice) => <ChoiceOption key={choice.value} choice={choice} />)
            ) : (
              <ChoiceSections groups={groups} />
            )}
          </ListBox>
        </Popover>
      </LibrarySelect>
    </KitScope>
  )
}
