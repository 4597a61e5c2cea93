import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import { Glyph } from '../../shared/ui/data/state-glyph.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { MapMarker } from '../place/map-marker.tsx'
import { isWithin } from '../place/map-point.ts'
import { usePlaceMap } from '../place/use-place-map.ts'
import css from './site-markers.module.css'
import { siteListQuery } from './site-queries.ts'
import { worstState } from './site-state.ts'

/** More sites in sight than this are shown once the map is enlarged: each is an element that moves with the map. */
const shownMax = 40
/** Above the marks and clusters of its machines. */
const offset: [number, number] = [0, -22]

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
  if (seen.length > shownMax) return null
  return seen.map(({ id, name, lat, lng, state }) => (
    <MapMarker key={id} at={{ lat, lng }} anchor="bottom" offset={offset}>
      <button
        type="button"
        className={css.mark}
        data-tip={name}
        aria-label={[text.dataCentre.tabs.sites, name, state && text.machines.states[state]]
          .filter(Boolean)
          .join(' · ')}
        onClick={() => onOpen(id)}
      >
        <Icon name="building" size={16} />
        {state && <Glyph state={state} size={10} />}
      </button>
    </MapMarker>
  ))
}
