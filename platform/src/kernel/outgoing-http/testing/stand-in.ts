import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A service on loopback, in place of a provider’s; `close` ends it. */
export async function openStandIn(answer: Answer) {
  const asked: URL[] = []
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    asked.push(new URL(request.url ?? '', 'http://service'))
    bodies.push((await request.setEncoding('utf8').toArray()).join(''))
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    bodies,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A service of one test. */
export async function serve(answer: Answer) {
  const { close, ...service } = await openStandIn(answer)
  onTestFinished(close)
  return service
}

export const json =
  (body: unknown): Answer =>
  (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

/** The ways in which a service fails, each with the reason that is told. */
export const failures: readonly [what: string, reason: string, Answer][] = [
  ['status 500', 'refused', (_request, response) => response.writeHead(500).end('{}')],
  ['status 429', 'busy', (_request, response) => response.writeHead(429).end('{}')],
  ['a redirect', 'unreachable', (_request, response) => response.writeHead(302, { location: '/x' }).end()],
  [
    'HTML that repeats the address',
    'wrongAnswer',
    ({ url }, response) => response.end(`<html>${url}</html>`),
  ],
  ['another shape', 'wrongAnswer', json({ status: [], result: 1 })],
  ['a megabyte', 'wrongAnswer', (_request, response) => response.end('x'.repeat(1_000_000))],
  ['a hang-up', 'unreachable', ({ socket }) => socket.destroy()],
]

/** A file with a provider’s key. */
export async function writeKey(key: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-key-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'key')
  await writeFile(file, `${key}\n`)
  return file
}
