import { useQuery } from '@tanstack/react-query'
import { type PointerEvent, useMemo, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { displayState } from '../../../entities/machine/machine-state.ts'
import { siteListQuery } from '../../../entities/site/site-queries.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Note, Stack } from '../../../shared/ui/layout/layout.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import { Tag } from '../../../shared/ui/tag.tsx'
import type { Place } from '../draft.ts'
import { nearbyQuery, type Site } from '../site-queries.ts'
import { useSitesText } from '../sites-text.ts'
import css from './plan.module.css'

const nothing: readonly number[] = []
/** More rows than this are found by the search. */
const rowsMax = 100

interface UnplacedListProps {
  site: Site
  /** Of the site's machines, with the unsaved changes. */
  places: ReadonlyMap<number, Place>
  machines: ReadonlyMap<number, Machine>
  space: PageSpace
  /** At a point of the window. */
  onDrop: (machineId: number, client: { x: number; y: number }) => void
  onPlace: (machineId: number) => void
}

/** The machines of the space that stand on no plan: dragged onto it, or placed by their button. */
export function UnplacedList({ site, places, machines, space, onDrop, onPlace }: UnplacedListProps) {
  const t = useSitesText().edit
  const lang = useLang()
  const collator = useMemo(() => new Intl.Collator(lang === 'cn' ? 'zh-CN' : 'en', { numeric: true }), [lang])
  const [query, setQuery] = useState('')
  const [dragged, setDragged] = useState<{ machine: Machine; x: number; y: number }>()
  const others = useQuery(siteListQuery(space.asked)).data ?? []
  const elsewhere = new Set(others.filter(({ id }) => id !== site.id).flatMap((other) => other.machines))
  const free = [...machines.values()].filter(({ id }) => !places.has(id) && !elsewhere.has(id))
  const wanted = query.trim().toLocaleLowerCase()
  const near = useQuery(nearbyQuery(site.id)).data ?? nothing
  const nearness = new Map(near.map((id, rank) => [id, rank]))
  const rankOf = ({ id }: Machine) => nearness.get(id) ?? near.length
  const found = free
    .filter(({ name, code }) => name.toLocaleLowerCase().includes(wanted) || code.includes(wanted))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || collator.compare(a.name, b.name))

  function drags(machine: Machine) {
    return {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged({ machine, x: event.clientX, y: event.clientY })
      },
      onPointerMove: ({ clientX: x, clientY: y }: PointerEvent<HTMLElement>) =>
        setDragged((before) => before && { ...before, x, y }),
      onPointerUp: ({ clientX: x, clientY: y }: PointerEvent<HTMLElement>) => {
        setDragged(undefined)
        onDrop(machine.id, { x, y })
      },
      onPointerCancel: () => setDragged(undefined),
    }
  }

  return (
    <Stack as="section" gap={8} aria-label={t.unplaced}>
      <h3>{t.unplaced}</h3>
      <Note>{t.hint}</Note>
      {free.length > 0 && <SearchField label={t.search} value={query} onChange={setQuery} />}
      {found.length === 0 && <Note>{free.length === 0 ? t.allPlaced : t.noMatch}</Note>}
      <ul className={css.list}>
        {found.slice(0, rowsMax).map((machine) => (
          <li key={machine.id}>
            <span className={css.handle} {...drags(machine)}>
              <span className={css.grip} />
              <StateGlyph state={displayState(machine)} word="hidden" />
              <span className="cut">{machine.name}</span>
              {nearness.has(machine.id) && <Tag>{t.nearby}</Tag>}
            </span>
            <Button size="small" aria-label={t.placeOf(machine.name)} onClick={() => onPlace(machine.id)}>
              {t.place}
            </Button>
          </li>
        ))}
      </ul>
      {found.length > rowsMax && <Note>{t.more(found.length - rowsMax)}</Note>}
      {dragged && (
        <div className={css.ghost} style={{ left: dragged.x, top: dragged.y }}>
          {dragged.machine.name}
        </div>
      )}
    </Stack>
  )
}
