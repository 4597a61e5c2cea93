import { type AnswerOf, places } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMapText } from '../../../entities/place/map-text.ts'
import { call } from '../../../shared/api/client.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { refusalText } from '../../../shared/ui/use-act.ts'
import css from './machine-map.module.css'

export type FoundPlace = AnswerOf<typeof places.searchAddress>[number]

/** Finds a place or an address, and goes there. It asks when the person does: the platform counts the searches. */
export function PlaceSearch({ onFound }: { onFound: (place: FoundPlace | undefined) => void }) {
  const t = useMapText().search
  const [text, setText] = useState('')
  const search = useMutation({
    mutationFn: (q: string) => call(places.searchAddress, { q }),
    onSuccess: (found) => found.length === 1 && choose(found[0]),
  })

  function choose(place: FoundPlace | undefined) {
    onFound(place)
    if (place) setText(place.name)
    search.reset()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const q = text.trim()
    if (q) search.mutate(q)
  }

  const found = search.data
  return (
    <search className={css.search}>
      <form onSubmit={submit}>
        <input
          type="search"
          aria-label={t.label}
          placeholder={t.placeholder}
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            if (event.target.value === '') choose(undefined)
          }}
        />
        {text !== '' && (
          <IconButton
            icon="close"
            label={t.clear}
            size="small"
            onClick={() => {
              setText('')
              choose(undefined)
            }}
          />
        )}
        <IconButton icon="search" label={t.label} type="submit" size="small" aria-busy={search.isPending} />
      </form>
      <div role="status" className={css.found}>
        {search.isError && <p>{refusalText(search.error, t.failed) ?? t.failed}</p>}
        {found?.length === 0 && <p>{t.nothing(search.variables ?? '')}</p>}
        {found && found.length > 1 && <p className="sr-only">{t.results(found.length)}</p>}
      </div>
      {found && found.length > 1 && (
        <ul className={css.results}>
          {found.map((place) => (
            <li key={`${place.lat},${place.lng},${place.address}`}>
              <button type="button" onClick={() => choose(place)}>
                <b>{place.name}</b>
                <span>{place.address}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}
