import { type AnswerOf, places } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Note, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import { useSitesText } from '../sites-text.ts'
import css from './list.module.css'

type Found = AnswerOf<typeof places.searchAddress>[number]

/** Searches an address; a chosen place fills the form in. The search is limited in a day, so it waits for a press. */
export function AddressSearch({ onFound }: { onFound: (place: Found) => void }) {
  const t = useSitesText().form
  const [text, setText] = useState('')
  const search = useMutation({ mutationFn: (q: string) => call(places.searchAddress, { q }) })
  const start = () => {
    if (text.trim() !== '') search.mutate(text.trim())
  }
  return (
    <Stack gap={6}>
      <Row gap={8}>
        <SearchField
          label={t.search}
          value={text}
          onChange={setText}
          className={css.search}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            start()
          }}
        />
        <Button busy={search.isPending} onClick={start}>
          {t.searchAction}
        </Button>
      </Row>
      {search.data === undefined && <Note>{t.searchHint}</Note>}
      <div role="status">{search.data?.length === 0 && <Note>{t.nothing(search.variables ?? '')}</Note>}</div>
      {search.data !== undefined && search.data.length > 0 && (
        <ul className={css.found} aria-label={t.found}>
          {search.data.map((place) => (
            <li key={`${place.lat} ${place.lng} ${place.name}`}>
              <button
                type="button"
                onClick={() => {
                  search.reset()
                  onFound(place)
                }}
              >
                <span className="cut">{place.name}</span>
                <Text tone="quiet" size={12} cut>
                  {place.address}
                </Text>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}
