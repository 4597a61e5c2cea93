import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { hiddenMachineAnswer, machineAnswer as machineOf } from '../../../test-support/machine-answers.ts'
import { render } from '../../../test-support/render.tsx'
import { sitesText as t } from '../../shared/i18n/en/sites.ts'
import { sitesScreen } from './route.ts'

const drawing = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400"><path d="M0 0h800v400H0z"/></svg>')}`
const siteOf = (revision: number, marks: object[], more: object = {}) => ({
  ...{ id: 7, name: 'Hall 1', eid: null, lat: 31, lng: 121, address: 'Kunshan', radiusM: 200 },
  ...{ revision, mayEdit: true, updatedAt: 1, updatedBy: 'Me' },
  plans: [{ id: 70, name: 'Ground floor', picture: drawing, machines: marks }],
  ...more,
})

let site: ReturnType<typeof siteOf>
/** The answers of the calls that place machines, one each; then success. */
let refusals: object[]
let placed: Record<string, unknown>[]

beforeEach(() => {
  site = siteOf(1, [{ machineId: 1, x: 0.5, y: 0.5 }])
  refusals = []
  placed = []
  const list = {
    version: '1',
    list: [
      machineOf(1, 'Press 1', { openAlarms: 2, worstAlarm: 'critical' }),
      machineOf(2, 'Oven 2'),
      machineOf(3, 'Lathe 3', { online: false }),
      hiddenMachineAnswer(4, 'Hidden 4'),
    ],
  }
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(String(input), location.origin)
    if (method === 'PUT') {
      placed.push(JSON.parse(String(body)))
      const refusal = refusals.shift()
      if (refusal) return new Response(JSON.stringify(refusal))
      return new Response(JSON.stringify({ hwcode: 0, hwdata: { revision: site.revision + 1 } }))
    }
    const answers: Record<string, unknown> = {
      '/api/machine/select': list,
      '/api/v1/sites': [{ ...site, plans: 1, machines: [1] }],
      '/api/v1/sites/7': site,
    }
    return new Response(JSON.stringify({ hwcode: 0, hwdata: answers[pathname] ?? [] }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function open(address: string, layout: 'wide' | 'narrow' = 'wide') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const root = createRootRoute()
  const shell = createRoute({ getParentRoute: () => root, id: 'shell' })
  const pages = [createRoute({ getParentRoute: () => shell, ...sitesScreen })]
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

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const plan = page.getByRole('group', { name: t.view.label('Ground floor') })
const unplaced = page.getByRole('region', { name: t.edit.unplaced })
/** Of the picture, once it is loaded, twice as wide as high, and stands still: what comes later moves it. */
async function pictureBox(): Promise<DOMRect> {
  const box = () => plan.element().querySelector('img')?.getBoundingClientRect() as DOMRect
  await expect.poll(() => Math.round((box().width / box().height) * 10)).toBe(20)
  await commands.still()
  return box()
}
/** The middle of an element as a part of the plan’s picture. */
function partOf(name: string): { x: number; y: number } {
  const picture = plan.element().querySelector('img')?.getBoundingClientRect() as DOMRect
  const mark = page
    .getByRole('button', { name: new RegExp(`^${name}, `) })
    .element()
    .getBoundingClientRect()
  return {
    x: (mark.x + mark.width / 2 - picture.x) / picture.width,
    y: (mark.y + mark.height / 2 - picture.y) / picture.height,
  }
}

it('the list says each site’s worst state, and opens it', async () => {
  const router = await open('/dataCenter/sites?eid=0')
  const row = page.getByRole('row').filter({ hasText: 'Hall 1' })
  await expect.element(row.getByText('Alarm', { exact: true })).toBeVisible()
  await row.click()
  await expect.element(plan).toBeVisible()
  expect(router.state.location.search).toMatchObject({ site: 7 })
})

it('a mark is the machine’s state in shape and word, and opens its card', async () => {
  await open('/dataCenter/sites?eid=0&site=7')
  const mark = button(/^Press 1, Alarm/)
  await mark.click()
  await expect.element(mark).toHaveAttribute('aria-pressed', 'true')
  const card = page.getByRole('region', { name: t.view.card })
  await expect.element(card.getByText(t.view.alarms(2))).toBeVisible()
  await expect
    .element(card.getByRole('link', { name: t.view.details }))
    .toHaveAttribute('href', expect.stringMatching(/^\/index\/?\?machine=1$/))
  await userEvent.keyboard('{Escape}')
  await expect.element(card).not.toBeInTheDocument()
})

it('a machine is dragged onto the plan, and saved where it was dropped', async () => {
  await open('/dataCenter/sites?eid=0&site=7&edit=true')
  await expect.element(unplaced.getByText('Oven 2')).toBeVisible()
  await expect.element(unplaced.getByText('Hidden 4')).not.toBeInTheDocument()
  const box = await pictureBox()
  const to = { x: box.x + box.width / 4, y: box.y + box.height / 4 }
  await commands.dragTo('li:has(button[aria-label="Place Oven 2"]) > span', to)
  await expect.element(button(/^Oven 2, Online/)).toHaveAttribute('aria-pressed', 'true')
  await button(t.edit.save).click()
  await expect.poll(() => placed).toHaveLength(1)
  const [{ place, takeOff, revision }] = placed as [
    { place: { machineId: number; x: number; y: number }[]; takeOff: number[]; revision: number },
  ]
  expect([takeOff, revision, place.map(({ machineId }) => machineId)]).toEqual([[], 1, [2]])
  expect(place[0]?.x).toBeCloseTo(0.25, 1)
  expect(place[0]?.y).toBeCloseTo(0.25, 1)
})

it('a mark is dragged, and stays under the pointer while the plan is enlarged', async () => {
  await open('/dataCenter/sites?eid=0&site=7&edit=true')
  await pictureBox()
  await button(t.view.zoomIn).click()
  const box = plan.element().getBoundingClientRect()
  await commands.dragTo('[data-machine="1"]', { x: box.x + box.width * 0.7, y: box.y + box.height * 0.3 })
  const mark = page
    .getByRole('button', { name: /^Press 1, / })
    .element()
    .getBoundingClientRect()
  expect(Math.abs(mark.x + mark.width / 2 - box.x - box.width * 0.7)).toBeLessThan(3)
  expect(Math.abs(mark.y + mark.height / 2 - box.y - box.height * 0.3)).toBeLessThan(3)
})

it('the keyboard places a machine, moves it, and takes another off', async () => {
  await open('/dataCenter/sites?eid=0&site=7&edit=true')
  const press = unplaced.getByRole('button', { name: t.edit.placeOf('Lathe 3') })
  await press.click()
  const mark = button(/^Lathe 3, Offline/)
  await expect.element(mark).toHaveFocus()
  const before = partOf('Lathe 3')
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}{ArrowUp}')
  const after = partOf('Lathe 3')
  expect(after.x).toBeGreaterThan(before.x)
  expect(after.y).toBeLessThan(before.y)
  ;(button(/^Press 1, /).element() as HTMLElement).focus()
  await userEvent.keyboard('{Delete}')
  await expect.element(unplaced.getByText('Press 1')).toBeVisible()
  await button(t.edit.save).click()
  await expect.poll(() => placed).toMatchObject([{ place: [{ machineId: 3 }], takeOff: [1], revision: 1 }])
})

it('the change of another editor is shown under one’s own, which are saved again', async () => {
  await open('/dataCenter/sites?eid=0&site=7&edit=true')
  await unplaced.getByRole('button', { name: t.edit.placeOf('Lathe 3') }).click()
  refusals = [
    {
      ...{ hwcode: 420, hwreason: 'SITE_CHANGED', error: { code: 'SITE_CHANGED', message: '' } },
      hwdata: { revision: 2, by: 'Li Wei', at: 1 },
    },
  ]
  site = siteOf(2, [
    { machineId: 1, x: 0.1, y: 0.1 },
    { machineId: 2, x: 0.9, y: 0.9 },
  ])
  await button(t.edit.save).click()
  await expect.element(page.getByText(t.edit.merged('Li Wei'))).toBeVisible()
  await expect.element(button(/^Oven 2, /)).toBeVisible()
  expect(partOf('Press 1').x).toBeCloseTo(0.1, 1)
  await button(t.edit.save).click()
  await expect.poll(() => placed.map(({ revision }) => revision)).toEqual([1, 2])
  expect(placed[1]).toMatchObject({ place: [{ machineId: 3 }], takeOff: [] })
})

it('unsaved changes are asked about before the site is left', async () => {
  const router = await open('/dataCenter/sites?eid=0&site=7&edit=true')
  await unplaced.getByRole('button', { name: t.edit.placeOf('Oven 2') }).click()
  await button(t.site.back).click()
  await expect.element(page.getByRole('dialog', { name: t.site.leaveAsk })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ site: 7 })
  await page.getByRole('dialog').getByRole('button', { name: t.edit.discard }).click()
  await expect.poll(() => 'site' in router.state.location.search).toBe(false)
})

it('people who only look have no way to change it, also without a plan', async () => {
  site = siteOf(1, [], { mayEdit: false, plans: [] })
  await open('/dataCenter/sites?eid=0&site=7&edit=true', 'narrow')
  await expect.element(page.getByText(t.site.noPlanMember)).toBeVisible()
  await expect.element(button(t.site.addPlan)).not.toBeInTheDocument()
})
