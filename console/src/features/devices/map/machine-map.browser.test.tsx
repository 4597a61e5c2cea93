import type { tiles } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import axe from 'axe-core'
import { useState } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { untilMapDrawn } from '../../../../test-support/map-drawn.ts'
import { render } from '../../../../test-support/render.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { summarise } from '../../../entities/machine/machine-order.ts'
import { hasWebGl } from '../../../entities/place/has-web-gl.ts'
import { mapSourcesQuery } from '../../../entities/place/map-sources.ts'
import { siteListQuery } from '../../../entities/site/site-queries.ts'
import { mapText as t } from '../../../shared/i18n/en/map.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import type { RowKey } from '../../../shared/ui/data/virtual-grid.tsx'
import type { MachineListView } from '../list/use-machine-list.ts'
import { listSearch } from '../search.ts'
import { MachineMap } from './machine-map.tsx'
// Fetched before a test waits for it.
import './map-area.tsx'

const row = (id: number, lat: number | null, lng: number | null, change: Partial<Machine> = {}) =>
  ({
    ...{ id, lat, lng, name: `Pump ${id}`, code: String(id), remark: '', type: 'pump', model: '', level: 3 },
    ...{ online: true, cloudService: true, openAlarms: 0, worstAlarm: null, groups: [], overview: null },
    ...{ enterprise: null, application: null, role: 'akey', readOnly: false, lastSeen: null },
    ...change,
  }) as unknown as Machine
const rows = [
  row(1, 31.2, 121.5),
  row(2, 22.5, 114.1, { openAlarms: 2, worstAlarm: 'critical' }),
  row(3, 48.1, 11.6, { openAlarms: 1, worstAlarm: 'minor' }),
  row(4, null, null),
]
const nothing = () => undefined
const view = {
  ...{ status: 'ready', retry: nothing, retrying: false, all: rows, rows, summary: summarise(rows) },
  ...{ find: nothing, groups: [], query: '', setQuery: nothing, state: null, setState: nothing },
  ...{ groupId: null, setGroupId: nothing, isUnplaced: false, setUnplaced: nothing, isFiltered: false },
  ...{ clearFilters: nothing, sort: null, toggleSort: nothing, updatedAt: 0 },
} as unknown as MachineListView

const onOpen = vi.fn()

function Page() {
  const [selected, select] = useState<ReadonlySet<RowKey>>(new Set())
  return (
    <main style={{ width: 760, height: 480, display: 'flex' }}>
      <MachineMap
        {...{ view, selected, select, onOpen, layout: 'wide', openId: null, activeKey: null }}
        {...{ onActiveChange: nothing, onVisibleChange: nothing, onAdd: nothing, onBulk: nothing }}
        lookingProps={{ onPointerMove: nothing, onPointerLeave: nothing }}
      />
    </main>
  )
}

const plant: tiles.TileSource = {
  ...{ id: 4, name: { cn: '厂区', en: 'Plant' }, system: 'wgs84', minZoom: 1, maxZoom: 19 },
  ...{ attribution: 'Somebody', reviewNumber: 'GS(2026)1234', version: 'a1' },
}

const hall = {
  ...{ id: 7, name: 'Hall 1', eid: null, lat: 22.5, lng: 114.1, address: '', radiusM: 200, revision: 1 },
  ...{ mayEdit: true, updatedAt: 1, updatedBy: '', plans: 1, machines: [4] },
}

/** Draws the map of four pumps at an address; answers the address as it is at any moment. */
async function draw(address: string, sources: readonly tiles.TileSource[] = [], drawnMsMax?: number) {
  const root = createRootRoute()
  const index = createRoute({
    getParentRoute: () => root,
    path: '/index/',
    validateSearch: listSearch,
    component: Page,
  })
  const sites = createRoute({ getParentRoute: () => root, path: '/dataCenter/sites', component: () => null })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({ routeTree: root.addChildren([index, sites]), history })
  const client = new QueryClient()
  client.setQueryData(mapSourcesQuery.queryKey, [...sources])
  client.setQueryData(siteListQuery({}).queryKey, [hall])
  client.setQueryData(personQuery.queryKey, { hide_map: false } as never)
  await render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  // Tiles of a source never come here.
  if (hasWebGl() && sources.length === 0) await untilMapDrawn(drawnMsMax)
  return () => history.location.href
}

// The first map of a page fetches the library and its worker, and the browser makes its programs: longer than a test waits.
const firstMsMax = 120_000
beforeAll(async () => void (await draw('/index/?listType=map', [], firstMsMax)), firstMsMax)

const inSight = () =>
  page
    .getByRole('list', { name: t.list.label })
    .getByRole('listitem')
    .elements()
    .map((item) => /Pump \d/.exec(item.textContent ?? '')?.[0])

test('the list beside the map has the devices in sight, and the address keeps where the map is', async () => {
  const address = await draw('/index/?listType=map&at=27,117,4', [plant])
  await expect.element(page.getByText('Somebody · GS(2026)1234')).toBeVisible()
  await expect.poll(inSight).toEqual(['Pump 1', 'Pump 2'])
  await page.getByRole('button', { name: t.tools.fit }).click()
  await expect.poll(inSight).toEqual(['Pump 1', 'Pump 2', 'Pump 3'])
  await expect.poll(address).not.toContain('27%2C117%2C4')
  await expect.element(page.getByRole('button', { name: t.unplaced(1) })).toBeVisible()
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } })
  expect(violations).toEqual([])
})

test('“worst first” goes from alarm to alarm with their cards, which lead to the details', async () => {
  const address = await draw('/index/?listType=map&at=27,117,4')
  const worst = page.getByRole('button', { name: t.tools.worst })
  await expect.element(worst).toBeVisible()
  // The mouse rests where the test before left it, under a tip.
  const press = () => (worst.element() as HTMLElement).click()
  press()
  await expect.element(page.getByRole('region', { name: t.card.label('Pump 2') })).toBeVisible()
  press()
  await expect.element(page.getByRole('region', { name: t.card.label('Pump 3') })).toBeVisible()
  await expect.poll(address).toContain('card=3')
  await page.getByRole('button', { name: t.card.details }).click()
  expect(onOpen.mock.calls).toMatchObject([[{ id: 3 }]])
})

test('by the keyboard a card could not be reached from its row, nor closed', async () => {
  const address = await draw('/index/?listType=map&at=27,117,4')
  const row = page.getByRole('listitem').filter({ hasText: 'Pump 1' }).getByRole('button')
  ;(row.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('region', { name: t.card.label('Pump 1') })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.poll(address).not.toContain('card=')
  await expect.element(row).toHaveFocus()
})

test('a site is a mark in the state of its devices, on the map or not, and opens its plans', async () => {
  const address = await draw('/index/?listType=map&at=27,117,4')
  await page.getByRole('button', { name: 'Hall 1 · Online' }).click()
  await expect.poll(address).toContain('/dataCenter/sites?eid=0&site=7')
})

test('where the browser draws no map, the devices are listed by the region of the nearest large city', async () => {
  hasWebGl.known = false
  try {
    await draw('/index/?listType=map')
    await expect.element(page.getByText(t.regions.noWebGl, { exact: false })).toBeVisible()
    const names = () =>
      page
        .getByRole('group')
        .elements()
        .map((group) => group.querySelector('b')?.textContent)
    await expect.poll(names).toEqual(['Shanghai', 'Guangdong', 'Germany', t.regions.none])
  } finally {
    hasWebGl.known = undefined
  }
})
