import type { AnswerOf, visits } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { personQuery } from '../../shared/session/account-queries.ts'
import { VisitReportSheet } from './visit-report-sheet.tsx'

type Report = AnswerOf<typeof visits.getVisitReport>

const at = Date.parse('2026-11-28T10:03:12+08:00')
const changed = { sessionId: 5, at, mayPutBack: true }
const report = (changes: Report['changes']): Report => ({
  machine: { machineId: 7, machineCode: '18446744073709551615', name: 'Press' },
  ...{ from: at - 60_000, to: at + 60_000, visits: [], writes: [], changes, isCut: false },
})

async function draw(lang: 'cn' | 'en', changes: Report['changes']) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(personQuery.queryKey, { userid: 1, name: 'Ming Li' } as never)
  await render(
    <QueryClientProvider client={client}>
      <VisitReportSheet report={report(changes)} />
    </QueryClientProvider>,
    lang,
  )
}

test('the report has who left which value different, by which way, and counts them', async () => {
  await draw('en', [
    {
      ...changed,
      tagId: 1,
      tag: 'Speed',
      user: 'Ben',
      ways: ['write'],
      port: null,
      unit: null,
      place: null,
      from: 1,
      to: 2,
    },
    {
      ...changed,
      tagId: null,
      tag: '',
      user: 'Olga',
      ways: ['port'],
      port: 'plc',
      unit: 3,
      place: 'holding:12',
      from: null,
      to: '9',
    },
  ])
  const table = page.getByRole('region', { name: 'Changes' }).getByRole('table')
  const rows = table
    .getByRole('row')
    .elements()
    .map((row) => [...row.children].slice(1).map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Person', 'Variable', 'Before → after', 'Changed'],
    ['Ben', 'Speed', '1 → 2', 'written on the platform'],
    ['Olga', 'holding:12, unit 3', '— → 9', 'by a tool through port plc'],
  ])
  const total = page.getByRole('region', { name: 'Totals' }).getByText('Values changed')
  expect(total.element().nextElementSibling?.textContent).toBe('2')
})

test('a report of visits that left nothing different says so', async () => {
  await draw('cn', [])
  await expect.element(page.getByText('此时间范围内，访问未留下变更。')).toBeVisible()
  expect(page.getByRole('table').elements()).toEqual([])
})
