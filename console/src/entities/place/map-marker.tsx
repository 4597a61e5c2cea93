import { Marker, type MarkerOptions } from 'maplibre-gl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Place } from './map-point.ts'
import { usePlaceMap } from './use-place-map.ts'

interface MapMarkerProps {
  readonly at: Place
  readonly anchor?: MarkerOptions['anchor']
  readonly offset?: [x: number, y: number]
  readonly className?: string | undefined
  /** Lets people drag it; called with where they let it go. */
  readonly onMove?: ((place: Place) => void) | undefined
  readonly children: ReactNode
}

/** Something of the page on a place of the map: few of them, since each is moved on its own. */
export function MapMarker({ at, anchor = 'center', offset, className, onMove, children }: MapMarkerProps) {
  const map = usePlaceMap()
  const [element] = useState(() => document.createElement('div'))
  const marker = useRef<Marker>(undefined)
  const move = useRef(onMove)
  const isDraggable = onMove !== undefined
  const { lat, lng } = at
  const [x, y] = offset ?? [0, 0]
  useEffect(() => {
    move.current = onMove
  })
  useEffect(() => {
    element.className = className ?? ''
  }, [element, className])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is made once for a map, and moved below
  useEffect(() => {
    const made = new Marker({ element, anchor, offset: [x, y] })
    made.setLngLat(map.drawn(at)).addTo(map.map)
    // The element has no name of its own: what lies in it has.
    for (const name of ['role', 'aria-label', 'tabindex']) element.removeAttribute(name)
    made.on('dragend', () => move.current?.(map.placeOf(made.getLngLat())))
    marker.current = made
    return () => {
      made.remove()
    }
  }, [map, element, anchor])
  useEffect(() => {
    marker.current?.setLngLat(map.drawn({ lat, lng }))
  }, [map, lat, lng])
  useEffect(() => {
    marker.current?.setOffset([x, y])
  }, [x, y])
  useEffect(() => {
    marker.current?.setDraggable(isDraggable)
  }, [isDraggable])
  return createPortal(children, element)
}
