import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { listedSimAnswer, simAnswer } from '../../../test-support/sim-answers.ts'
import { simsText as t } from '../../shared/i18n/en/sims.ts'
import { simsScreen } from './route.ts'

const [pressIccid, ovenIccid] = ['8986000000000000001', '8986000000000000002'] as const
const press = listedSimAnswer(pressIccid, 'Press 1')
const oven = listedSimAnswer(ovenIccid, 'Oven 2', {
  ...{ state: 'suspended', status: 3, stopReason: 'overQuota', usedMb: 1_000, leftMb: 0 },
})

let rows: (typeof press)[]
/** The requests for rows of a page. */
let asked: URLSearchParams[]

beforeEach(() => {
  rows = [press, oven]
  asked = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const { pathname, searchParams } = new URL(String(input), location.origin)
    return new Response(JSON.stringify({ hwcode: 0, hwdata: answer(pathname, searchParams) }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function answer(pathname: string, wish: URLSearchParams): unknown {
  if (pathname === '/api/iotcard/iotCard/getIotCard') return simAnswer({ iccid: wish.get('iccid') })
  if (pathname === '/api/machine/select') return { version: '1', list: [] }
  if (pathname !== '/api/iotcard/v1/cards') return []
  if (wish.get('pageSize') !== '1') asked.push(wish)
  const found = rows.filter(({ state }) => (wish.get('state') ?? state) === state)
  const states = [...new Set(found.map(({ state }) => state))]
  return {
    list: found,
    total: found.length,
    page: 1,
    pageSize: 100,
    sums: {
      usedMb: found.reduce((sum, { usedMb }) => sum + usedMb, 0),
      totalMb: found.length * 1_000,
      openMb: 0,
      byState: states.map((state) => ({ state, count: found.filter((row) => row.state === state).length })),
    },
    plans: [press.plan],
    carriers: ['North'],
  }
}

async function open(address: string, layout: 'wide' | 'narrow' = 'wide') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const root = createRootRoute()
  const shell = createRoute({ getParentRoute: () => root, id: 'shell' })
  const pages = [createRoute({ getParentRoute: () => shell, ...simsScreen })]
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren(pages as never) as never]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  await render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
    'en',
    { layout },
  )
  return router
}

const row = (name: string) => page.getByRole('row').filter({ hasText: name })
const states = page.getByRole('radiogroup', { name: t.list.byState })
const sums = (used: string, total: string, share: string) =>
  page.getByText(t.list.sums(`${used}\u202fGB`, `${total}\u202fGB`, `${share}\u202f%`))

it('sums the usage, and a press on a state finds its cards, which the address keeps', async () => {
  const router = await open('/dataCenter/sims?eid=0')
  await expect.element(sums('1.31', '2', '66')).toBeVisible()
  await expect.element(row('Oven 2').getByText(t.reasons.overQuota.name)).toBeVisible()
  await states.getByRole('radio', { name: new RegExp(t.states.suspended) }).click()
  await expect.element(row('Press 1')).not.toBeInTheDocument()
  await expect.element(sums('1', '1', '100')).toBeVisible()
  expect(router.state.location.search).toMatchObject({ eid: 0, state: 'suspended' })
  // The other states stay with their counts.
  await states.getByRole('radio').first().click()
  await expect.element(row('Press 1')).toBeVisible()
  expect(router.state.location.search).not.toHaveProperty('state', 'suspended')
})

it('begins with the search and filters of its address', async () => {
  await open('/dataCenter/sims?eid=0&q=press&daysLeft=30&usedPercent=80&planId=3&carrier=North')
  await expect.element(row('Press 1')).toBeVisible()
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
    search: 'press',
    daysLeft: '30',
    usedPercent: '80',
    planId: '3',
    carrier: 'North',
  })
  await expect.element(page.getByRole('searchbox')).toHaveValue('press')
})

it('writes what is typed into the address', async () => {
  const router = await open('/dataCenter/sims?eid=0')
  await page.getByRole('searchbox').fill('oven')
  await expect.poll(() => router.state.location.search).toMatchObject({ q: 'oven' })
  await expect.poll(() => asked.at(-1)?.get('search')).toBe('oven')
})

it('opens a card beside the list', async () => {
  const router = await open('/dataCenter/sims?eid=0')
  await row('Press 1').click()
  await expect.element(page.getByRole('complementary', { name: t.card })).toBeVisible()
  await expect.element(page.getByText(t.meanings.working.means)).toBeVisible()
  expect(router.state.location.search).toMatchObject({ iccid: pressIccid })
  await page.getByRole('button', { name: t.close }).click()
  await expect.element(page.getByText(t.meanings.working.means)).not.toBeInTheDocument()
})

it('says where cards come from while there are none', async () => {
  rows = []
  await open('/dataCenter/sims?eid=0')
  await expect.element(page.getByText(t.list.emptyHint)).toBeVisible()
})
