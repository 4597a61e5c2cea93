import type { MachineGroup } from '../../../entities/machine/machine-order.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Select } from '../../../shared/ui/select/select.tsx'

/** Stands for no group among the groups, whose ids are numbers. */
const noGroup = 'none'

interface GroupFieldProps {
  groups: readonly MachineGroup[]
  value: number | undefined
  onChange: (groupId: number | undefined) => void
  error: string | undefined
}

/** Which of one's groups a machine comes into. */
export function GroupField({ groups, value, onChange, error }: GroupFieldProps) {
  const t = useText().machines.addDialog
  return (
    <Select
      label={t.group}
      size="large"
      choices={[
        { value: noGroup, label: t.noGroup },
        ...groups.map((group) => ({ value: String(group.id), label: group.name })),
      ]}
      value={String(value ?? noGroup)}
      error={error}
      onChange={(id) => onChange(id === noGroup ? undefined : Number(id))}
    />
  )
}
