import type { telemetry } from '@busbar/contract'
import { useMemo } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { ComboBox } from '../../../shared/ui/combo-box/combo-box.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import css from './live-trend.module.css'
import { trendTagsMax } from './use-trend.ts'

interface TrendTagPickerProps {
  /** Tags a curve can show. */
  tags: readonly telemetry.Tag[]
  chosen: readonly number[]
  onChoose: (tagIds: readonly number[]) => void
}

/** Adds tags to the trend. */
export function TrendTagPicker({ tags, chosen, onChoose }: TrendTagPickerProps) {
  const t = useText().machines
  const choices = useMemo(
    () =>
      tags.map((tag) => ({
        value: String(tag.tagId),
        label: tag.name,
        hint: tag.unit,
        words: `${tag.group}/${tag.tag}`,
      })),
    [tags],
  )
  return (
    <ComboBox
      label={t.trend.choose}
      placement="bottom end"
      searchLabel={t.trend.searchTags}
      noneText={t.variables.noMatch}
      hint={t.trend.addHint(trendTagsMax)}
      choices={choices}
      chosen={chosen.map(String)}
      max={trendTagsMax}
      min={1}
      onChoose={(next) => onChoose(next.map(Number))}
      trigger={
        <button type="button" className={css.addButton} aria-label={t.trend.add} data-tip={t.trend.add}>
          <Icon name="plus" size={14} />
          <span className="cut">{t.trend.add}</span>
        </button>
      }
    />
  )
}
