import type { AnswerOf, RequestOf, visits } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { push } from '../../../shared/api/live.ts'
import type { WriteEvent } from '../../../shared/api/push-messages.ts'
import { useVisitChanges } from './use-visit-changes.tsx'

const visit = { machineId: 7, sessionId: 5, user: 'Ben Carter', mode: 'rw' } as const
const at = Date.parse('2026-11-28T10:03:12+08:00')

const change = (tagId: number, tag: string, more: Partial<visits.VisitChange> = {}): visits.VisitChange => ({
  ...{ tagId, tag, port: null, unit: null, place: null, ways: ['write'], from: 60, to: 72.5, at },
  mayPutBack: true,
  ...more,
})
const record = (more: Partial<visits.VisitChanges>): visits.VisitChanges => ({
  ...{ state: 'done', changes: [], drifts: [], revision: null, isCut: false },
  ...more,
})

/** Answers of the platform to one reading after the other; the last one stays. */
let records: visits.VisitChanges[]
let results: AnswerOf<typeof visits.putBackChanges>['results']
let role: { limit_authority: number; readOnly: boolean }
let read: number
let client: QueryClient
let asked: RequestOf<typeof visits.putBackChanges>['tagIds'][]
let tell: (event: Partial<WriteEvent>) => void

beforeEach(() => {
  results = []
  role = { limit_authority: 2, readOnly: false }
  read = 0
  client = new QueryClient()
  asked = []
  vi.spyOn(push, 'on').mockImplementation((name, listener) => {
    if (name === 'writeResult') tell = (event) => listener({ machineId: 7, reason: '', ...event } as never)
    return () => {}
  })
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = String(input)
    const answer = () => {
      if (url.includes('/role/info')) return { role: 'bkey', alarm: true, visitTime: -1, ...role }
      if (url.includes('/putBack')) {
        asked.push(JSON.parse(String(init?.body)).tagIds)
        return { results }
      }
      return records[Math.min(read++, records.length - 1)]
    }
    return new Response(JSON.stringify({ hwcode: 0, hwdata: answer() }))
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function Row({ mode }: { mode: visits.VisitMode }) {
  const { toggle, record } = useVisitChanges({ ...visit, mode })
  return (
    <li>
      <h3>Ben Carter</h3>
      {toggle}
      {record}
    </li>
  )
}

async function draw(lang: 'cn' | 'en' = 'en', mode: visits.VisitMode = 'rw') {
  await render(
    <QueryClientProvider client={client}>
      <main style={{ width: 320 }}>
        <h1>Press</h1>
        <h2>Visits</h2>
        <ul>
          <Row mode={mode} />
        </ul>
      </main>
    </QueryClientProvider>,
    lang,
  )
}

const toggle = page.getByRole('button', { name: /^(Changes|变更) · Ben Carter$/ })

test('the record is read once it is opened, and tells values, ways and places; those that drifted are apart', async () => {
  records = [
    record({
      changes: [
        change(1, 'Holding time', { mayPutBack: false }),
        change(2, 'Mixer', {
          ways: ['page', 'port'],
          port: 'plc',
          unit: 1,
          place: 'coil:4',
          from: false,
          to: true,
        }),
        change(3, 'Recipe', { ways: ['page'], from: null, to: 'B' }),
        change(0, '', {
          tagId: null,
          ways: ['port'],
          port: 'plc',
          unit: 3,
          place: 'holding:12',
          mayPutBack: false,
        }),
      ],
      drifts: [{ tagId: 9, tag: 'Level', from: 1, to: 2 }],
      revision: { from: 4, to: 5 },
      isCut: true,
    }),
  ]
  await draw()
  await expect.element(toggle).toHaveAttribute('aria-expanded', 'false')
  expect(read).toBe(0)
  await toggle.click()
  await expect.element(page.getByText('from 60 to 72.5').first()).toBeInTheDocument()
  const rows = page.getByRole('listitem').elements().slice(1)
  const texts = rows.map((row) => row.textContent)
  expect(texts[0]).toMatch(/^Holding time.*written on the platform/)
  expect(texts[1]).toMatch(
    /^Mixer.*from off to on.*on the device’s page · by a tool through port plc · coil:4, unit 1/i,
  )
  expect(texts[2]).toMatch(/^Recipe.*from — to B/)
  expect(texts[3]).toMatch(/^holding:12, unit 3.*from 60 to 72\.5.*by a tool through port plc/)
  await expect.element(page.getByText('Agent configuration changed: version 4 → version 5')).toBeVisible()
  await expect.element(page.getByText('There are too many changes to list all of them.')).toBeVisible()
  const drift = page.getByText('Level')
  expect(drift.elements()).toEqual([])
  await page.getByRole('button', { name: 'Also different (1)' }).click()
  await expect.element(drift).toBeVisible()
  await expect.element(page.getByText(/changed on their own/)).toBeVisible()
  expect((await axe.run(document.body)).violations).toEqual([])
  expect(document.body.scrollWidth).toBeLessThanOrEqual(document.body.clientWidth)
})

test('a visit that just ended is read again until its last values are there, and one without changes says so', async () => {
  records = [record({ state: 'settling' }), record({})]
  await draw('cn')
  await toggle.click()
  await expect.element(page.getByText('访问刚结束，正在等待最后的值…')).toBeVisible()
  await expect.element(page.getByText('本次访问未更改任何值')).toBeVisible()
  expect(page.getByText('访问刚结束，正在等待最后的值…').elements()).toEqual([])
})

test('a visit under way that changed nothing yet says so, and names no changes', async () => {
  records = [record({ state: 'open' })]
  await draw('en')
  await toggle.click()
  await expect
    .element(page.getByText('The visit is still active and has changed no values so far.'))
    .toBeVisible()
  expect(page.getByText(/These are its changes/).elements()).toEqual([])
})

test('a visit that was never in control says so, and one that only looked has no record', async () => {
  records = [record({ state: 'none' })]
  await draw()
  await toggle.click()
  await expect
    .element(page.getByText('This visit was never in control, so it changed no values'))
    .toBeVisible()
  await draw('en', 'ro')
  expect(toggle.elements()).toEqual([])
})

test('former values are named before they are written, each with its own end', async () => {
  records = [
    record({
      changes: [change(1, 'Temperature'), change(2, 'Speed'), change(3, 'Pressure', { mayPutBack: false })],
    }),
  ]
  results = [
    { tagId: 1, commandId: 40, refusal: '', why: '' },
    { tagId: 2, commandId: null, refusal: 'CHANGED_SINCE', why: 'The value has been changed since.' },
  ]
  await draw()
  await toggle.click()
  const putBack = page.getByRole('button', { name: 'Put back' })
  await expect.element(putBack).toBeDisabled()
  expect(page.getByRole('checkbox', { name: 'Select Pressure' }).elements()).toEqual([])
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await putBack.click()
  const dialog = page.getByRole('dialog', { name: 'Put back 2 values?' })
  await expect.element(dialog.getByText('Temperature')).toBeVisible()
  await expect.element(dialog.getByText('from 72.5 to 60').first()).toBeInTheDocument()
  expect(asked).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Put back' }))
  await expect.element(page.getByText('Speed: The value has been changed since.')).toBeInTheDocument()
  await expect.element(page.getByText('Temperature: Sent')).toBeInTheDocument()
  expect(asked).toEqual([[1, 2]])
  // A refused value can be tried again.
  await expect.element(page.getByRole('checkbox', { name: 'Select Temperature' })).toBeDisabled()
  await expect.element(page.getByRole('checkbox', { name: 'Select Speed' })).toBeEnabled()

  tell({ commandId: 41, tagId: 1, state: 'failed', kept: undefined })
  tell({ commandId: 40, tagId: 1, state: 'confirmed', kept: undefined })
  await expect.element(page.getByText('Temperature: Confirmed')).toBeInTheDocument()
  expect((await axe.run(document.body)).violations).toEqual([])
})

test.for([
  { limit_authority: 2, readOnly: true },
  { limit_authority: 0, readOnly: false },
])('a person who may not write (%o) can put nothing back', async (right) => {
  records = [record({ changes: [change(1, 'Temperature'), change(2, 'Speed')] })]
  await draw()
  await toggle.click()
  await expect.element(page.getByRole('checkbox', { name: 'Select Speed' })).toBeVisible()
  role = right
  await client.invalidateQueries({ queryKey: ['role', 7] })
  await expect.poll(() => page.getByRole('checkbox').elements()).toEqual([])
  expect(page.getByRole('button', { name: 'Put back' }).elements()).toEqual([])
})
