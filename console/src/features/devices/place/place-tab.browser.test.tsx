import { type AnswerOf, machines, type places } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import { placeText as t } from '../../../shared/i18n/en/places.ts'
import { PlaceTab } from './place-tab.tsx'

vi.mock('../../../entities/place/has-web-gl.ts', () => ({ hasWebGl: () => false }))

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

afterEach(() => {
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
