import { metresBetween } from '@busbar/contract'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { isUnplaced } from '../../../entities/machine/machine-order.ts'
import { displayState } from '../../../entities/machine/machine-state.ts'
import { hasWebGl } from '../../../entities/place/has-web-gl.ts'
import {
  formatView,
  isWithin,
  type MapBounds,
  type MapView,
  type Place,
  parseView,
} from '../../../entities/place/map-point.ts'
import { useMapText } from '../../../entities/place/map-text.ts'
import type { PlaceMap } from '../../../entities/place/place-map.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { ErrorFence } from '../../../shared/ui/error-fence.tsx'
import { Stack } from '../../../shared/ui/layout/layout.tsx'
import type { LayoutKind } from '../../../shared/ui/layout-kind.ts'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import frame from '../../../shared/ui/list-frame.module.css'
import { toggleKey } from '../../../shared/ui/table/selection.ts'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { BulkBar } from '../bulk/bulk-bar.tsx'
import { ListBanners } from '../list/list-banners.tsx'
import { ListHead } from '../list/list-head.tsx'
import type { MachineListProps } from '../list/list-props.ts'
import { ListFailed, NoMachines, NoMatch } from '../list/list-states.tsx'
import { ListTop } from '../list/list-top.tsx'
import { MachineToolbar } from '../list/machine-toolbar.tsx'
import { useListSearch } from '../list-search.ts'
import css from './machine-map.module.css'
import { MapList } from './map-list.tsx'
import { inAlarm, placeOf, pointsOf } from './map-points.ts'
import { RegionCounts, RegionList } from './region-list.tsx'
import { useNear } from './use-near.ts'
import { useRegions } from './use-regions.ts'

/** The map's library is fetched with it, while the list beside it is there already. */
const MapArea = lazyPart(() => import('./map-area.tsx').then((module) => module.MapArea))

/** The address follows the map this much later. */
const addressDelayMs = 400
const closeZoom = 5
/** Room for the card above its mark. */
const cardBelow = 80
const nowhere: readonly Place[] = []

