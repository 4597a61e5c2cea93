import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { commands, page } from 'vitest/browser'
import { drawnMsMax, untilMapDrawn } from '../../../test-support/map-drawn.ts'
import { render } from '../../../test-support/render.tsx'
import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import { MapCanvas } from '../place/map-canvas.tsx'
import type { MapPoint } from '../place/map-point.ts'
import { SiteMarkers } from './site-markers.tsx'

const siteOf = (id: number, name: string, lng: number | null, machines: number[]) => ({
  ...{ id, name, eid: null, lat: lng === null ? null : 31, lng, address: '', radiusM: 200, revision: 1 },
  ...{ mayEdit: true, updatedAt: 1, updatedBy: '', plans: 1, machines },
})
let sites: ReturnType<typeof siteOf>[]
let opened: number[]

beforeEach(() => {
  opened = []
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ hwcode: 0, hwdata: sites })))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const states = new Map<number, DisplayState>([
  [1, 'online'],
  [2, 'alarm'],
])
let client: QueryClient
const draw = async (points: readonly MapPoint[] = []) => {
  client = new QueryClient()
  await render(
    <QueryClientProvider client={client}>
      <div style={{ width: 600, height: 400, position: 'relative' }} data-testid="map">
        <MapCanvas label="Map" points={points} view={{ lat: 31, lng: 121, zoom: 5 }}>
          <SiteMarkers asked={{}} states={states} onOpen={(id) => opened.push(id)} />
        </MapCanvas>
      </div>
    </QueryClientProvider>,
  )
  await untilMapDrawn()
}

it('a site in sight is one mark in the worst state of its machines, and opens it', async () => {
  sites = [
    siteOf(1, 'Kunshan', 121, [1, 2, 3]),
    siteOf(2, 'Rotterdam', 4, [1]),
    siteOf(3, 'Hidden', null, [1]),
    siteOf(4, 'Empty', 122, []),
  ]
  await draw()
  await page.getByRole('button', { name: 'Kunshan · Alarm' }).click()
  expect(opened).toEqual([1])
  await expect.element(page.getByRole('button', { name: 'Empty', exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: /Rotterdam|Hidden/ }).elements()).toEqual([])
})

it('hundreds of sites in sight wait until the map is enlarged', async () => {
  sites = Array.from({ length: 41 }, (_, n) => siteOf(n + 1, `Hall ${n}`, 121, []))
  await draw()
  await expect.poll(() => client.getQueriesData({ queryKey: ['sites'] })[0]?.[1]).toHaveLength(41)
  await commands.still()
  expect(page.getByRole('button', { name: /^Hall/ }).elements()).toEqual([])
})

it('the mark of a site covered the cluster of its machines, and stands on a side that is free', async () => {
  sites = [siteOf(1, 'Kunshan', 121, [1])]
  const clusters = [31, 32].map((lat) => ({ lat, lng: 121 }))
  await draw(
    clusters.flatMap((place, at) =>
      [1, 2].map((n) => ({ id: at * 2 + n, name: '', state: 'alarm' as const, ...place })),
    ),
  )
  const mark = page.getByRole('button', { name: 'Kunshan · Online' })
  await expect.element(mark).toBeVisible()
  const map = page.getByTestId('map').element().getBoundingClientRect()
  // The site is in the middle, and the clusters are there and a degree, 53 pixels, above.
  const covers = () => {
    const { left, right, top, bottom } = mark.element().getBoundingClientRect()
    return [200, 147].map(
      (y) =>
        Math.max(left - map.left - 300, 300 - right + map.left, top - map.top - y, y - bottom + map.top) < 20,
    )
  }
  // It moves once the clusters are drawn.
  await expect.poll(covers, { timeout: drawnMsMax }).toEqual([false, false])
})
