import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { agentLog as cn } from '../../shared/i18n/cn/agent-log.ts'
import { agentLog as en } from '../../shared/i18n/en/agent-log.ts'
import { AgentLogDialog } from './agent-log-dialog.tsx'

const lines = [
  { at: 1, level: 'info', event: 'uplink.online', text: 'host=cloud' },
  { at: 2, level: 'warn', event: 'driver.offline', text: 'connection=Press' },
]
const answer = (hwcode: number, rest: object) => new Response(JSON.stringify({ hwcode, ...rest }))
afterEach(() => {
  vi.unstubAllGlobals()
})

const dialog = (
  <QueryClientProvider client={new QueryClient()}>
    <AgentLogDialog wish={{ kind: 'agentLog', machineId: 3, name: 'Pump' }} onClose={() => undefined} />
  </QueryClientProvider>
)

it('the log has the newest line first, and is searched by text', async () => {
  vi.stubGlobal('fetch', async () => answer(0, { hwdata: { lines, isCut: true } }))
  await render(dialog)
  await expect.element(page.getByRole('listitem').first().getByText('driver.offline')).toBeVisible()
  await expect.element(page.getByText(en.cut)).toBeVisible()
  await page.getByRole('searchbox', { name: en.search }).fill('CLOUD')
  await expect.element(page.getByText('driver.offline')).not.toBeInTheDocument()
  await expect.element(page.getByText('uplink.online')).toBeVisible()
  await page.getByRole('searchbox', { name: en.search }).fill('nothing like it')
  await expect.element(page.getByText(en.noneFound)).toBeVisible()
})

it('a log that cannot be had says so, and the bundle is still offered', async () => {
  vi.stubGlobal('fetch', async () => answer(503, { hwreason: 'AGENT_AWAY', hwmsg: 'away' }))
  await render(dialog, 'cn')
  await expect.element(page.getByText(cn.failed)).toBeVisible()
  await expect.element(page.getByRole('button', { name: cn.bundle })).toBeEnabled()
})