/** The devices as a map, with a list of those in sight beside it, or below it on a phone. */
export function MachineMap(props: MachineListProps & { layout: LayoutKind }): ReactNode {
  const { view, selected, select, onOpen } = props
  const t = useMapText()
  const listText = useText().machines.list
  const [search, updateSearch] = useListSearch()
  const searchField = useRef<HTMLInputElement>(null)
  const map = useRef<PlaceMap>(undefined)
  const [bounds, setBounds] = useState<MapBounds>()
  const [stack, setStack] = useState<ReadonlySet<number>>()
  const [hoveredRow, setHoveredRow] = useState<Machine>()
  const [hoveredMark, setHoveredMark] = useState<number>()
  const canDraw = hasWebGl()
  const points = useMemo(() => pointsOf(view.rows), [view.rows])
  const states = useMemo(
    () => new Map(view.all.map((machine) => [machine.id, displayState(machine)])),
    [view.all],
  )
  const regions = useRegions(view.rows)
  const unplaced = useMemo(() => view.rows.filter(isUnplaced).length, [view.rows])
  const [here, toggleNear] = useNear((place) => map.current?.goTo(place, closeZoom))
  const markId = search.card
  const marked = markId === undefined ? undefined : view.rows.find(({ id }) => id === markId)
  const markedPlace = marked && placeOf(marked)

  const distanceOf = useCallback(
    (machine: Machine) => {
      const place = placeOf(machine)
      return here && place && metresBetween(here, place)
    },
    [here],
  )
  const inSight = useMemo(() => {
    const seen = view.rows.filter((machine) => {
      const place = placeOf(machine)
      if (!place) return false
      return stack ? stack.has(machine.id) : !bounds || isWithin(bounds, place)
    })
    return here ? seen.sort((a, b) => (distanceOf(a) ?? 0) - (distanceOf(b) ?? 0)) : seen
  }, [view.rows, bounds, stack, here, distanceOf])
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : view.rows.filter(({ id }) => selected.has(id))),
    [view.rows, selected],
  )
  const chosenPlaces = useMemo(() => {
    const places = chosen.flatMap((machine) => placeOf(machine) ?? [])
    return places.length === 0 ? nowhere : places
  }, [chosen])
  const hoveredPlace = useMemo(() => hoveredRow && placeOf(hoveredRow), [hoveredRow])

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A page that the person has left must not lead them back.
  useEffect(() => () => clearTimeout(timer.current), [])
  const onView = useCallback(
    (seen: MapView, next: MapBounds) => {
      setBounds(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(
        () => updateSearch({ at: formatView(seen) }, { replace: true }),
        addressDelayMs,
      )
    },
    [updateSearch],
  )
  const onMap = useCallback((made: PlaceMap) => {
    map.current = made
  }, [])
  const mark = (id: number | undefined) => updateSearch({ card: id }, { replace: true })

  /** The row whose key opened the card: it gets the focus back. */
  const opener = useRef<HTMLElement>(undefined)
  const [takesFocus, setTakesFocus] = useState(false)
  function close() {
    mark(undefined)
    if (takesFocus) opener.current?.focus()
  }

  function show(machine: Machine, byKeyboard = false, row?: HTMLElement) {
    setTakesFocus(byKeyboard)
    opener.current = row
    const place = placeOf(machine)
    if (place) map.current?.goTo(place, closeZoom, cardBelow)
    mark(machine.id)
  }

  function showWorst() {
    const list = inAlarm(view.rows)
    const next = list[(list.findIndex(({ id }) => id === markId) + 1) % list.length]
    if (next) show(next)
    else showToast(t.tools.noAlarm, 'info')
  }

  function empty(): ReactNode {
    if (view.status === 'failed') return <ListFailed view={view} />
    if (view.all.length === 0) return <NoMachines onAdd={props.onAdd} />
    if (view.rows.length === 0) return <NoMatch view={view} />
    return points.length === 0 ? (
      <EmptyState icon="map" title={t.list.noPlaces} hint={t.list.noPlacesHint} />
    ) : (
      <EmptyState icon="map" title={t.list.nothing} hint={t.list.nothingHint}>
        <Button onClick={() => map.current?.fit(points)}>{t.tools.fit}</Button>
      </EmptyState>
    )
  }

  const isReady = view.status === 'ready'
  const body = (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the Escape of what lies in it
    <div
      className={css.body}
      {...props.lookingProps}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || markId === undefined) return
        event.stopPropagation()
        close()
      }}
    >
      <div className={css.area}>
        {canDraw ? (
          <ErrorFence name="map">
            <p className={css.waiting}>{t.loading}</p>
            <MapArea
              points={points}
              states={states}
              view={parseView(search.at)}
              chosen={chosenPlaces}
              hovered={hoveredPlace}
              card={marked && markedPlace && { machine: marked, place: markedPlace }}
              cardDistance={marked && distanceOf(marked)}
              here={here}
              onMap={onMap}
              onView={onView}
              cardTakesFocus={takesFocus}
              onMark={(id) => {
                setTakesFocus(false)
                mark(id)
              }}
              onClose={close}
              onDetails={onOpen}
              onStack={(ids) => setStack(new Set(ids))}
              onHover={setHoveredMark}
              onChosen={(ids) => select(new Set(ids))}
              onWorst={showWorst}
              onNear={toggleNear}
            />
            {regions && <RegionCounts regions={regions} />}
          </ErrorFence>
        ) : (
          regions && <RegionList regions={regions} onOpen={onOpen} />
        )}
      </div>
      {canDraw && (
        <section className={css.side} aria-label={t.list.label}>
          <header className={css.sideHead}>
            <span role="status">
              {isReady && (stack ? t.list.stack(inSight.length) : t.list.inView(inSight.length))}
            </span>
            {stack && (
              <button type="button" className={css.link} onClick={() => setStack(undefined)}>
                {t.list.endStack}
              </button>
            )}
            <Unplaced count={unplaced} />
          </header>
          {isReady && inSight.length === 0 ? (
            empty()
          ) : (
            <MapList
              label={t.list.label}
              rows={inSight}
              markId={markId}
              hoveredId={hoveredMark}
              distanceOf={distanceOf}
              selected={selected}
              onToggle={(machine) => select((before) => toggleKey(before, [], machine.id, undefined, false))}
              onMark={show}
              onHover={setHoveredRow}
              onVisibleChange={props.onVisibleChange}
            />
          )}
        </section>
      )}
    </div>
  )
  const foot =
    chosen.length > 0 ? (
      <BulkBar
        machines={chosen}
        select={select}
        onBulk={props.onBulk}
        onSelectAll={() => select(new Set(inSight.map(({ id }) => id)))}
      />
    ) : null

  if (props.layout === 'narrow') {
    return (
      <Stack grows className={css.narrow}>
        <ListTop view={view} onAdd={props.onAdd} />
        <ListBanners />
        {body}
        {foot}
      </Stack>
    )
  }
  return (
    <Stack gap={12} grows className={frame.column}>
      <ListHead view={view} onAdd={props.onAdd} />
      <ListBanners />
      <section className={frame.panel} aria-label={listText.label}>
        <MachineToolbar view={view} searchRef={searchField}>
          {null}
        </MachineToolbar>
        {body}
        {foot}
      </section>
    </Stack>
  )
}

/** The way to the devices that the map cannot show. */
function Unplaced({ count }: { count: number }) {
  const t = useMapText()
  const [, updateSearch] = useListSearch()
  if (count === 0) return null
  return (
    <button
      type="button"
      className={css.chip}
      onClick={() => updateSearch({ listType: undefined, place: 'none', card: undefined })}
    >
      {t.unplaced(count)}
    </button>
  )
}
