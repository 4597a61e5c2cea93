import { type AnswerOf, machines, places, tiles } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dragTo, render } from '../../../../test-support/render.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { hasWebGl } from '../../../entities/place/has-web-gl.ts'
import { app } from '../../../shared/i18n/en/app.ts'
import { placeText as t } from '../../../shared/i18n/en/places.ts'
import { updatePreferences } from '../../../shared/session/preferences.ts'
import { PlaceTab } from './place-tab.tsx'

const now = Date.now()
const placed: AnswerOf<typeof places.getPlace> = {
  place: { lat: 31.23, lng: 121.47, accuracy: null, source: 'manual', fixedAt: now },
  address: 'Shanghai, China',
  asTyped: null,
  suggestion: {
    lat: 31.24,
    lng: 121.47,
    accuracy: 800,
    source: 'wifi',
    fixedAt: now - 60_000,
    distanceM: 1_112,
  },
  type: 2,
  way: null,
  refreshes: { used: 2, max: 5, left: 3, resetAt: now + 3_600_000 },
  movedAfterM: 500,
  isMoved: false,
  movedFrom: null,
  coarse: null,
}
const past = { lat: 31.23, lng: 121.47, accuracy: 8, source: 'gps', implausible: null } as const
const history: AnswerOf<typeof places.listPlaceHistory> = {
  isCut: false,
  list: [
    { ...past, at: now - 7_200_000 },
    { ...past, at: now - 3_600_000, lat: 0, lng: 0, implausible: 'zero' },
  ],
}
const key = { id: 3, name: 'Press', level: machines.limitAuthority.bkey, readOnly: false } as Machine
let maps: readonly tiles.TileSource[]
let sent: [path: string, body: unknown][]

async function draw(
  machine: Machine,
  shown: Partial<typeof placed> = {},
  refusals: Readonly<Record<string, string>> = {},
) {
  sent = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(String(input), location.origin)
    if (method !== 'GET') sent.push([pathname, body && JSON.parse(String(body))])
    const refusal = refusals[pathname]
    if (refusal !== undefined)
      return new Response(
        JSON.stringify({ hwcode: 420, hwreason: refusal, error: { code: refusal, message: refusal } }),
      )
    const answers: Readonly<Record<string, unknown>> = {
      '/api/v1/machine/place': { ...placed, ...shown },
      '/api/v1/machine/placeHistory': history,
      [tiles.listSources.path]: maps,
      '/api/v1/machine/searchAddress': [
        { name: 'Springfield', address: `${searchParams.get('q')}, Illinois`, lat: 39.8, lng: -89.6 },
        { name: 'Springfield', address: `${searchParams.get('q')}, Missouri`, lat: 37.2, lng: -93.3 },
      ],
    }
    return new Response(JSON.stringify({ hwcode: 0, hwdata: answers[pathname] ?? {} }))
  })
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <PlaceTab machine={machine} />
    </QueryClientProvider>,
  )
}

beforeEach(() => {
  // The map is drawn by the tests of its pin alone: software draws it.
  hasWebGl.known = false
  maps = []
  updatePreferences({ mapSource: undefined })
})

afterEach(() => {
  hasWebGl.known = undefined
  vi.unstubAllGlobals()
})

it('a key locates a device, sees what is left of the day, and takes the suggestion', async () => {
  await draw(key)
  await expect.element(page.getByText(t.left(3, 5))).toBeVisible()
  await page.getByRole('button', { name: t.refresh }).click()
  await expect.poll(() => sent).toContainEqual(['/api/machine/machineAutoLocationAddress', { machineID: 3 }])
  await page.getByRole('button', { name: t.accept }).click()
  await expect
    .poll(() => sent)
    .toContainEqual(['/api/v1/machine/placeSuggestion', { machineID: 3, fixedAt: now - 60_000 }])
})

it('nothing can be located when the day is used up, and a coarse place says why', async () => {
  await draw(key, {
    refreshes: { ...placed.refreshes, used: 5, left: 0 },
    place: { lat: 31.23, lng: 121.47, accuracy: 40_000, source: 'ip', fixedAt: now },
    coarse: 'noProvider',
    isMoved: true,
    movedFrom: { lat: 31.2, lng: 121.4 },
  })
  await expect.element(page.getByRole('button', { name: t.refresh })).toBeDisabled()
  await expect.element(page.getByText(t.coarse.noProvider)).toBeVisible()
  await expect.element(page.getByText(t.moved)).toBeVisible()
  const between = t.movedFrom('31.20000, 121.40000', '31.24000, 121.47000')
  await expect.element(page.getByText(between)).toBeVisible()
  expect(sent).toEqual([])
})

it('a pair of coordinates is pasted into one field, and a refusal stands at it', async () => {
  await draw(key, {}, { '/api/v1/machine/setMachineLocation': 'PLACE_SWAPPED' })
  await page.getByRole('button', { name: t.byHand }).click()
  await page.getByLabelText(t.dialog.lat).fill('121.47, 31.23')
  await expect.element(page.getByLabelText(t.dialog.lng)).toHaveValue('31.23')
  await page.getByRole('button', { name: t.dialog.save }).click()
  await expect
    .poll(() => sent)
    .toContainEqual([
      '/api/v1/machine/setMachineLocation',
      { machineID: 3, type: 2, lat: 121.47, lng: 31.23, coord: 'wgs84' },
    ])
  await expect.element(page.getByLabelText(t.dialog.lat)).toHaveAttribute('aria-invalid', 'true')
})

