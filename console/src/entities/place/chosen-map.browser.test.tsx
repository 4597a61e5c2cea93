import type { tiles } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { untilMapDrawn } from '../../../test-support/map-drawn.ts'
import { render } from '../../../test-support/render.tsx'
import { getPreferences, updatePreferences } from '../../shared/session/preferences.ts'
import { ChosenMap } from './chosen-map.tsx'
import { findSource, mapSourcesQuery, schematicId, tilesOf } from './map-sources.ts'
import type { PlaceMap } from './place-map.ts'
import { usePlaceMap } from './use-place-map.ts'

const streets: tiles.TileSource = {
  id: 3,
  name: { cn: '街道', en: 'Streets' },
  system: 'gcj02',
  minZoom: 1,
  maxZoom: 16,
  attribution: 'Somebody',
  reviewNumber: 'GS(2026)1234',
  version: 'a1',
}
const plant: tiles.TileSource = {
  ...streets,
  id: 4,
  name: { cn: '厂区', en: 'Plant' },
  system: 'wgs84',
  maxZoom: 19,
}
const crossing = { lat: 22.54, lng: 114.06 }

let map: PlaceMap | undefined
function Told() {
  const made = usePlaceMap()
  useEffect(() => {
    map = made
  }, [made])
  return null
}

async function draw(sources: readonly tiles.TileSource[] | undefined): Promise<void> {
  const client = new QueryClient({ defaultOptions: { queries: { retryDelay: 3_600_000 } } })
  if (sources) client.setQueryData(mapSourcesQuery.queryKey, [...sources])
  map = undefined
  await render(
    <QueryClientProvider client={client}>
      <main style={{ width: 800, height: 500 }}>
        <h1>Devices</h1>
        <ChosenMap label="Map of devices" points={[]} view={{ ...crossing, zoom: 7 }}>
          <Told />
        </ChosenMap>
      </main>
    </QueryClientProvider>,
  )
  await untilMapDrawn()
}

beforeEach(() => updatePreferences({ mapSource: undefined }))

test('without maps of the operator the schematic one is drawn, and there is nothing to choose', async () => {
  await draw([])
  await expect.element(page.getByText('Schematic map, not surveyed')).toBeVisible()
  expect(page.getByRole('button', { name: /Base map/ }).query()).toBeNull()
})

test('where the platform does not say its maps, the schematic one is drawn', async () => {
  await draw(undefined)
  await expect.element(page.getByText('Schematic map, not surveyed')).toBeVisible()
})

test('the operator’s first map is drawn with attribution and review number, and the view stays over another one', async () => {
  await draw([streets, plant])
  await expect.element(page.getByText('Somebody · GS(2026)1234')).toBeVisible()
  expect(map?.map.getMaxZoom()).toBe(16)
  const [lng] = map?.drawn(crossing) ?? []
  expect(Math.abs((lng ?? 0) - crossing.lng)).toBeGreaterThan(0.003)

  const before = map
  await page.getByRole('button', { name: /Base map/ }).click()
  await page.getByRole('option', { name: 'Plant' }).click()
  await expect.poll(() => map !== before && map?.map.getMaxZoom()).toBe(19)
  expect(map?.drawn(crossing)).toEqual([crossing.lng, crossing.lat])
  await expect.poll(() => map?.view.lng).toBeCloseTo(crossing.lng, 4)
  expect(getPreferences().mapSource).toBe(plant.id)

  await page.getByRole('button', { name: /Base map/ }).click()
  await page.getByRole('option', { name: 'Schematic' }).click()
  await expect.element(page.getByText('Schematic map, not surveyed')).toBeVisible()
})

test('an attribution of several lines lay over the scale, and leaves the choice above it', async () => {
  await draw([{ ...streets, attribution: 'Everybody who made this map. '.repeat(8) }])
  const source = page.getByText('Everybody', { exact: false }).element().getBoundingClientRect()
  const choice = page
    .getByRole('button', { name: /Base map/ })
    .element()
    .getBoundingClientRect()
  const scale = document.querySelector('.maplibregl-ctrl-scale')?.getBoundingClientRect() ?? source
  expect(source.height).toBeGreaterThan(20)
  expect(choice.bottom).toBeLessThan(source.top)
  expect(scale.bottom).toBeLessThanOrEqual(source.top)
  expect(scale.right).toBeLessThan(choice.left)
})

test('a source that is gone gives way to the first one, and a changed one has another address', () => {
  expect(findSource([streets, plant], 9)).toBe(streets)
  expect(findSource([streets, plant], plant.id)).toBe(plant)
  expect(findSource([streets], schematicId)).toBeUndefined()
  expect(findSource([], 9)).toBeUndefined()
  expect(tilesOf(streets).url).toBe('/api/v1/tiles/3/{z}/{x}/{y}?v=a1')
  expect(tilesOf({ ...streets, version: 'a2' }).id).not.toBe(tilesOf(streets).id)
})
