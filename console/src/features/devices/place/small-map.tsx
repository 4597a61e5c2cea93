import { useEffect } from 'react'
import { ChosenMap } from '../../../entities/place/chosen-map.tsx'
import { MapPin } from '../../../entities/place/map-pin.tsx'
import type { Place } from '../../../entities/place/map-point.ts'
import { usePlaceMap } from '../../../entities/place/use-place-map.ts'
import css from './small-map.module.css'

/** A city among its neighbours: the bundled map ends at 8. */
const zoom = 7
const noPoints: readonly never[] = []

interface SmallMapProps {
  label: string
  /** The name of the pin. */
  pin: string
  at: Place
  accuracyM: number | null
  /** Lets a person move the pin. */
  onMove?: ((to: Place) => void) | undefined
}

/** A map with one pin and its circle. It needs `hasWebGl()`. */
export function SmallMap({ label, pin, at, accuracyM, onMove }: SmallMapProps) {
  return (
    <div className={css.map}>
      <ChosenMap label={label} points={noPoints} view={{ lat: at.lat, lng: at.lng, zoom }}>
        <MapPin at={at} accuracyM={accuracyM} label={pin} onMove={onMove} />
        <Follow at={at} />
      </ChosenMap>
    </div>
  )
}

/** Moves the map to a pin that left it. */
function Follow({ at: { lat, lng } }: { at: Place }) {
  const map = usePlaceMap()
  useEffect(() => {
    const centre = map.drawn({ lat, lng })
    if (!map.map.getBounds().contains(centre)) map.map.jumpTo({ center: centre })
  }, [map, lat, lng])
  return null
}
