import { type ReactNode, useId } from 'react'
import { formatNumber, useText } from '../../i18n/index.ts'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { Row } from '../layout/layout.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { Popover } from '../popover/popover.tsx'
import { ToggleGroup } from '../toggle-group/toggle-group.tsx'
import type { Filter, FilterValue } from './filter.ts'
import css from './filter-control.module.css'

interface FilterControlProps {
  title: string
  filter: Filter
  value: FilterValue | undefined
  onChange: (value: FilterValue | undefined) => void
}

/** Date pickers are heavy, and most lists do without them. */
const DateRangeFilter = lazyPart(
  () => import('./date-range-filter.tsx').then((module) => module.DateRangeFilter),
  'nowhere',
)

const everything = 'all'
/** A panel shows more choices than this, a row fewer. */
const choicesInRow = 4

/** Narrows a list by one column: a row for a few choices, a button with a panel for every other filter. */
export function FilterControl({ title, filter, value, onChange }: FilterControlProps) {
  const t = useText().table
  const isChoice = filter.kind === 'choice' && filter.isSingle
  if (isChoice && !filter.isInPanel && Object.keys(filter.choices).length <= choicesInRow) {
    const chosen = value?.kind === 'choice' ? value.chosen[0] : undefined
    return (
      <ToggleGroup
        label={title}
        size="small"
        options={[
          { value: everything, label: t.all },
          ...Object.entries(filter.choices).map(([choice, label]) => ({ value: choice, label })),
        ]}
        value={chosen ?? everything}
        onChange={(wished) =>
          onChange(wished === everything ? undefined : { kind: 'choice', chosen: [wished] })
        }
      />
    )
  }
  if (filter.kind === 'dateRange')
    return (
      <Row as="span" inline shrinks>
        <DateRangeFilter
          title={title}
          value={value?.kind === 'dateRange' ? value : undefined}
          onChange={onChange}
        />
        <RemoveFilter title={title} value={value} onChange={onChange} />
      </Row>
    )
  return (
    <Row as="span" inline shrinks>
      <Popover
        label={t.filterBy(title)}
        className={css.panel}
        trigger={
          <button type="button" className={classes(css.chip, value && css.set)}>
            {title}
            {value && <span className={css.value}>{describe(value, filter)}</span>}
            <Icon name="chevronDown" size={12} />
          </button>
        }
      >
        {(close) => (
          <FilterPanel title={title} filter={filter} value={value} onChange={onChange} onDone={close} />
        )}
      </Popover>
      <RemoveFilter title={title} value={value} onChange={onChange} />
    </Row>
  )
}

function RemoveFilter({ title, value, onChange }: Omit<FilterControlProps, 'filter'>) {
  const t = useText().table
  if (!value) return null
  return (
    <button
      type="button"
      className={css.remove}
      aria-label={t.remove(title)}
      data-tip={t.remove(title)}
      onClick={() => onChange(undefined)}
    >
      <Icon name="close" size={12} />
    </button>
  )
}

interface FilterPanelProps extends Omit<FilterControlProps, 'filter'> {
  filter: Exclude<Filter, { kind: 'dateRange' }>
  onDone: () => void
}

function FilterPanel({ title, filter, value, onChange, onDone }: FilterPanelProps): ReactNode {
  const t = useText().table
  const id = useId()
  switch (filter.kind) {
    case 'text':
      return (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault()
            onDone()
          }}
        >
          <label htmlFor={id}>{t.contains}</label>
          <input
            id={id}
            className={css.field}
            value={value?.kind === 'text' ? value.text : ''}
            onChange={(event) => onChange({ kind: 'text', text: event.target.value })}
          />
        </form>
      )
    case 'choice': {
      const chosen = value?.kind === 'choice' ? value.chosen : []
      return (
        <fieldset className={css.form}>
          <legend className="sr-only">{title}</legend>
          {Object.entries(filter.choices).map(([choice, label]) => (
            <label key={choice} className={css.choice}>
              <input
                type={filter.isSingle ? 'radio' : 'checkbox'}
                name={id}
                checked={chosen.includes(choice)}
                onChange={(event) =>
                  onChange({
                    kind: 'choice',
                    chosen: filter.isSingle
                      ? [choice]
                      : event.target.checked
                        ? [...chosen, choice]
                        : chosen.filter((other) => other !== choice),
                  })
                }
              />
              {label}
            </label>
          ))}
        </fieldset>
      )
    }
    case 'number': {
      const { min, max } = value?.kind === 'number' ? value : {}
      const read = (text: string) => (text.trim() === '' ? {} : { number: Number(text) })
      const unit = filter.unit ? ` (${filter.unit})` : ''
      return (
        <div className={css.form}>
          <label htmlFor={`${id}-min`}>{t.min + unit}</label>
          <input
            id={`${id}-min`}
            type="number"
            className={css.field}
            value={min ?? ''}
            onChange={(event) => {
              const { number } = read(event.target.value)
              onChange({
                kind: 'number',
                ...(number !== undefined && { min: number }),
                ...(max !== undefined && { max }),
              })
            }}
          />
          <label htmlFor={`${id}-max`}>{t.max + unit}</label>
          <input
            id={`${id}-max`}
            type="number"
            className={css.field}
            value={max ?? ''}
            onChange={(event) => {
              const { number } = read(event.target.value)
              onChange({
                kind: 'number',
                ...(min !== undefined && { min }),
                ...(number !== undefined && { max: number }),
              })
            }}
          />
        </div>
      )
    }
  }
}

/** Describes the rows that a filter lets through, in a few words. */
function describe(value: FilterValue, filter: Filter): string {
  switch (value.kind) {
    case 'text':
      return value.text
    case 'choice':
      return value.chosen
        .map((choice) => (filter.kind === 'choice' ? (filter.choices[choice] ?? choice) : choice))
        .join(', ')
    case 'dateRange':
      // Its picker says it.
      return ''
    case 'number':
      return span(value.min, value.max, formatNumber)
  }
}

function span(from: number | undefined, to: number | undefined, format: (value: number) => string): string {
  const [first, last] = [from, to].map((value) => (value === undefined ? '' : format(value)))
  return first === last ? String(first) : `${first} – ${last}`.trim()
}
