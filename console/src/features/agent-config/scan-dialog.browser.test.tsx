import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../test-support/render.tsx'
import { agentConfig } from '../../shared/i18n/en/agent-config.ts'
import type { Connection } from './draft.ts'
import { ScanDialog } from './scan-dialog.tsx'

const t = agentConfig.scan
let asked: unknown
let added: Connection | undefined

beforeEach(() => {
  asked = undefined
  added = undefined
  vi.stubGlobal('fetch', async (_: RequestInfo | URL, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'POST') asked = JSON.parse(String(body))
    const scan = {
      ...{ state: asked ? 'done' : 'none', network: '10.0.0.0/24', done: 762, total: 762 },
      found: asked
        ? [
            { kind: 'modbus-tcp', address: '10.0.0.7', port: 502, name: '' },
            { kind: 's7', address: '10.0.0.9', port: 102, name: 'CPU 1214C' },
          ]
        : [],
    }
    return new Response(JSON.stringify({ hwcode: 0, hwdata: method === 'POST' ? {} : scan }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

it('a part of a wide network is scanned, and a controller that it found is set up', async () => {
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <ScanDialog
        machineId={3}
        networks={['10.0.0.0/16']}
        kinds={['modbus-tcp', 's7']}
        connections={[{ driver: 'modbus-tcp', name: 'PLC', host: '10.0.0.7', port: 502 }]}
        proved={(work) => work()}
        onSetUp={(connection) => {
          added = connection
        }}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  )
  const part = page.getByRole('textbox', { name: t.part })
  await part.fill('10.0.0.0/16')
  await expect.element(page.getByText(t.partForm)).toBeVisible()
  await part.fill('10.0.0.0/24')
  await page.getByRole('button', { name: t.start }).click()
  await expect.element(page.getByText(t.isSetUp)).toBeVisible()
  expect(asked).toMatchObject({ network: '10.0.0.0/24' })
  await page.getByRole('button', { name: t.setUpOf('10.0.0.9:102') }).click()
  expect(added).toEqual({ driver: 's7', name: 'CPU 1214C', host: '10.0.0.9', port: 102 })
})