it('an address that means several places is chosen from a list', async () => {
  await draw(key)
  await page.getByRole('button', { name: t.byHand }).click()
  await page.getByRole('radio', { name: t.dialog.address }).click()
  await page.getByLabelText(t.dialog.search).fill('Springfield')
  await userEvent.keyboard('{Enter}')
  await page.getByRole('button', { name: /^Springfield, Missouri/ }).click()
  await page.getByRole('button', { name: t.dialog.save }).click()
  await expect
    .poll(() => sent)
    .toEqual([
      [
        '/api/v1/machine/setMachineLocation',
        { machineID: 3, type: 3, lat: 37.2, lng: -93.3, address: 'Springfield, Missouri' },
      ],
    ])
})

it('a visitor reads everything and changes nothing, and sees which places are not believed', async () => {
  await draw({ ...key, level: machines.limitAuthority.visitor })
  await expect.element(page.getByText('Shanghai, China')).toBeVisible()
  await expect.element(page.getByText(t.notBelieved(t.implausible.zero))).toBeVisible()
  for (const name of [t.refresh, t.byHand, t.accept])
    expect(page.getByRole('button', { name }).elements()).toEqual([])
  await expect.element(page.getByRole('button', { name: `${t.type} ${t.types.manual}` })).toBeDisabled()
})

const pinButton = () => page.getByRole('button', { name: t.pin, exact: true })
const saveButton = () => page.getByRole('button', { name: t.dialog.save })

/** The tip of the pin, in the window. */
function tipOf() {
  const { x, width, bottom } = pinButton().element().getBoundingClientRect()
  return { x: x + width / 2, y: bottom }
}

/** Draws the tab with its map, and drags the pin by these pixels. */
async function drag(byX: number, byY: number): Promise<void> {
  await expect.element(pinButton()).toBeVisible()
  const { x, y, width, height } = pinButton().element().getBoundingClientRect()
  await dragTo(`[aria-label="${t.pin}"]`, { x: x + width / 2 + byX, y: y + height / 2 + byY })
}

const placeSent = () => sent.find(([path]) => path === places.setMachineLocation.path)?.[1]

it('a key drags the pin, and the place is set once they say so', async () => {
  hasWebGl.known = true
  await draw(key, { type: 1 })
  await drag(60, -30)
  await expect.element(page.getByText(/from where it is now$/)).toBeVisible()
  await expect.element(page.getByText(t.endsAuto)).toBeVisible()
  expect(sent).toEqual([])
  await saveButton().click()
  await expect.poll(placeSent).toMatchObject({
    machineID: 3,
    type: 2,
    coord: 'wgs84',
    lat: expect.closeTo(31.43, 0),
    lng: expect.any(Number),
  })
  const { lat, lng } = placeSent() as { lat: number; lng: number }
  expect(lat).toBeGreaterThan(31.3)
  expect(lng).toBeGreaterThan(121.7)
  await expect.element(page.getByText(t.set)).toBeVisible()
  await expect.element(saveButton()).not.toBeInTheDocument()
})

it('a pin goes back where its new place is refused, and the reason is shown', async () => {
  hasWebGl.known = true
  await draw(key, {}, { [places.setMachineLocation.path]: 'PLACE_ZERO' })
  await expect.element(pinButton()).toBeVisible()
  const before = tipOf()
  await drag(60, 30)
  expect(tipOf().x - before.x).toBeCloseTo(60, -1)
  await saveButton().click()
  await expect.element(page.getByText('PLACE_ZERO')).toBeVisible()
  await expect.poll(tipOf).toEqual(before)
})

it('arrow keys move the pin, and it goes back when they do not mean it', async () => {
  hasWebGl.known = true
  await draw(key)
  await expect.element(pinButton()).toBeVisible()
  const before = tipOf()
  ;(pinButton().element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.poll(() => Math.round(tipOf().x - before.x)).toBe(16)
  await page.getByRole('button', { name: app.cancel }).click()
  await expect.poll(tipOf).toEqual(before)
  expect(sent).toEqual([])
})

it.each([
  ['a visitor', { ...key, level: machines.limitAuthority.visitor }],
  ['a read-only key', { ...key, readOnly: true }],
])('%s has a pin that stays on its place', async (_who, machine) => {
  hasWebGl.known = true
  await draw(machine)
  await expect.element(pinButton()).toBeVisible()
  ;(pinButton().element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  await drag(60, 0)
  await expect.element(page.getByText('31.23000, 121.47000').first()).toBeVisible()
  expect(saveButton().query()).toBeNull()
})

it('a pin that was moved stays where it is when another map is chosen', async () => {
  hasWebGl.known = true
  // No tile is asked for below its first zoom.
  const plant: tiles.TileSource = {
    ...{ id: 8, name: { cn: '厂区', en: 'Plant' }, system: 'wgs84', minZoom: 17, maxZoom: 18 },
    ...{ attribution: 'Somebody', reviewNumber: '', version: 'a' },
  }
  maps = [{ ...plant, id: 7, name: { cn: '街道', en: 'Streets' }, system: 'gcj02' }, plant]
  await draw(key)
  await expect.element(pinButton()).toBeVisible()
  const map = page.getByRole('region', { name: t.map })
  // Close enough that the systems lie many pixels apart.
  ;(map.element() as HTMLElement).focus()
  await userEvent.keyboard('{=}{=}{=}{=}{=}')
  await drag(40, 20)
  const moved = tipOf()
  const first = map.element()
  await page.getByRole('button', { name: /Base map/ }).click()
  await page.getByRole('option', { name: 'Plant' }).click()
  await expect.poll(() => first.isConnected).toBe(false)
  await expect.element(pinButton()).toBeVisible()
  await expect.poll(() => Math.hypot(tipOf().x - moved.x, tipOf().y - moved.y)).toBeLessThan(2)
})
