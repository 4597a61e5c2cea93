import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { commands, page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import { MapCanvas } from '../place/map-canvas.tsx'
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
const draw = () => {
  client = new QueryClient()
  return render(
    <QueryClientProvider client={client}>
      <div style={{ width: 600, height: 400 }}>
        <MapCanvas label="Map" points={[]} view={{ lat: 31, lng: 121, zoom: 5 }}>
          <SiteMarkers asked={{}} states={states} onOpen={(id) => opened.push(id)} />
        </MapCanvas>
      </div>
    </QueryClientProvider>,
  )
}

it('a site in sight is one mark in the worst state of its machines, and opens it', async () => {
  sites = [
    siteOf(1, 'Kunshan', 121, [1, 2, 3]),
    siteOf(2, 'Rotterdam', 4, [1]),
    siteOf(3, 'Hidden', null, [1]),
    siteOf(4, 'Empty', 122, []),
  ]
  await draw()
  await page.getByRole('button', { name: 'Sites · Kunshan · Alarm' }).click()
  expect(opened).toEqual([1])
  await expect.element(page.getByRole('button', { name: 'Sites · Empty', exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: /Rotterdam|Hidden/ }).elements()).toEqual([])
})

it('hundreds of sites in sight wait until the map is enlarged', async () => {
  sites = Array.from({ length: 41 }, (_, n) => siteOf(n + 1, `Hall ${n}`, 121, []))
  await draw()
  await expect.poll(() => client.getQueriesData({ queryKey: ['sites'] })[0]?.[1]).toHaveLength(41)
  await commands.still()
  expect(page.getByRole('button', { name: /^Sites/ }).elements()).toEqual([])
})
