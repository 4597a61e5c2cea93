import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import type { TagSeries } from '../../entities/history/history-series.ts'
import type { Past } from '../../entities/history/use-past.ts'
import { explorerText } from '../../shared/i18n/en/explorer.ts'
import { StatisticsTable } from './statistics-table.tsx'

const t = explorerText.statistics
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const begin = Date.UTC(2026, 0, 10)
const range = { from: begin, to: begin + 6 * hourMs }

/** The mean of the visible span is 40, that of a day before 30. */
beforeEach(() => {
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const from = Number(new URL(String(input), location.href).searchParams.get('from'))
    const mean = from === range.from ? 40 : 30
    const one = {
      tagId: 1,
      basis: 'samples',
      count: 5,
      mean,
      min: null,
      max: null,
      timeMean: null,
      last: null,
    }
    const rest = { delta: null, states: null, otherStatesMs: null, knownMs: 1, gapMs: 0 }
    return new Response(JSON.stringify({ hwcode: 0, hwdata: [{ ...one, ...rest }] }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const tag = { tagId: 1, name: 'temp', type: 'float64', unit: '°C', scale: 0 }
const points = [20, 21, 50, 51].map((value, place) => ({ at: range.from + place * hourMs, value }))
const series = (shiftMs: number) =>
  ({
    ...{ key: `1 ${shiftMs}`, shiftMs, intervalMs: 0, points },
    tag: { ...tag, name: shiftMs ? 'temp (1 d earlier)' : 'temp' },
  }) as unknown as TagSeries

it('the compared period has a row of its own with the difference, and the largest rise leads to its time', async () => {
  const show = vi.fn()
  const past = {
    ...{ range, tags: [tag], tagIds: [1], span: { kind: 'fixed', ...range }, show },
    history: { series: [series(0)], busy: false },
  } as unknown as Past
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <StatisticsTable past={past} compared={[series(dayMs)]} />
    </QueryClientProvider>,
  )
  const earlier = /^temp \(1 d earlier\) .* 30\s°C diff\. \+10 /
  await expect.element(page.getByRole('row', { name: earlier })).toBeVisible()
  await page.getByRole('button', { name: t.showRise('temp') }).click()
  const from = range.from + hourMs / 2
  expect(show).toHaveBeenCalledWith({ kind: 'fixed', from, to: from + 2 * hourMs })
})
