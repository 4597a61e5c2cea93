import 'maplibre-gl/dist/maplibre-gl.css'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import { useTheme } from '../../shared/session/theme.ts'
import css from './map-canvas.module.css'
import type { MapPoint, MapView, Place } from './map-point.ts'
import { useMapText } from './map-text.ts'
import type { MapTiles } from './map-tiles.ts'
import { type MapEvents, PlaceMap } from './place-map.ts'
import { MapProvider } from './use-place-map.ts'

export interface MapCanvasProps {
  /** The name of the map for screen readers. */
  readonly label: string
  readonly points: readonly MapPoint[]
  /** Where it begins; without one it shows all points as soon as there are any. */
  readonly view?: MapView | undefined
  /** In place of the bundled base map. */
  readonly tiles?: MapTiles | undefined
  /** Where people choose another base map: above the line of its source. */
  readonly choice?: ReactNode
  /** Marks with a ring. */
  readonly chosen?: readonly Place[] | undefined
  /** The mark of what the pointer is on elsewhere. */
  readonly hovered?: Place | undefined
  readonly onOpen?: MapEvents['onOpen'] | undefined
  readonly onCluster?: MapEvents['onCluster'] | undefined
  readonly onHover?: MapEvents['onHover'] | undefined
  readonly onView?: MapEvents['onView'] | undefined
  /** Things on the map: `MapMarker`, `MapPin`, `MapLasso`, or a part that asks `usePlaceMap()`. */
  readonly children?: ReactNode
}

const nowhere: readonly Place[] = []

/** A map with marks, for browsers in which `hasWebGl()` is true. */
export function MapCanvas(props: MapCanvasProps): ReactNode {
  const { label, points, tiles, chosen = nowhere, hovered, children } = props
  const t = useMapText()
  const lang = useLang()
  const theme = useTheme()
  const container = useRef<HTMLDivElement>(null)
  const scale = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<PlaceMap>()
  const latest = useRef(props)
  const first = useRef({ lang, view: props.view })
  useEffect(() => {
    latest.current = props
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another source of tiles is another map; the rest follows below
  useEffect(() => {
    if (!container.current || !scale.current) return
    const made = new PlaceMap({
      container: container.current,
      scale: scale.current,
      label,
      ...first.current,
      tiles,
      events: () => ({
        onOpen: (id) => latest.current.onOpen?.(id),
        onCluster: (ids) => latest.current.onCluster?.(ids),
        onHover: (found) => latest.current.onHover?.(found),
        onView: (view, bounds) => {
          first.current = { ...first.current, view }
          latest.current.onView?.(view, bounds)
        },
      }),
    })
    setMap(made)
    return () => {
      setMap(undefined)
      made.remove()
    }
  }, [tiles?.id])

  const isFitted = useRef(props.view !== undefined)
  useEffect(() => {
    map?.setPoints(points)
    if (!map || isFitted.current || points.length === 0) return
    isFitted.current = true
    map.fit(points)
  }, [map, points])
  useEffect(() => map?.setRings(chosen, hovered), [map, chosen, hovered])
  useEffect(() => map?.setLang(lang), [map, lang])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme on screen
  useEffect(() => map?.setTheme(), [map, theme])

  return (
    <div className={css.map}>
      <div ref={container} className={css.canvas} />
      <MapProvider value={map}>{map && children}</MapProvider>
      <div className={css.foot}>
        <div className={css.above}>
          <div ref={scale} />
          {props.choice}
        </div>
        <p className={css.source}>
          {tiles ? [tiles.attribution, tiles.reviewNumber].filter(Boolean).join(' · ') : t.schematic}
        </p>
      </div>
    </div>
  )
}
