import type { telemetry } from '@busbar/contract'
import { useState } from 'react'
import { matchesTag } from '../../../entities/machine/tag-list.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Popover } from '../../../shared/ui/popover.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import css from './live-trend.module.css'
import { trendTagsMax } from './use-trend.ts'

/** Choices drawn at most; a search finds the rest. */
const choicesMax = 60

interface TrendTagPickerProps {
  /** Tags a curve can show. */
  tags: readonly telemetry.Tag[]
  chosen: readonly number[]
  onChoose: (tagIds: readonly number[]) => void
}

/** Adds tags to the trend. */
export function TrendTagPicker({ tags, chosen, onChoose }: TrendTagPickerProps) {
  const t = useText().machines
  const [query, setQuery] = useState('')
  const found = tags.filter((tag) => matchesTag(tag, query)).slice(0, choicesMax)
  const isFull = chosen.length >= trendTagsMax

  function toggle(tagId: number) {
    onChoose(chosen.includes(tagId) ? chosen.filter((other) => other !== tagId) : [...chosen, tagId])
  }

  return (
    <Popover
      role="dialog"
      align="end"
      block
      label={t.trend.choose}
      className={css.picker}
      trigger={(props) => (
        <button
          type="button"
          className={css.addButton}
          aria-label={t.trend.add}
          data-tip={t.trend.add}
          {...props}
        >
          <Icon name="plus" size={14} />
          <span className="cut">{t.trend.add}</span>
        </button>
      )}
    >
      {() => (
        <>
          <SearchField label={t.trend.searchTags} value={query} onChange={setQuery} />
          <ul className={css.list}>
            {found.map((tag) => {
              const isChosen = chosen.includes(tag.tagId)
              return (
                <li key={tag.tagId}>
                  <button
                    type="button"
                    className={css.option}
                    aria-pressed={isChosen}
                    disabled={(isFull && !isChosen) || (isChosen && chosen.length === 1)}
                    onClick={() => toggle(tag.tagId)}
                  >
                    <span className="cut" title={tag.name}>
                      {tag.name}
                    </span>
                    <small>{tag.unit}</small>
                    {isChosen && <Icon name="check" size={14} className={css.tick} />}
                  </button>
                </li>
              )
            })}
          </ul>
          <p className={css.hint}>{found.length ? t.trend.addHint(trendTagsMax) : t.variables.noMatch}</p>
        </>
      )}
    </Popover>
  )
}
