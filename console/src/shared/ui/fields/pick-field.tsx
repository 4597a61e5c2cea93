import type { ReactNode } from 'react'
import { useText } from '../../i18n/index.ts'
import form from '../dialogs/form.module.css'
import { Icon } from '../icon.tsx'
import { SearchField } from '../search-field.tsx'
import css from './choice-fields.module.css'

export interface Pick {
  readonly value: number
  readonly label: string
  readonly hint: string
}

interface PickFieldProps {
  label: string
  search: string
  query: string
  onQuery: (query: string) => void
  chosen: readonly Pick[]
  onChange: (chosen: readonly Pick[]) => void
  /** What the search found; undefined while it looks. */
  found: readonly Pick[] | undefined
  /** More was found than is shown. */
  hasMore: boolean
  /** Stands where nothing was found. */
  none: ReactNode
}

/** Some of thousands: what is chosen stands above, what a search finds is ticked below. */
export function PickField(props: PickFieldProps) {
  const { label, search, query, onQuery, chosen, onChange, found, hasMore, none } = props
  const t = useText().enterprises.manage.teams
  const ids = new Set(chosen.map(({ value }) => value))
  const without = (value: number) => onChange(chosen.filter((pick) => pick.value !== value))
  return (
    <fieldset className={css.checks}>
      <legend className={form.label}>
        {label}
        <span className={css.count}>{t.chosen(chosen.length)}</span>
      </legend>
      {chosen.length > 0 && (
        <ul className={css.chosen}>
          {chosen.map((pick) => (
            <li key={pick.value}>
              <button
                type="button"
                className={css.chip}
                aria-label={t.take(pick.label)}
                onClick={() => without(pick.value)}
              >
                <span className="cut" title={pick.label}>
                  {pick.label}
                </span>
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={css.picker}>
        <SearchField label={search} value={query} onChange={onQuery} />
        <div className={css.options} aria-busy={found === undefined}>
          {found?.map((pick) => (
            <label key={pick.value} className={css.option}>
              <input
                type="checkbox"
                checked={ids.has(pick.value)}
                onChange={({ target }) =>
                  target.checked ? onChange([...chosen, pick]) : without(pick.value)
                }
              />
              <span className={css.words}>
                <span className="cut" title={pick.label}>
                  {pick.label}
                </span>
                <small className={css.hint}>{pick.hint}</small>
              </span>
            </label>
          ))}
          {found?.length === 0 && <p className={css.none}>{none}</p>}
          {hasMore && <p className={css.none}>{t.more}</p>}
        </div>
      </div>
    </fieldset>
  )
}
