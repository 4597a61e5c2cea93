import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import type { PageServer } from './page-server.ts'
import { startPageServer } from './page-server.ts'

let server: PageServer

beforeEach(async () => {
  server = startPageServer(
    { host: '127.0.0.1', port: 0, hosts: ['panel.local'], write: true },
    ({ visitor }, answer) =>
      void answer.begin(200, { 'content-type': 'text/plain' }).end(`visitor ${visitor}`),
    { clock: systemClock, log: () => undefined },
  )
  await server.firstTry
})

afterEach(() => server.stop())

function ask(host: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { port: server.port() ?? 0, host: '127.0.0.1', headers: { host } },
      (answer: IncomingMessage) =>
        text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject),
    )
    asked.on('error', reject)
    asked.end()
  })
}

test('answers under its own names', async () => {
  for (const host of [`127.0.0.1:${server.port()}`, 'localhost:8090', 'panel.local', 'PANEL.local:80']) {
    expect(await ask(host)).toEqual({ status: 200, body: 'visitor null' })
  }
})

test('a foreign name that leads here (DNS rebinding) is refused', async () => {
  for (const host of ['evil.test', '127.0.0.1.evil.test', '10.0.0.1', 'x@localhost', 'localhost/', '[::1]']) {
    expect((await ask(host)).status).toBe(421)
  }
})

test('an address that is taken does not stop the agent', async () => {
  const events: string[] = []
  const other = startPageServer(
    { host: '127.0.0.1', port: server.port() ?? 0, hosts: [], write: true },
    () => {},
    {
      clock: systemClock,
      log: (_level, event) => void events.push(event),
    },
  )
  await other.firstTry
  expect(events).toEqual(['page.unavailable'])
  expect(other.port()).toBeNull()
  await other.stop()
})
