import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { ChosenMap } from '../../../entities/place/chosen-map.tsx'
import { worstFirst } from '../../../entities/place/map-features.ts'
import { MapLasso } from '../../../entities/place/map-lasso.tsx'
import { MapMarker } from '../../../entities/place/map-marker.tsx'
import { MapPin } from '../../../entities/place/map-pin.tsx'
import type { MapBounds, MapPoint, MapView, Place } from '../../../entities/place/map-point.ts'
import { useMapText } from '../../../entities/place/map-text.ts'
import type { Hovered, PlaceMap } from '../../../entities/place/place-map.ts'
import { usePlaceMap } from '../../../entities/place/use-place-map.ts'
import { SiteMarkers } from '../../../entities/site/site-markers.tsx'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import type { DisplayState } from '../../../shared/ui/data/display-state.ts'
import { Glyph, StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { useDeviceSpace } from '../space.ts'
import css from './machine-map.module.css'
import { MapCard } from './map-card.tsx'
import { MapTools } from './map-tools.tsx'
import { type FoundPlace, PlaceSearch } from './place-search.tsx'

interface MapAreaProps {
  readonly points: readonly MapPoint[]
  /** Of every machine of the space, by id: a site shows the worst of its own, in sight of the filters or not. */
  readonly states: ReadonlyMap<number, DisplayState>
  readonly view: MapView | undefined
  readonly chosen: readonly Place[]
  readonly hovered: Place | undefined
  /** The machine whose card is open, with its place. */
  readonly card: { readonly machine: Machine; readonly place: Place } | undefined
  /** Metres from the person to that machine. */
  readonly cardDistance: number | undefined
  readonly cardTakesFocus: boolean
  readonly here: Place | undefined
  readonly onMap: (map: PlaceMap) => void
  readonly onView: (view: MapView, bounds: MapBounds) => void
  readonly onMark: (id: number | undefined) => void
  readonly onClose: () => void
  readonly onDetails: (machine: Machine) => void
  readonly onStack: (ids: readonly number[]) => void
  readonly onHover: (id: number | undefined) => void
  readonly onChosen: (ids: readonly number[]) => void
  readonly onWorst: () => void
  readonly onNear: () => void
}

const cardOffset: [number, number] = [0, -14]
const placeZoom = 7
const tipGap = 14

/** The map of the devices, with all that lies on it. */
export function MapArea(props: MapAreaProps): ReactNode {
  const { points, card, here } = props
  const t = useMapText()
  const [tip, setTip] = useState<Hovered>()
  const [found, setFound] = useState<FoundPlace>()
  const [isDrawing, setDrawing] = useState(false)
  const navigate = useNavigate()
  const space = useDeviceSpace()
  const eid = space.kind === 'personal' ? undefined : space.eid
  const openSites = (site?: number) =>
    void navigate({ to: '/dataCenter/sites', search: { eid: eid ?? 0, ...(site !== undefined && { site }) } })
  return (
    <ChosenMap
      label={t.label}
      points={points}
      view={props.view}
      chosen={props.chosen}
      hovered={props.hovered}
      onView={props.onView}
      onOpen={props.onMark}
      onCluster={props.onStack}
      onHover={(hovered) => {
        setTip(hovered)
        props.onHover(hovered?.id)
      }}
    >
      <Told onMap={props.onMap} />
      <SiteMarkers asked={eid === undefined ? {} : { eid }} states={props.states} onOpen={openSites} />
      <MapLasso
        isOn={isDrawing}
        onChosen={(ids) => {
          setDrawing(false)
          props.onChosen(ids)
        }}
      />
      <OnMap
        onFound={setFound}
        points={points}
        isNear={here !== undefined}
        onNear={props.onNear}
        onWorst={props.onWorst}
        onSites={() => openSites()}
        isDrawing={isDrawing}
        onDraw={() => setDrawing(!isDrawing)}
      />
      {here && (
        <MapMarker at={here}>
          <span className={css.here} role="img" aria-label={t.near.here} />
        </MapMarker>
      )}
      {found && <MapPin at={found} label={found.address} />}
      {card && (
        <MapMarker at={card.place} anchor="bottom" offset={cardOffset} className={css.cardMarker}>
          <MapCard
            key={card.machine.id}
            takesFocus={props.cardTakesFocus}
            machine={card.machine}
            distance={props.cardDistance}
            onDetails={() => props.onDetails(card.machine)}
            onClose={props.onClose}
          />
        </MapMarker>
      )}
      {tip && <Tip tip={tip} points={points} />}
    </ChosenMap>
  )
}

function Told({ onMap }: { onMap: (map: PlaceMap) => void }) {
  const map = usePlaceMap()
  useEffect(() => onMap(map), [map, onMap])
  return null
}

interface OnMapProps {
  readonly onFound: (place: FoundPlace | undefined) => void
  readonly points: readonly MapPoint[]
  readonly isNear: boolean
  readonly onNear: () => void
  readonly onWorst: () => void
  readonly onSites: () => void
  readonly isDrawing: boolean
  readonly onDraw: () => void
}

function OnMap({ onFound, points, ...tools }: OnMapProps) {
  const map = usePlaceMap()
  return (
    <>
      <PlaceSearch
        onFound={(place) => {
          onFound(place)
          if (place) map.goTo(place, placeZoom)
        }}
      />
      <MapTools
        {...tools}
        onZoom={(step) => map.map.zoomTo(map.map.getZoom() + step, { duration: 200 })}
        onFit={() => map.fit(points)}
      />
    </>
  )
}

/** The name and state of a mark, or the states of a cluster, beside the pointer. */
function Tip({ tip, points }: { tip: Hovered; points: readonly MapPoint[] }) {
  const t = useMapText()
  const { states } = useText().machines
  const point = tip.id === undefined ? undefined : points.find(({ id }) => id === tip.id)
  const { counts } = tip
  if (!point && !counts) return null
  const total = counts ? worstFirst.reduce((sum, state) => sum + counts[state], 0) : 0
  return (
    <div aria-hidden="true" className={css.tip} style={{ left: tip.x + tipGap, top: tip.y + tipGap }}>
      <b>{point?.name ?? t.cluster(total)}</b>
      {point && <StateGlyph state={point.state} size={9} />}
      {counts &&
        worstFirst
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <span key={state} className={css.tipLine}>
              <Glyph state={state} size={9} />
              {states[state]}
              <span className="numbers">{formatNumber(counts[state])}</span>
            </span>
          ))}
    </div>
  )
}
