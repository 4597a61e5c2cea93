import { useText } from '../../i18n/index.ts'
import { ChoiceList } from '../combo-box/lazy-choice-list.ts'
import kit from '../kit/field.module.css'
import { Text } from '../layout/layout.tsx'
import { type Chip, Chips } from './chips.tsx'
import css from './choice-fields.module.css'

export interface Pick extends Chip {
  readonly hint: string
}

interface PickFieldProps {
  label: string
  search: string
  onQuery: (query: string) => void
  value: readonly Pick[]
  onChange: (value: readonly Pick[]) => void
  /** The results of the search; undefined while it runs. */
  found: readonly Pick[] | undefined
  /** There are more results than shown. */
  hasMore: boolean
  /** Shown without results. */
  none: string
}

/** Picks several items out of thousands: the chosen ones stand above, the results of a search are ticked below. */
export function PickField(props: PickFieldProps) {
  const { label, search, onQuery, value, onChange, found, hasMore, none } = props
  const t = useText().enterprises.manage.teams

  function choose(ids: readonly string[]) {
    const known = new Map([...(found ?? []), ...value].map((pick) => [String(pick.value), pick]))
    onChange(ids.flatMap((id) => known.get(id) ?? []))
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be as narrow as its dialog
    <div role="group" aria-label={label} className={kit.field}>
      <span className={kit.label}>
        {label}
        <Text tone="quiet" weight={400} numbers className={css.count}>
          {t.chosen(value.length)}
        </Text>
      </span>
      <Chips
        chips={value}
        removeLabel={t.take}
        onRemove={(id) => onChange(value.filter((pick) => pick.value !== id))}
      />
      <ChoiceList
        label={label}
        className={css.picker}
        searchLabel={search}
        onSearch={onQuery}
        choices={(found ?? []).map((pick) => ({ ...pick, value: String(pick.value) }))}
        chosen={value.map((pick) => String(pick.value))}
        onChoose={choose}
        max={Number.POSITIVE_INFINITY}
        noneText={found ? none : ''}
        hint={hasMore && t.more}
      />
    </div>
  )
}
