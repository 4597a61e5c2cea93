import type { GeoJSONSource } from 'maplibre-gl'
import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react'

import { useTheme } from '../../shared/session/theme.ts'
import { readColours } from './map-colours.ts'
import { MapMarker } from './map-marker.tsx'
import css from './map-pin.module.css'
import type { Place } from './map-point.ts'
import { layers } from './map-style.ts'
import { useMapText } from './map-text.ts'
import { usePlaceMap } from './use-place-map.ts'

interface MapPinProps {
  readonly at: Place
  /** Draws a circle of this radius. */
  readonly accuracyM?: number | null
  /** Its name for screen readers. */
  readonly label: string
  /** Called where a person lets it go, or has moved it by the arrow keys. */
  readonly onMove?: ((place: Place) => void) | undefined
}

const stepPixels = 8
const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The place of one thing, with its accuracy; with `onMove` it is dragged, or moved by the arrow keys. */
export function MapPin({ at, accuracyM, label, onMove }: MapPinProps): ReactNode {
  const map = usePlaceMap()
  const t = useMapText()

  function move(event: KeyboardEvent) {
    const step = steps[event.key]
    if (!step || !onMove) return
    event.preventDefault()
    event.stopPropagation()
    const { x, y } = map.map.project(map.drawn(at))
    onMove(map.placeOf(map.map.unproject([x + step[0] * stepPixels, y + step[1] * stepPixels])))
  }

  return (
    <>
      {accuracyM ? <AccuracyCircle at={at} accuracyM={accuracyM} /> : null}
      <MapMarker at={at} anchor="bottom" onMove={onMove}>
        <button
          type="button"
          className={css.pin}
          aria-label={label}
          title={onMove ? t.movePin : undefined}
          onKeyDown={move}
        >
          <svg aria-hidden="true" width="28" height="36" viewBox="0 0 28 36">
            <path d="M14 34.5C10 28 2.5 21.5 2.5 14a11.5 11.5 0 0 1 23 0c0 7.5-7.5 14-11.5 20.5z" />
            <circle cx="14" cy="14" r="4.5" />
          </svg>
        </button>
      </MapMarker>
    </>
  )
}

const corners = 64
const metresOfDegree = 111_195

/** A circle on the earth: as wide on the map as the metres are there. */
function circleAround({ lat, lng }: Place, metres: number): Place[] {
  const across = metresOfDegree * Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return Array.from({ length: corners + 1 }, (_, place) => {
    const angle = (place / corners) * 2 * Math.PI
    return {
      lat: lat + (Math.sin(angle) * metres) / metresOfDegree,
      lng: lng + (Math.cos(angle) * metres) / across,
    }
  })
}

function AccuracyCircle({ at, accuracyM }: { at: Place; accuracyM: number }) {
  const map = usePlaceMap()
  const id = `accuracy-${useId()}`
  const theme = useTheme()
  const { lat, lng } = at
  useEffect(() => {
    const libre = map.map
    const draw = () => {
      if (libre.getSource(id)) return
      libre.addSource(id, {
        type: 'geojson',
        data: { type: 'FeatureCollection', features: [] },
        // Nothing is left out of a circle.
        tolerance: 0,
      })
      libre.addLayer(
        { id: `${id}-fill`, type: 'fill', source: id, paint: { 'fill-opacity': 0.12 } },
        layers.rings,
      )
      libre.addLayer(
        { id: `${id}-edge`, type: 'line', source: id, paint: { 'line-width': 1.2 } },
        layers.rings,
      )
    }
    const drawn = map.whenReady(draw)
    return () => {
      void drawn.then(() => {
        if (!libre.getSource(id)) return
        libre.removeLayer(`${id}-fill`)
        libre.removeLayer(`${id}-edge`)
        libre.removeSource(id)
      })
    }
  }, [map, id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colour is that of the theme on screen
  useEffect(() => {
    void map.whenReady(() => {
      const libre = map.map
      const { accent } = readColours()
      libre.setPaintProperty(`${id}-fill`, 'fill-color', accent)
      libre.setPaintProperty(`${id}-edge`, 'line-color', accent)
    })
  }, [map, id, theme])
  useEffect(() => {
    void map.whenReady(() => {
      map.map.getSource<GeoJSONSource>(id)?.setData({
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates: [circleAround({ lat, lng }, accuracyM).map(map.drawn)] },
      })
    })
  }, [map, id, lat, lng, accuracyM])
  return null
}
