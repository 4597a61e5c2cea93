import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import axe from 'axe-core'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../test-support/render.tsx'
import { MachinePorts } from './machine-ports.tsx'
import type { Port } from './port.ts'

const port = (name: string, more: Partial<Port>): Port => ({
  name,
  kind: 'modbus',
  note: '',
  look: 'users',
  roundTripMs: 3.4,
  mayChange: true,
  mayLook: true,
  hint: 'Enter 127.0.0.1',
  ...more,
})
let ports: Port[]
let files: object[]

afterEach(() => {
  vi.unstubAllGlobals()
})

async function draw(lang: 'cn' | 'en', online = true) {
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const isList = String(input).includes('/visits/ports')
    const data = isList
      ? { ports }
      : { state: 'unsigned', missing: null, manifestUrl: null, signatureUrl: null, files }
    return new Response(JSON.stringify({ hwcode: 0, hwdata: data }))
  })
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <main style={{ width: 480 }}>
        <h1>Press</h1>
        <h2>Visits</h2>
        <MachinePorts machine={{ id: 7, code: '18446744073709551615', online }} />
      </main>
    </QueryClientProvider>,
    lang,
  )
}

test('a port gives the lines that open it, with the wished local port and way', async () => {
  ports = [
    port('plc', { note: 'Line 1' }),
    port('scada', { kind: 's7', mayChange: false }),
    port('hmi', { kind: 'vnc', mayChange: false, mayLook: false }),
  ]
  const agent = { program: 'busbar-agent', system: 'any', version: '1', bytes: 1, sha256: 'cd'.repeat(32) }
  const program = { ...agent, program: 'busbar-connect', sha256: 'ab'.repeat(32) }
  files = [
    { ...agent, file: 'busbar-agent.zip', url: '/download/busbar-agent.zip' },
    { ...program, file: 'busbar-connect.mjs', url: '/download/busbar-connect.mjs' },
    { ...program, system: 'windows-x64', file: 'w.zip', url: '/download/w.zip', sha256: 'ef'.repeat(32) },
  ]
  await draw('en')
  await expect.element(page.getByText('Line 1')).toBeVisible()
  // Only where the person may: the third has no button.
  expect(page.getByRole('button', { name: /^Connect a tool/ }).elements()).toHaveLength(2)

  await page.getByRole('button', { name: 'Connect a tool · plc' }).click()
  await expect.element(page.getByText(/open 18446744073709551615 plc --mode rw/)).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Download busbar-connect.mjs' })).toBeVisible()
  await expect.element(page.getByText(/(ab){32}/)).toBeVisible()
  await page.getByRole('button', { name: /^Your computer/ }).click()
  await page.getByRole('option', { name: 'Windows' }).click()
  await expect.element(page.getByRole('link', { name: 'Download w.zip' })).toBeVisible()
  await expect.element(page.getByText(/(ef){32}/)).toBeVisible()
  await expect.element(page.getByText(/^.\\busbar-connect open 18446744073709551615 plc/)).toBeVisible()
  await expect.element(page.getByText('Enter 127.0.0.1')).toBeVisible()
  await page.getByRole('radio', { name: 'View only' }).click()
  await userEvent.fill(page.getByLabelText('Local port'), '15020')
  await expect.element(page.getByText(/open 18446744073709551615 plc:15020 --mode ro/)).toBeVisible()
  await userEvent.fill(page.getByLabelText('Local port'), '0')
  await expect.element(page.getByText('Enter a whole number from 1 to 65535')).toBeVisible()
  expect((await axe.run(document.body)).violations).toEqual([])

  await page.getByRole('button', { name: 'Connect a tool · scada' }).click()
  await expect.element(page.getByRole('radio', { name: 'Read and write' })).toBeDisabled()
  await expect.element(page.getByText(/open 18446744073709551615 scada --mode ro/)).toBeVisible()
})

test('a platform without the program says so, in Chinese too', async () => {
  ports = [port('plc', {})]
  files = []
  await draw('cn')
  await page.getByRole('button', { name: '连接工具 · plc' }).click()
  await expect.element(page.getByText('平台没有提供此程序，请联系平台管理员。')).toBeVisible()
})

test('a device that is away, or has no ports, shows none', async () => {
  ports = []
  await draw('en')
  await expect.poll(() => document.querySelector('h3')).toBeNull()
  ports = [port('plc', {})]
  await draw('en', false)
  expect(document.querySelector('h3')).toBeNull()
})
