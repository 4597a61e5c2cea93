import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLang, useText } from '../../i18n/language.ts'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { type Country, countryName, findCountries, listCountries, sortCountries } from './countries.ts'
import css from './country-list.module.css'

interface CountryListProps {
  /** The dial code chosen. */
  value: string
  onChoose: (code: string) => void
}

/** Every country with its dial code, found by either name or by the code. Arrow keys move, Enter takes. */
export function CountryList({ value, onChoose }: CountryListProps) {
  const t = useText().login
  const lang = useLang()
  const id = useId()
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [countries, setCountries] = useState<readonly Country[]>()
  const [isFailed, setFailed] = useState(false)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = findCountries(countries ?? [], typed, lang)

  function load() {
    setFailed(false)
    listCountries().then(
      (listed) => {
        const all = sortCountries(listed, lang)
        setCountries(all)
        setChosen(
          Math.max(
            0,
            all.findIndex(({ dialCode }) => dialCode === value),
          ),
        )
      },
      () => setFailed(true),
    )
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded once, when it opens
  useEffect(() => {
    search.current?.focus()
    load()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen item is scrolled into view when it moves
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, countries])

  function onKey(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && found.length) {
      event.preventDefault()
      setChosen((chosen + step + found.length) % found.length)
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    // The form around it is not sent.
    event.preventDefault()
    const country = found[chosen]
    if (country) onChoose(country.dialCode)
  }

  return (
    <>
      <div className={css.search}>
        <Icon name="search" />
        <input
          ref={search}
          role="combobox"
          aria-label={t.countrySearch}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found.length ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={t.countrySearch}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
        />
      </div>
      {isFailed && (
        <button type="button" className={css.note} onClick={load}>
          {t.countryFailed}
        </button>
      )}
      {countries && !found.length && (
        <p className={css.note} role="status">
          {t.countryNone}
        </p>
      )}
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={t.country}
        aria-busy={!countries && !isFailed}
        className={css.list}
      >
        {found.map((country, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field takes the keys
          <div
            key={`${country.dialCode} ${country.country}`}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === chosen}
            tabIndex={-1}
            className={classes(css.option, place === chosen && css.chosen)}
            onClick={() => onChoose(country.dialCode)}
          >
            <span className="cut">{countryName(country, lang)}</span>
            <span className="numbers">+{country.dialCode}</span>
          </div>
        ))}
      </div>
    </>
  )
}
