import { useId } from 'react'
import type { MachineGroup } from '../../../entities/machine/machine-order.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import css from './add-machine-dialog.module.css'

interface GroupFieldProps {
  groups: readonly MachineGroup[]
  value: number | undefined
  onChange: (groupId: number | undefined) => void
  error: string | undefined
}

/** Which of one's groups a machine comes into. */
export function GroupField({ groups, value, onChange, error }: GroupFieldProps) {
  const t = useText().machines.addDialog
  const id = useId()
  return (
    <div className={css.group}>
      <label htmlFor={id}>{t.group}</label>
      <select
        id={id}
        name="group"
        value={value ?? ''}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value ? Number(event.target.value) : undefined)}
      >
        <option value="">{t.noGroup}</option>
        {groups.map((group) => (
          <option key={group.id} value={group.id}>
            {group.name}
          </option>
        ))}
      </select>
      {error && (
        <p id={`${id}-error`} className={css.general}>
          <Icon name="warning" size={14} />
          {error}
        </p>
      )}
    </div>
  )
}
