import { reportLimits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { machineTagsQuery } from '../../../entities/machine/machine-queries.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import { ChoicesField } from '../../../shared/ui/fields/choices-field.tsx'
import { Select } from '../../../shared/ui/select/select.tsx'
import css from '../reports.module.css'
import { useReportsText } from '../reports-text.ts'

interface TagFieldProps {
  machines: readonly Machine[]
  name: string
  value: readonly number[]
  error: string | undefined
  onChange: (value: readonly number[]) => void
}

/** The variables of a report, chosen one device after the other. */
export function TagField({ machines, name, value, error, onChange }: TagFieldProps) {
  const t = useReportsText().edit
  const lang = useLang()
  const [wished, wish] = useState<number>()
  const machine = machines.find(({ id }) => id === wished) ?? machines[0]
  const tags = useQuery({ ...machineTagsQuery(machine?.id ?? 0, lang), enabled: machine !== undefined })
  if (!machine) return null
  const options = (tags.data ?? []).map(({ tagId, name: label, group, unit }) => ({
    value: tagId,
    label,
    hint: [group, unit].filter(Boolean).join(' · '),
  }))
  const own = new Set(options.map((option) => option.value))
  const others = value.filter((id) => !own.has(id))
  return (
    <div className={css.tags}>
      {machines.length > 1 && (
        <Select
          label={t.tagsOf}
          choices={machines.map(({ id, name: label }) => ({ value: String(id), label }))}
          value={String(machine.id)}
          onChange={(id) => wish(Number(id))}
        />
      )}
      <ChoicesField
        label={t.tags}
        name={name}
        options={options}
        searchLabel={t.tagsSearch}
        noneText={t.tagsNone}
        hint={t.tagsCount(value.length, reportLimits.tagsPerReport)}
        value={value.filter((id) => own.has(id))}
        error={error}
        onChange={(chosen) => onChange([...others, ...chosen].slice(0, reportLimits.tagsPerReport))}
      />
    </div>
  )
}
