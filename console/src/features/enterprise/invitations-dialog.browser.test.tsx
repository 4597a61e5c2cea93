import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { InvitationsDialog } from './invitations-dialog.tsx'

const nothing = () => undefined
afterEach(() => {
  vi.unstubAllGlobals()
})

it('a person does not join an enterprise without reading which permissions that gives', async () => {
  const offered = { role: 'member', rights: ['view', 'maintain'] }
  const invitation = { id: 1, eid: 2, enterprise: 'Weber', invitedBy: 'Ann', at: 1, ...offered }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ hwcode: 0, hwdata: [invitation] })))
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <InvitationsDialog onClose={nothing} onJoined={nothing} />
    </QueryClientProvider>,
  )
  await expect.element(page.getByText(/View devices · Maintenance/)).toBeVisible()
})
