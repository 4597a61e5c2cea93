import type { telemetry } from '@busbar/contract'
import { useMemo, useState } from 'react'
import { listVariables } from '../../../entities/machine/tag-list.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Popover } from '../../../shared/ui/popover.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import css from './history-tag-picker.module.css'

/** Lines drawn at most; a search finds the rest. */
const choicesMax = 250

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
  return (
    <Popover
      role="dialog"
      align="end"
      label={t.choose}
      className={css.picker}
      trigger={(props) => (
        <button type="button" className={css.open} {...props}>
          <Icon name="plus" size={14} />
          {t.add}
        </button>
      )}
    >
      {() => <Choices tags={tags} chosen={chosen} max={max} onChoose={onChoose} />}
    </Popover>
  )
}

function Choices({ tags, chosen, max, onChoose }: HistoryTagPickerProps) {
  const text = useText()
  const t = text.history
  const [query, setQuery] = useState('')
  const items = useMemo(() => listVariables(tags, query), [tags, query])
  const isFull = chosen.length >= max
  const total = items.filter(({ kind }) => kind === 'tag').length

  function toggle(tagId: number) {
    onChoose(chosen.includes(tagId) ? chosen.filter((other) => other !== tagId) : [...chosen, tagId])
  }

  return (
    <>
      <SearchField label={text.machines.variables.search} value={query} onChange={setQuery} />
      <ul className={css.list}>
        {items.slice(0, choicesMax).map((item) =>
          item.kind === 'group' ? (
            <li key={`group ${item.name}`} className={css.group}>
              {item.name || text.machines.variables.ungrouped}
            </li>
          ) : (
            <li key={item.tag.tagId}>
              <button
                type="button"
                className={css.option}
                aria-pressed={chosen.includes(item.tag.tagId)}
                disabled={isFull && !chosen.includes(item.tag.tagId)}
                onClick={() => toggle(item.tag.tagId)}
              >
                <span className="cut" title={item.tag.name}>
                  {item.tag.name}
                </span>
                <small>{item.tag.unit || t.types[item.tag.type]}</small>
                {chosen.includes(item.tag.tagId) && <Icon name="check" size={14} className={css.tick} />}
              </button>
            </li>
          ),
        )}
      </ul>
      <p className={css.hint} role="status">
        {total === 0
          ? text.machines.variables.noMatch
          : items.length > choicesMax
            ? t.shownOf(choicesMax, String(total))
            : t.limit(chosen.length, max)}
      </p>
    </>
  )
}
