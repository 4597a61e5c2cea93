import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { alarms } from '../../../shared/i18n/en/alarms.ts'
import { machines } from '../../../shared/i18n/en/machines.ts'
import { OpenAlarms } from './open-alarms.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('acknowledging a standing alarm left its repeats unacknowledged', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_: RequestInfo | URL, { body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(JSON.parse(body))
    return Response.json({ hwcode: 0, hwreason: 'OK', hwdata: { confirmed: 3 } })
  })
  const alarm = {
    ...{ alarmId: 7, key: 'E1', level: 'major' as const, text: 'Too hot', raisedAt: Date.now(), count: 3 },
    ...{ ruleId: null, confirmedAt: null, shelvedUntil: null, outOfService: false },
  }
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <OpenAlarms machineId={1} alarms={[alarm]} total={1} />
    </QueryClientProvider>,
  )
  await page.getByRole('button', { name: machines.alarms.confirmOne('Too hot') }).click()
  await page.getByRole('dialog').getByRole('button', { name: alarms.acts.confirm }).click()
  await expect.poll(() => sent).toEqual([{ ids: [7], repeats: true }])
})
