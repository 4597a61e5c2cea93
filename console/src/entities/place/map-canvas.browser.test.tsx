import axe from 'axe-core'
import { useEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { untilMapDrawn } from '../../../test-support/map-drawn.ts'
import { render } from '../../../test-support/render.tsx'
import { createStore, type Store, useStore } from '../../shared/api/store.ts'
import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import { MapCanvas, type MapCanvasProps } from './map-canvas.tsx'
import { MapLasso } from './map-lasso.tsx'
import { MapPin } from './map-pin.tsx'
import type { MapPoint, Place } from './map-point.ts'
import { layers } from './map-style.ts'
import type { PlaceMap } from './place-map.ts'
import { usePlaceMap } from './use-place-map.ts'

const shenzhen = { lat: 22.54, lng: 114.06 }
const point = (id: number, place: Place, state: DisplayState): MapPoint => ({
  id,
  name: `Machine ${id}`,
  state,
  ...place,
})
const three: readonly MapPoint[] = [
  point(1, shenzhen, 'online'),
  point(2, shenzhen, 'alarm'),
  point(3, { lat: 48.14, lng: 11.58 }, 'offline'),
]

function Told({ onMap }: { onMap: (map: PlaceMap) => void }) {
  const map = usePlaceMap()
  useEffect(() => onMap(map), [map, onMap])
  return null
}

function Changing({ changed, ...props }: MapCanvasProps & { changed: Store<readonly MapPoint[]> }) {
  return <MapCanvas {...props} points={useStore(changed)} />
}

/** Draws a map in a frame of 800 × 500, and answers it once it is drawn. */
async function draw(props: Partial<MapCanvasProps>, changed = createStore(three)): Promise<PlaceMap> {
  let map: PlaceMap | undefined
  await render(
    <main style={{ width: 800, height: 500 }}>
      <h1>Devices</h1>
      <Changing label="Map of devices" points={three} changed={changed} {...props}>
        <Told
          onMap={(made) => {
            map = made
          }}
        />
        {props.children}
      </Changing>
    </main>,
  )
  await untilMapDrawn()
  if (!map) throw new Error('the map was not made')
  return map
}

const clusters = ({ map }: PlaceMap) =>
  map.queryRenderedFeatures({ layers: [layers.clusters] }).map(({ properties }) => properties)
const marks = ({ map }: PlaceMap) =>
  map.queryRenderedFeatures({ layers: [layers.marks] }).map(({ properties }) => properties)

/** Presses the mouse on a place of the map. */
async function press(map: PlaceMap, place: Place): Promise<void> {
  const { x, y } = map.map.project(map.drawn(place))
  await userEvent.click(page.elementLocator(map.map.getCanvas()), { position: { x, y } })
}

test('shows all points at first, and counts the states of those that lie together', async () => {
  const map = await draw({})
  await expect.poll(() => clusters(map)).toMatchObject([{ point_count: 2, alarm: 1, online: 1, offline: 0 }])
  expect(marks(map)).toMatchObject([{ id: 3, state: 'offline' }])
  await expect.element(page.getByText('Schematic map, not surveyed')).toBeVisible()
  expect((await axe.run(document.body)).violations).toEqual([])
})

test('names cities in the language of the reader, with letters that the browser itself draws', async () => {
  const map = await draw({ view: { ...shenzhen, zoom: 4 } })
  const named = () =>
    map.map.queryRenderedFeatures({ layers: [layers.cities] }).map(({ properties }) => properties.cn)
  // They are read and drawn after the map itself.
  await expect.poll(named, { timeout: 30_000 }).toContain('武汉')
  expect(map.map.getGlyphs()).toBeFalsy()
})

test('a mark is opened by a press, and a cluster that no zoom takes apart tells its machines', async () => {
  const [onOpen, onCluster] = [vi.fn(), vi.fn()]
  const map = await draw({ onOpen, onCluster, view: { lat: 40, lng: 60, zoom: 2 } })
  await expect.poll(() => marks(map).length).toBe(1)
  await press(map, { lat: 48.14, lng: 11.58 })
  await expect.poll(() => onOpen.mock.calls).toEqual([[3]])
  await press(map, shenzhen)
  await expect.poll(() => onCluster.mock.calls.flat(2).sort()).toEqual([1, 2])
})

test('a machine that moves or changes its state does so on the map', async () => {
  const changed = createStore<readonly MapPoint[]>(three)
  const map = await draw({ view: { lat: 40, lng: 60, zoom: 2 } }, changed)
  await expect.poll(() => clusters(map).length).toBe(1)
  changed.set([point(1, shenzhen, 'warning'), point(2, { lat: 31, lng: 75 }, 'alarm')])
  const drawn = () =>
    marks(map)
      .map(({ id, state }) => `${id} ${state}`)
      .sort()
  await expect.poll(drawn).toEqual(['1 warning', '2 alarm'])
})

test('a drag with Shift chooses what lies inside, and the map stays where it is', async () => {
  const onChosen = vi.fn()
  const map = await draw({
    view: { lat: 40, lng: 60, zoom: 2 },
    children: <MapLasso isOn={false} onChosen={onChosen} />,
  })
  await expect.poll(() => marks(map).length).toBe(1)
  const canvas = map.map.getCanvas()
  const { left, top } = canvas.getBoundingClientRect()
  const to = map.map.project([114.06, 22.54])
  const event = (type: string, x: number, y: number) =>
    canvas.dispatchEvent(
      new PointerEvent(type, {
        clientX: left + x,
        clientY: top + y,
        shiftKey: true,
        bubbles: true,
        isPrimary: true,
        pointerId: 1,
      }),
    )
  const before = map.view
  event('pointerdown', to.x - 30, to.y - 30)
  event('pointermove', to.x + 30, to.y + 30)
  await expect.poll(() => document.querySelector('polygon')?.getAttribute('points')).toBeTruthy()
  event('pointerup', to.x + 30, to.y + 30)
  expect(onChosen.mock.calls).toEqual([[[1, 2]]])
  expect(map.view).toEqual(before)
})

test('a pin is moved by the arrow keys, and has its accuracy as a circle', async () => {
  const onMove = vi.fn()
  const map = await draw({
    view: { ...shenzhen, zoom: 7 },
    children: <MapPin at={shenzhen} accuracyM={20_000} label="Place of Pump 1" onMove={onMove} />,
  })
  const pin = page.getByRole('button', { name: 'Place of Pump 1' })
  await expect.element(pin).toBeVisible()
  ;(pin.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  const [moved] = onMove.mock.calls[0] as [Place]
  expect(moved.lng).toBeGreaterThan(shenzhen.lng)
  expect(moved.lat).toBeCloseTo(shenzhen.lat, 3)
  await expect
    .poll(() => map.map.getStyle().layers.filter(({ id }) => id.startsWith('accuracy-')).length)
    .toBe(2)
})

test('over tiles in GCJ-02, even such that fail, a mark is drawn where they have the place, and told where it is', async () => {
  const tiles = {
    id: '1',
    url: '/tiles/{z}/{x}/{y}',
    minZoom: 0,
    maxZoom: 18,
    system: 'gcj02',
    attribution: 'Somebody',
    reviewNumber: 'GS(2026)1234',
  } as const
  const map = await draw({ tiles, view: { ...shenzhen, zoom: 12 } })
  const [lng, lat] = map.drawn(shenzhen)
  expect(Math.abs(lng - shenzhen.lng)).toBeGreaterThan(0.003)
  const back = map.placeOf({ lng, lat })
  expect(back.lng).toBeCloseTo(shenzhen.lng, 5)
  expect(map.view.lat).toBeCloseTo(shenzhen.lat, 4)
  await expect.element(page.getByText('Somebody · GS(2026)1234')).toBeVisible()
})
