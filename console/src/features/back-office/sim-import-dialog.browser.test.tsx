import { operator } from '@busbar/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { operatorSimsText } from '../../shared/i18n/en/operator-sims.ts'
import { SimImportDialog } from './sim-import-dialog.tsx'

const t = operatorSimsText.importing

let sent: unknown[]
let answer: object

beforeEach(() => {
  sent = []
  vi.stubGlobal('fetch', async (_: RequestInfo | URL, { body }: RequestInit = {}) => {
    sent.push(JSON.parse(String(body)))
    return new Response(JSON.stringify(answer))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SimImportDialog onClose={() => undefined} />
    </QueryClientProvider>,
  )
const start = page.getByRole('button', { name: t.start, exact: true })
const lines = operator.cardRefusals.map((_, place) => `898600000000000000${place},,Gold,`)

it('names each refused line with its reason, and saves the lines as they were', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:saved'
  })
  const refused = operator.cardRefusals.map((reason, place) => ({ line: place + 1, reason }))
  answer = { hwcode: 0, hwdata: { created: 3, refused } }
  await open()
  await expect.element(start).toBeDisabled()
  await page.getByLabelText(t.paste).fill(lines.join('\n'))
  await start.click()
  await expect.element(page.getByText(t.created('3'))).toBeVisible()
  expect(sent).toEqual([{ csv: lines.join('\n') }])
  for (const { line, reason } of refused)
    await expect.element(page.getByText(t.line(String(line), t.reasons[reason]))).toBeInTheDocument()
  await page.getByRole('button', { name: t.save }).click()
  await expect.poll(() => saved.length).toBe(1)
  const text = (await saved[0]?.text()) ?? ''
  expect(text).toContain('8986000000000000002')
  expect(text).toContain(t.reasons.twice)
})

it('says that nothing was registered if the import fails', async () => {
  answer = { hwcode: 420, hwreason: 'Full', error: { code: 'SIM_CARDS_FULL', message: 'Full' } }
  await open()
  await page.getByLabelText(t.paste).fill('8986000000000000001')
  await start.click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(start).toBeEnabled()
})
