import { type ReactNode, useMemo, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { ListBox, ListBoxLoadMoreItem } from 'react-aria-components/ListBox'
import { Button, Input, SearchField } from 'react-aria-components/SearchField'
import { formatNumber } from '../../i18n/format-number.ts'
import { useText } from '../../i18n/language.ts'
import { Button as PlainButton } from '../button.tsx'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { type Choice, groupChoices } from '../kit/choice.ts'
import { ChoiceOption, ChoiceSections } from '../kit/choice-option.tsx'
import { findForgiving } from '../kit/forgiving-search.ts'
import { KitScope } from '../kit/kit-scope.tsx'
import { Text } from '../layout/layout.tsx'
import css from './choice-list.module.css'

/** Lines drawn at first, and added whenever the end of them comes into sight. */
const linesPerStep = 30

export interface ChoiceListProps<T extends string> {
  /** Its name for screen readers. */
  label: string
  choices: readonly Choice<T>[]
  /** The chosen ids; at most one if the list takes a single choice. */
  chosen: readonly T[]
  onChoose: (chosen: readonly T[]) => void
  /** Several can be chosen, up to this number. */
  max?: number
  /** This many choices must remain. */
  min?: number
  /** A short list has no search field and takes the focus itself. */
  isSearched?: boolean
  /** Searches elsewhere, as the platform does for thousands: the choices are then what was found. */
  onSearch?: (typed: string) => void
  /** The placeholder of the search field. */
  searchLabel?: string
  /** Said where nothing fits. */
  noneText?: string
  /** The label of the button that selects all found choices, or clears them; several can be chosen. */
  allLabel?: ((count: string) => string) | undefined
  /** Under the list. */
  hint?: ReactNode
  autoFocus?: boolean
  className?: string | undefined
}

const textOf = ({ label, hint, detail, words, group }: Choice) =>
  `${label} ${hint ?? ''} ${detail ?? ''} ${words ?? ''} ${group ?? ''}`

/**
 * A search over a list of choices. The focus stays in the field: ↑ ↓ mark a choice, Enter takes it. Long lists are drawn
 * as far as they are looked at.
 */
export function ChoiceList<T extends string>(props: ChoiceListProps<T>) {
  const { label, choices, chosen, onChoose, max = 1, min = 0, hint, autoFocus = false, className } = props
  const { isSearched = true, onSearch, allLabel } = props
  const t = useText().kit
  const { searchLabel = t.search, noneText = t.none } = props
  const [typed, setTyped] = useState('')
  // Letters that an input method is still composing do not count as a search.
  const [composedFrom, setComposedFrom] = useState<string>()
  const query = composedFrom ?? typed
  const [shown, setShown] = useState({ query, lines: linesPerStep })
  const lines = shown.query === query ? shown.lines : linesPerStep

  const searched = onSearch ? '' : query
  const found = useMemo(() => findForgiving(choices, searched, textOf), [choices, searched])
  const chosenIds = useMemo(() => new Set(chosen), [chosen])
  const isFull = max > 1 && chosen.length >= max
  const isLeast = chosen.length <= min
  const drawn = useMemo(
    () =>
      found.slice(0, lines).map((choice) => {
        const isFixed = chosenIds.has(choice.value) ? isLeast && max > 1 : isFull
        return isFixed ? { ...choice, disabled: true } : choice
      }),
    [found, lines, chosenIds, isFull, isLeast, max],
  )
  const groups = useMemo(() => groupChoices(drawn), [drawn])
  const rest = found.length - drawn.length

  function select(keys: Iterable<unknown>) {
    const next = [...keys] as T[]
    if (max === 1) {
      // A press on the chosen item would clear it: it is chosen again, so that a picker closes.
      const value = next.find((key) => !chosen.includes(key)) ?? chosen[0]
      if (value !== undefined) onChoose([value])
      return
    }
    if (next.length <= max && next.length >= min) onChoose(next)
  }

  const isAll = found.length > 0 && found.every(({ value }) => chosenIds.has(value))

  function takeAll() {
    const ids = new Set(found.map(({ value }) => value))
    const others = chosen.filter((value) => !ids.has(value))
    onChoose(isAll ? others : [...others, ...ids])
  }

  const all = allLabel && (
    <PlainButton
      size="small"
      className={css.all}
      {...(isAll ? { icon: 'check' as const } : {})}
      aria-pressed={isAll}
      disabled={found.length === 0}
      onClick={takeAll}
    >
      {allLabel(formatNumber(found.length))}
    </PlainButton>
  )
  const list = (
    <ListBox
      aria-label={label}
      className={css.list ?? ''}
      selectionMode={max > 1 ? 'multiple' : 'single'}
      selectionBehavior="toggle"
      escapeKeyBehavior="none"
      selectedKeys={chosen}
      onSelectionChange={(keys) => keys !== 'all' && select(keys)}
      renderEmptyState={() => (
        <Text as="p" padY={10} padX={8} tone="quiet">
          {noneText}
        </Text>
      )}
    >
      {groups.length === 1 && groups[0]?.name === undefined ? (
        drawn.map((choice) => <ChoiceOption key={choice.value} choice={choice} />)
      ) : (
        <ChoiceSections groups={groups} />
      )}
      {rest > 0 && (
        <ListBoxLoadMoreItem
          scrollOffset={1}
          onLoadMore={() => setShown({ query, lines: lines + linesPerStep })}
        />
      )}
    </ListBox>
  )

  return (
    <KitScope>
      <div className={classes(css.choices, className)}>
        {isSearched ? (
          <Autocomplete
            inputValue={typed}
            onInputChange={(next) => {
              setTyped(next)
              onSearch?.(next)
            }}
          >
            <SearchField aria-label={searchLabel} className={css.search ?? ''} autoFocus={autoFocus}>
              <Icon name="search" />
              <Input
                className={css.input ?? ''}
                placeholder={searchLabel}
                role="combobox"
                aria-expanded
                aria-haspopup="listbox"
                onCompositionStart={() => setComposedFrom(typed)}
                onCompositionEnd={() => setComposedFrom(undefined)}
              />
              {typed && (
                <Button className={css.clear ?? ''} aria-label={t.clearSearch}>
                  <Icon name="close" size={14} />
                </Button>
              )}
            </SearchField>
            {all}
            {list}
          </Autocomplete>
        ) : (
          list
        )}
        {(hint || rest > 0) && (
          <p className={css.foot} role="status">
            {rest > 0 && <span>{t.more(rest)}</span>}
            {hint && <span>{hint}</span>}
          </p>
        )}
      </div>
    </KitScope>
  )
}
