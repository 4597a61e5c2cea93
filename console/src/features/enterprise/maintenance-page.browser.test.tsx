import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { enterprises } from '../../shared/i18n/en/enterprises.ts'
import { MaintenancePage } from './maintenance-page.tsx'

const t = enterprises.maintenance
afterEach(() => {
  vi.unstubAllGlobals()
})

it('a service contract is not ended by one press, since only the other side can ask for it again', async () => {
  const calls: string[] = []
  const window = {
    ...{ id: 7, eid: 2, enterprise: 'Weber', machineId: 3, machineCode: '1', machineName: 'Pump' },
    ...{ start: 1, stop: -1, scopes: ['view', 'alarm'], reason: 'Contract', state: 'accepted' },
    ...{ requestedBy: 'Ann', at: 1, mayAnswer: true },
  }
  vi.stubGlobal('fetch', async (_: unknown, { method = 'GET' }: RequestInit = {}) => {
    calls.push(method)
    return new Response(
      JSON.stringify({ hwcode: 0, hwdata: method === 'GET' ? [window] : { state: 'ended' } }),
    )
  })
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <MaintenancePage />
    </QueryClientProvider>,
  )
  await page.getByRole('button', { name: new RegExp(`^${t.actions.end}`) }).click()
  await expect.element(page.getByRole('heading', { name: t.endOf('Weber') })).toBeVisible()
  expect(calls).not.toContain('PUT')
  await page.getByRole('dialog').getByRole('button', { name: t.actions.end, exact: true }).click()
  await expect.poll(() => calls).toContain('PUT')
})
