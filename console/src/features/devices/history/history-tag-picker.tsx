import type { telemetry } from '@busbar/contract'
import { useMemo } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { ComboBox } from '../../../shared/ui/combo-box/combo-box.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import css from './history-tag-picker.module.css'

interface HistoryTagPickerProps {
  tags: readonly telemetry.Tag[]
  chosen: readonly number[]
  max: number
  onChoose: (tagIds: readonly number[]) => void
}

/** Chooses among hundreds of tags by their names and groups. */
export function HistoryTagPicker({ tags, chosen, max, onChoose }: HistoryTagPickerProps) {
  const text = useText()
  const t = text.history
  const choices = useMemo(() => {
    const isGrouped = tags.some(({ group }) => group !== '')
    return tags.map((tag) => ({
      value: String(tag.tagId),
      label: tag.name,
      hint: tag.unit || t.types[tag.type],
      words: tag.tag,
      group: isGrouped ? tag.group || text.machines.variables.ungrouped : undefined,
    }))
  }, [tags, t, text])
  return (
    <ComboBox
      label={t.choose}
      placement="bottom end"
      searchLabel={text.machines.variables.search}
      noneText={text.machines.variables.noMatch}
      hint={t.limit(chosen.length, max)}
      choices={choices}
      chosen={chosen.map(String)}
      max={max}
      onChoose={(next) => onChoose(next.map(Number))}
      trigger={
        <button type="button" className={css.open}>
          <Icon name="plus" size={14} />
          {t.add}
        </button>
      }
    />
  )
}
