import { limits } from '@busbar/contract'
import type { ReactNode } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { type CodePurpose, MachineCheck, type useMachineCheck } from './machine-check.tsx'
import { parseCodeInput } from './machine-code.ts'
import css from './machine-code-field.module.css'
import { ScanCode } from './scan-code.tsx'

interface MachineCodeFieldProps {
  label: string
  value: string
  purpose: CodePurpose
  error: string | undefined
  /** From `useMachineCheck` of the same value. */
  check: ReturnType<typeof useMachineCheck>
  onChange: (code: string) => void
  /** Runs after a label was read, so that the next field gets the focus. */
  onScan?: (() => void) | undefined
  /** Opens the machine, if it is in the list already. */
  onOpen?: (() => void) | undefined
  /** Shown below the field. */
  hint?: ReactNode
}

/** A machine code, typed, pasted or read from a label: it shows the number of digits and the machine it names. */
export function MachineCodeField(props: MachineCodeFieldProps) {
  const { label, value, purpose, error, check, onChange, onScan, onOpen, hint } = props
  const { machines, machineEdit } = useText()
  const { digits, problem } = parseCodeInput(value)
  return (
    <div>
      <TextField
        label={label}
        name="code"
        autoFocus
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        placeholder="0000 0000 0000 0000 000"
        className={css.code}
        value={value}
        onChange={onChange}
        error={error}
        after={
          <span className={css.counter} data-complete={problem === null}>
            {problem === null && <Icon name="check" size={12} />}
            {machines.addDialog.digits(digits, limits.machineCodeDigits)}
          </span>
        }
      />
      {hint}
      <ScanCode
        onCode={(scanned) => {
          onChange(scanned)
          showToast(machineEdit.scan.found)
          onScan?.()
        }}
      />
      <MachineCheck code={value} purpose={purpose} onOpen={onOpen} {...check} />
    </div>
  )
}
