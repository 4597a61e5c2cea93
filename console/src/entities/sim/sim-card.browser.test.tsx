import { type SimState, type SimStopReason, simStates, simStatus, simStopReasons } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { simAnswer } from '../../../test-support/sim-answers.ts'
import { simsText as cn } from '../../shared/i18n/cn/sims.ts'
import { simsText as t } from '../../shared/i18n/en/sims.ts'
import { SimCard } from './sim-card.tsx'

/** The platform's cards by the ICCID that is asked for; another one is not there. */
let cards: ReturnType<typeof simAnswer>[]
let asked: string[]

beforeEach(() => {
  cards = []
  asked = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const { searchParams } = new URL(String(input), location.origin)
    const wished = searchParams.get('iccid')
    asked.push(wished ?? searchParams.get('machineCode') ?? '')
    const card = wished === null ? cards[0] : cards.find(({ iccid }) => iccid === wished)
    return new Response(
      JSON.stringify(
        card
          ? { hwcode: 0, hwdata: card }
          : { hwcode: 404, hwreason: '', error: { code: '404', message: 'Not found' } },
      ),
    )
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const machineCode = '1000000000000000007'

async function show(card: object, lang: 'cn' | 'en' = 'en'): Promise<void> {
  cards = [simAnswer(card)]
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await render(
    <QueryClientProvider client={client}>
      <SimCard asked={{ machineCode }} />
    </QueryClientProvider>,
    lang,
  )
}

const state = page.getByRole('region', { name: t.names.state })
const region = (name: string) => page.getByRole('region', { name })

it.each(simStates)('%s has a word, a meaning and an action in both languages', async (name: SimState) => {
  await show({ state: name, status: simStatus(name) })
  await expect.element(state.getByText(t.states[name], { exact: true })).toBeVisible()
  await expect.element(state.getByText(t.meanings[name].means)).toBeVisible()
  await expect.element(state.getByText(t.meanings[name].next)).toBeVisible()
  expect(state.element().querySelector('svg')).not.toBeNull()
  await show({ state: name, status: simStatus(name) }, 'cn')
  await expect.element(page.getByText(cn.meanings[name].means)).toBeVisible()
})

it.each(simStopReasons)(
  'a card that was stopped for %s says why, and what to do about that',
  async (reason: SimStopReason) => {
    await show({ state: 'suspended', status: 3, stopReason: reason })
    await expect.element(state.getByText(t.stopped(t.reasons[reason].name))).toBeVisible()
    await expect.element(state.getByText(t.reasons[reason].next)).toBeVisible()
    await expect.element(page.getByText(t.meanings.suspended.next)).not.toBeInTheDocument()
  },
)

it('says how much is used and left, how old that is, and when it will be used up', async () => {
  await show({
    usedMb: 850,
    leftMb: 150,
    forecast: { at: '2026-12-12', earliest: '2026-12-10', latest: '2026-12-15' },
  })
  const month = region(t.month)
  await expect.element(month.getByText('850\u202fMB of 1\u202fGB')).toBeVisible()
  await expect.element(month.getByText('85\u202f% used, 150\u202fMB left')).toBeVisible()
  await expect
    .element(month.getByText('Used up about 12 Dec at the current rate (10 Dec to 15 Dec)'))
    .toBeVisible()
  await expect.element(month.getByText(/may be 6 to 12 hours old/)).toBeVisible()
})

it('a forecast without a latest day may last the month, and a used-up volume says so', async () => {
  await show({
    usedMb: 1_200,
    leftMb: 0,
    forecast: { at: '2026-12-12', earliest: '2026-12-10', latest: null },
  })
  await expect.element(page.getByText(/10 Dec at the earliest; it may last the month/)).toBeVisible()
  await expect.element(page.getByText('120\u202f% used, none left')).toBeVisible()
})

it('shows the last good figures with their time while the carrier gives none', async () => {
  await show({ failedAt: Date.UTC(2026, 10, 29, 2) })
  await expect.element(page.getByText(/^Figures of .* The carrier gives none since /)).toBeVisible()
  await expect.element(page.getByText(/may be 6 to 12 hours old/)).not.toBeInTheDocument()
})

it('shows the card that the device reports in its place, and a wrong check digit', async () => {
  await show({ toldIccid: '89860000000000000019', hasWrongCheckDigit: true })
  await expect.element(state.getByText(t.told)).toBeVisible()
  await expect.element(state.getByRole('button', { name: /89860000000000000019/ })).toBeVisible()
  await expect.element(state.getByText(t.checkDigit)).toBeVisible()
})

it('draws the days of this month of the plan, those without a figure as well', async () => {
  await show({
    cycleFrom: '2026-11-27',
    cycleTo: '2026-12-26',
    days: [
      { day: '2026-11-30', mb: 12 },
      { day: '2026-11-28', mb: 3 },
      { day: '2026-11-02', mb: 99 },
    ],
    asOf: Date.UTC(2026, 10, 30),
  })
  const days = region(t.days).getByRole('listitem')
  await expect.element(days.first().getByText('27 Nov: 0\u202fMB')).toBeInTheDocument()
  expect(days.elements()).toHaveLength(4)
  await expect.element(days.last().getByText('30 Nov: 12\u202fMB')).toBeInTheDocument()
})

it('of several cards of a device shows the one that is chosen', async () => {
  const [first, second] = ['8986000000000000001', '8986000000000000002'] as const
  const both = { cards: [first, second] }
  await show({ iccid: first, ...both })
  cards.push(simAnswer({ iccid: second, state: 'expired', ...both }))
  await page.getByRole('button', { name: new RegExp(t.which) }).click()
  await page.getByRole('option', { name: second }).click()
  await expect.element(state.getByText(t.states.expired, { exact: true })).toBeVisible()
  expect(asked).toEqual([machineCode, second])
})

it('says that a card is not there any more', async () => {
  cards = []
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await render(
    <QueryClientProvider client={client}>
      <SimCard asked={{ iccid: '8986000000000000009' }} />
    </QueryClientProvider>,
  )
  await expect.element(page.getByText(t.gone)).toBeVisible()
})
