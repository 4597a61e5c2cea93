import type { telemetry } from '@busbar/contract'
import { useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import field from '../../shared/ui/kit/field.module.css'
import { FieldError } from '../../shared/ui/kit/field-error.tsx'
import { Box } from '../../shared/ui/layout/layout.tsx'
import { VariablePicker } from './lazy-variable-picker.ts'

interface VariableFieldProps {
  label: string
  /** By which a form finds it. */
  name: string
  machineId: number
  /** The chosen one. */
  tag: telemetry.Tag | undefined
  isOffered: (tag: telemetry.Tag) => boolean
  error: string | undefined
  onChoose: (tagId: number) => void
}

const noTags: readonly never[] = []

/** One variable of a machine in a form, and the picker that changes it. */
export function VariableField(props: VariableFieldProps) {
  const { label, name, machineId, tag, isOffered, error, onChoose } = props
  const t = useText().history.picker
  const id = useId()
  const [isPicking, setPicking] = useState(false)
  return (
    <div data-field={name} className={classes(field.field, error && field.wrong)}>
      <span id={`${id}-label`} className={field.label}>
        {label}
      </span>
      <button
        type="button"
        className={classes(field.box, field.large)}
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}-value`}
        aria-describedby={error ? `${id}-error` : undefined}
        onClick={() => setPicking(true)}
      >
        <Box id={`${id}-value`} as="span" grows className={classes('cut', !tag && field.empty)}>
          {tag ? tag.name || tag.tag : t.one}
        </Box>
        <Icon name="chevronDown" size={14} />
      </button>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {isPicking &&
        // Outside of the form, which Enter in the picker would send.
        createPortal(
          <VariablePicker
            machines={[{ id: machineId, name: '', code: '' }]}
            chosen={tag ? [tag.tagId] : noTags}
            known={noTags}
            max={1}
            min={1}
            isOffered={isOffered}
            onChoose={([chosen]) => {
              setPicking(false)
              if (chosen !== undefined) onChoose(chosen)
            }}
            onClose={() => setPicking(false)}
          />,
          document.body,
        )}
    </div>
  )
}
