import { useState } from 'react'
import form from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { NumberField } from '../../shared/ui/number-field/number-field.tsx'
import { parseNumber } from '../../shared/ui/number-field/number-text.ts'
import { Popover } from '../../shared/ui/popover/popover.tsx'
import { Select } from '../../shared/ui/select/select.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import { type Tag, textOf } from './draft.ts'
import css from './drivers.module.css'

/** The contents of a register of a factor, as the agent's file names them. */
const factorForms = ['exponent', 'decimals', 'multiplier'] as const
const decimals = 9

interface TagFactorProps {
  tag: Tag
  hasRegister: boolean
  isLocked: boolean
  onChange: (fields: Tag) => void
}

/** The factor of a variable: a number, a register in which the device tells it, or both. */
export function TagFactor({ tag, hasRegister, isLocked, onChange }: TagFactorProps) {
  const t = useAgentConfigText().tags
  const name = textOf(tag, 'name')
  const address = textOf(tag, 'factorAddress')
  const factor = textOf(tag, 'factor')
  const label = t.factorOf(name)
  const shown = [factor || (address ? '' : '1'), address].filter(Boolean).join(' × ')
  return (
    <Popover
      label={label}
      placement="bottom end"
      className={css.factor}
      trigger={
        <button type="button" className={css.pick} aria-label={`${label}: ${shown}`} disabled={isLocked}>
          {shown}
        </button>
      }
    >
      <FactorNumber factor={factor} onChange={onChange} />
      {hasRegister && (
        <div>
          <TextField
            label={t.factorAddress}
            value={address}
            maxLength={64}
            onChange={(next) => onChange({ factorAddress: next.trim() })}
          />
          <p className={form.hint}>{t.factorAddressHint}</p>
        </div>
      )}
      {hasRegister && address !== '' && (
        <Select
          label={t.factorForm}
          choices={factorForms.map((value) => ({ value, label: t.factorForms[value] }))}
          value={factorForms.find((one) => one === textOf(tag, 'factorForm')) ?? 'exponent'}
          onChange={(factorForm) => onChange({ factorForm })}
        />
      )}
    </Popover>
  )
}

/** The number while it is typed; a part of one is not sent on. */
function FactorNumber({ factor, onChange }: Pick<TagFactorProps, 'onChange'> & { factor: string }) {
  const t = useAgentConfigText().tags
  const [typed, setTyped] = useState(factor || '1')
  const isNone = parseNumber(typed) === 0
  return (
    <NumberField
      label={t.factor}
      decimals={decimals}
      step={1}
      value={typed}
      error={isNone ? t.factorNone : undefined}
      onChange={(next) => {
        setTyped(next)
        const number = parseNumber(next)
        if (number !== 0) onChange({ factor: number ?? 1 })
      }}
    />
  )
}
