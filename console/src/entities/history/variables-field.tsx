import { useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Chips } from '../../shared/ui/fields/chips.tsx'
import kit from '../../shared/ui/kit/field.module.css'
import { FieldError } from '../../shared/ui/kit/field-error.tsx'
import { Row } from '../../shared/ui/layout/layout.tsx'
import { VariablePicker } from '../machine/lazy-variable-picker.ts'
import type { PickerMachine } from '../machine/variable-picker.tsx'
import { useVariables, type Variable } from './variables.ts'
import css from './variables-field.module.css'

interface VariablesFieldProps {
  label: string
  /** By which a form finds it. */
  name?: string
  machines: readonly PickerMachine[] | undefined
  value: readonly number[]
  max: number
  /** Which of the value count; all if left out. */
  counts?: (variable: Variable) => boolean
  error?: string | undefined
  onChange: (value: readonly number[]) => void
}

/** Variables in a form: the chosen ones, and the picker that changes them. */
export function VariablesField(props: VariablesFieldProps) {
  const { label, name, machines, value, max, counts, error, onChange } = props
  const t = useText().history.picker
  const errorId = useId()
  const [isPicking, setPicking] = useState(false)
  const variables = useVariables(value)
  const known = counts ? variables.tags.filter(counts) : variables.tags
  const chosen = counts ? known.map(({ tagId }) => tagId) : value
  const names = new Map(variables.machines.map((machine) => [machine.id, machine.name]))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be as narrow as its dialog
    <div
      role="group"
      data-field={name}
      aria-label={label}
      aria-describedby={error ? errorId : undefined}
      className={kit.field}
    >
      <span className={kit.label}>{label}</span>
      <Chips
        chips={known.map(({ tagId, name: tag, machineId }) => ({
          value: tagId,
          label: `${names.get(machineId) ?? ''} · ${tag}`,
        }))}
        removeLabel={t.remove}
        onRemove={(tagId) => onChange(value.filter((other) => other !== tagId))}
      />
      <Row gap={8} wraps>
        <Button type="button" size="small" icon="plus" onClick={() => setPicking(true)}>
          {t.title}
        </Button>
        {value.length > 0 && (
          <>
            <span className={css.count}>{t.chosen(chosen.length, max)}</span>
            <Button type="button" kind="ghost" size="small" onClick={() => onChange([])}>
              {t.clear}
            </Button>
          </>
        )}
      </Row>
      {error && <FieldError id={errorId}>{error}</FieldError>}
      {isPicking &&
        // Outside of the form, which Enter in the picker would send.
        createPortal(
          <VariablePicker
            machines={machines}
            first={known.at(-1)?.machineId}
            chosen={chosen}
            known={known}
            max={max}
            onChoose={(next) => {
              setPicking(false)
              onChange([...value.filter((tagId) => !chosen.includes(tagId)), ...next])
            }}
            onClose={() => setPicking(false)}
          />,
          document.body,
        )}
    </div>
  )
}
