import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { useListedState } from './use-listed-state.ts'

const machine = { id: 4, online: true, worstAlarm: 'critical' } as const

function Pane() {
  const [openAlarms, setOpenAlarms] = useState(1)
  useListedState({ ...machine, openAlarms }, true)
  return (
    <button type="button" onClick={() => setOpenAlarms(2)}>
      Raise
    </button>
  )
}

it('a second alarm of an enterprise’s device is not left out of its open details', async () => {
  const client = new QueryClient()
  const reload = vi.spyOn(client, 'invalidateQueries')
  await render(
    <QueryClientProvider client={client}>
      <Pane />
    </QueryClientProvider>,
  )
  expect(reload).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Raise' }).click()
  expect(reload).toHaveBeenCalledExactlyOnceWith({ queryKey: ['machines', 4, 'detail'] })
})
