import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { checksText as cn } from '../../shared/i18n/cn/checks.ts'
import { checksText as en } from '../../shared/i18n/en/checks.ts'
import { CheckDialog } from './check-dialog.tsx'

const jobId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
let told: unknown
let asked = 0
let isReached = true

const part = (name: string, state: string, facts: object[] = []) => ({ part: name, state, ms: 12, facts })

beforeEach(() => {
  asked = 0
  isReached = true
  vi.stubGlobal('fetch', async (_: RequestInfo | URL, { method = 'GET', body }: RequestInit = {}) => {
    if (!isReached) throw new TypeError('Failed to fetch')
    if (method === 'POST') {
      told = JSON.parse(String(body))
      return new Response(JSON.stringify({ hwcode: 0, hwdata: { jobId } }))
    }
    const isDone = ++asked > 1
    const probe = { fact: 'probe', value: 'timeout', of: 'Press' }
    const hwdata = {
      ...{
        jobId,
        machineId: 3,
        state: isDone ? 'done' : 'running',
        startedAt: 1,
        endedAt: isDone ? 2 : null,
      },
      parts: [
        part('platform', 'ok'),
        isDone ? part('connections', 'failed', [probe]) : { ...part('connections', 'running'), ms: null },
      ],
      result: isDone
        ? {
            ...{ cause: 'plcSilent', who: 'onSite', isSure: false, connection: 'Press' },
            ...{ text: 'The controller of “Press” doesn’t answer.', itText: 'TCP 443, outwards' },
          }
        : null,
    }
    return new Response(JSON.stringify({ hwcode: 0, hwdata }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const dialog = (
  <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
    <CheckDialog wish={{ kind: 'check', machineId: 3, name: 'Pump' }} onClose={() => undefined} />
  </QueryClientProvider>
)

it('a check shows its parts as they come, then the cause and who has to act', async () => {
  await render(dialog)
  await expect.element(page.getByText(en.running)).toBeVisible()
  await expect.element(page.getByText(en.states.running, { exact: true })).toBeVisible()
  await expect.element(page.getByText('The controller of “Press” doesn’t answer.')).toBeVisible()
  await expect.element(page.getByText(`${en.acts}: ${en.who.onSite}`)).toBeVisible()
  await expect.element(page.getByText(en.likely, { exact: true })).toBeVisible()
  await expect.element(page.getByText(en.codes.timeout ?? '')).toBeVisible()
  expect(told).toMatchObject({ machineID: 3 })
  await page.getByText(en.it).click()
  await expect.element(page.getByText('TCP 443, outwards')).toBeVisible()
  await page.getByRole('button', { name: en.again }).click()
  await expect.poll(() => asked).toBeGreaterThan(2)
})

it('a check that does not reach the platform says so', async () => {
  isReached = false
  await render(dialog, 'cn')
  await expect.element(page.getByText(cn.lost)).toBeVisible()
})
