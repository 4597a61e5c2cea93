import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import { Glyph } from '../../shared/ui/data/state-glyph.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { MapMarker } from '../place/map-marker.tsx'
import { isWithin } from '../place/map-point.ts'
import type { Pixel } from '../place/place-map.ts'
import { usePlaceMap } from '../place/use-place-map.ts'
import css from './site-markers.module.css'
import { siteListQuery } from './site-queries.ts'
import { chooseSides, usualOffset } from './site-sides.ts'
import { worstState } from './site-state.ts'

/** More sites in sight than this are shown once the map is enlarged: each is an element that moves with the map. */
const shownMax = 40
const noSides: ReadonlyMap<number, Pixel> = new Map()

interface SiteMarkersProps {
  readonly asked: PageSpace['asked']
  /** The states of the machines on the map, by id. */
  readonly states: ReadonlyMap<number, DisplayState>
  readonly onOpen: (siteId: number) => void
}

/** The sites of a space on a map, each as one mark in the worst state of its machines; it opens the site's plans. */
export function SiteMarkers({ asked, states, onOpen }: SiteMarkersProps): ReactNode {
  const text = useText()
  const map = usePlaceMap()
  const sites = useQuery(siteListQuery(asked)).data ?? []
  const [bounds, setBounds] = useState(map.bounds)
  useEffect(() => {
    const moved = () => setBounds(map.bounds)
    map.map.on('moveend', moved)
    return () => void map.map.off('moveend', moved)
  }, [map])
  const seen = sites.flatMap((site) => {
    const { lat, lng } = site
    if (lat === null || lng === null || !isWithin(bounds, { lat, lng })) return []
    return [{ ...site, lat, lng, state: worstState(site.machines.map((id) => states.get(id))) }]
  })
  const shown = seen.length > shownMax ? [] : seen
  const [sides, setSides] = useState(noSides)
  const choose = useEffectEvent(() => {
    const next = chooseSides(map, shown, sides)
    const isSame = next.size === sides.size && [...next].every(([id, side]) => sides.get(id) === side)
    if (!isSame) setSides(next)
  })
  useEffect(() => {
    const drawn = () => choose()
    map.map.on('idle', drawn)
    return () => void map.map.off('idle', drawn)
  }, [map])
  // Sites that come to a map that is drawn already.
  const ids = shown.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other sites are placed anew
  useEffect(() => choose(), [ids])
  return shown.map(({ id, name, lat, lng, state }) => (
    <MapMarker key={id} at={{ lat, lng }} offset={sides.get(id) ?? usualOffset}>
      <button
        type="button"
        className={css.mark}
        data-tip={name}
        aria-label={state ? `${name} · ${text.machines.states[state]}` : name}
        onClick={() => onOpen(id)}
      >
        <Icon name="building" size={16} />
        {state && <Glyph state={state} size={10} />}
      </button>
    </MapMarker>
  ))
}
