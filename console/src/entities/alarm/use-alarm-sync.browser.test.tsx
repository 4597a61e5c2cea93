import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { render } from '../../../test-support/render.tsx'
import { push } from '../../shared/api/live.ts'
import { useAlarmSync } from './use-alarm-sync.ts'

function Alarms() {
  useAlarmSync()
  return null
}

it('alarms do not stay on the open page of a maintainer whose contract was ended', async () => {
  const client = new QueryClient()
  const reload = vi.spyOn(client, 'invalidateQueries')
  const listens = vi.spyOn(push, 'on')
  await render(
    <QueryClientProvider client={client}>
      <Alarms />
    </QueryClientProvider>,
  )
  const heard = listens.mock.calls.find(([event]) => event === 'spaces')?.[1] as undefined | (() => void)
  heard?.()
  expect(reload).toHaveBeenCalledOnce()
})
