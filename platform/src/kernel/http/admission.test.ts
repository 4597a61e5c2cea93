import type { AddressInfo } from 'node:net'
import { nothing, type Route, route } from '@busbar/contract'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { headOf, openTalk, type Talk } from '../../../test-support/http/talk.ts'
import { readConfig } from '../../config.ts'
import { type Logger, silentLogger } from '../logger.ts'
import { RequestMeter } from '../metrics/index.ts'
import { registerBindings } from './api.ts'
import type { SignedIn } from './bind.ts'
import { CallLimits } from './call-limits.ts'
import type { Guards } from './guards.ts'
import { createLoadGates } from './load-gate.ts'
import { LocalRateCounters } from './rate-counters.ts'
import { createHttpServer } from './server.ts'
import { WebPort } from './web-port.ts'

/*
 * The console's server with one route of each kind and guards that identify the caller by a number: the order of checks
 * of a request, and how much of it is read before its caller is known.
 */

const json = { 'content-type': 'application/json' }
const declare = (path: string, who: 'public' | 'user' | 'operator') =>
  route({
    method: 'POST',
    path,
    who,
    title: { cn: '测试', en: 'Test' },
    request: z.object({ text: z.string().optional() }),
    answer: nothing,
    errors: [],
  })
const routes = {
  open: declare('/api/v1/open', 'public'),
  own: declare('/api/v1/own', 'user'),
  desk: declare('/api/v1/desk', 'operator'),
}

interface Server {
  readonly port: number
  readonly lines: object[]
  /** The steps in order: session lookups, operator checks, function calls. */
  readonly seen: string[]
  readonly people: Map<string, SignedIn>
  now: number
  stop(): Promise<void>
}

let server: Server
let talks: Talk[] = []
afterEach(async () => {
  for (const { socket } of talks) socket.destroy()
  talks = []
  await server.stop()
})

async function start(run: () => unknown = () => ({})): Promise<Server> {
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const lines: object[] = []
  const logger: Logger = { ...silentLogger, error: (fields) => void lines.push(fields) }
  const seen: string[] = []
  const people = new Map([
    ['operator', { userId: 1, sessionId: 1 }],
    ['person', { userId: 2, sessionId: 2 }],
  ])
  const guards = {
    findSession: async (token: string) => {
      seen.push(`session of ${token}`)
      return people.get(token)
    },
    isOperator: async (userId: number) => {
      seen.push('operator?')
      return userId === 1
    },
    brands: { find: () => ({ id: 1 }), hasHost: () => false },
  } as unknown as Guards
  const bindings = Object.values<Route>(routes).map((each) => ({
    route: each,
    run: async ({ text }: { text?: string }) => {
      seen.push(`ran with ${text?.length ?? 0} characters`)
      return run()
    },
  }))
  const app = await createHttpServer(config, logger, new WebPort(() => false), new RequestMeter())
  const limits = new CallLimits(new LocalRateCounters(), () => started.now)
  const loads = createLoadGates({ history: 1, lists: 1 })
  registerBindings(app, bindings, guards, limits, config, () => started.now, loads)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const started: Server = {
    port: (app.server.address() as AddressInfo).port,
    lines,
    seen,
    people,
    now: 1_000_000,
    stop: async () => {
      const closed = app.close()
      app.server.closeAllConnections()
      await closed
    },
  }
  return started
}

async function talk(): Promise<Talk> {
  const opened = await openTalk(server.port)
  talks.push(opened)
  return opened
}

const bodyOf = (characters: number) => JSON.stringify({ text: 'x'.repeat(characters) })

test('a signed-out caller is refused before any of the body is sent', async () => {
  server = await start()
  const { say, hear } = await talk()
  say(headOf('POST', routes.own.path, { ...json, 'content-length': 60_000 }))
  expect(await hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /)
  expect(server.seen).toEqual([])
})

test('a caller who is not an operator is refused before any of the body is sent', async () => {
  server = await start()
  const { say, hear } = await talk()
  say(headOf('POST', routes.desk.path, { ...json, 'content-length': 60_000, token: 'person' }))
  expect(await hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
  expect(server.seen).toEqual(['session of person', 'operator?'])
})

test('only an admitted caller is asked for the body', async () => {
  server = await start()
  const length = bodyOf(10).length
  const expecting = { ...json, 'content-length': length, expect: '100-continue' }
  const stranger = await talk()
  stranger.say(headOf('POST', routes.own.path, expecting))
  expect(await stranger.hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /)
  const person = await talk()
  person.say(headOf('POST', routes.own.path, { ...expecting, token: 'person' }))
  expect(await person.hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 100 Continue/)
  person.say(bodyOf(10))
  expect(await person.hear('"hwcode"')).toContain('HTTP/1.1 200 ')
})

test('the session and the permission of a request are looked up once', async () => {
  server = await start()
  const { say, hear } = await talk()
  const body = bodyOf(100)
  say(headOf('POST', routes.desk.path, { ...json, 'content-length': body.length, token: 'operator' }) + body)
  expect(await hear('"hwcode":0')).toMatch(/^HTTP\/1\.1 200 /)
  expect(server.seen).toEqual(['session of operator', 'operator?', 'ran with 100 characters'])
})

test('a session that ended while the body came changes nothing', async () => {
  server = await start()
  const { say, hear } = await talk()
  const body = bodyOf(100)
  say(headOf('POST', routes.own.path, { ...json, 'content-length': body.length, token: 'person' }))
  say(body.slice(0, 50))
  await expect.poll(() => server.seen, { timeout: 10_000 }).toHaveLength(1)
  server.people.delete('person')
  server.now += 1_001
  say(body.slice(50))
  expect(await hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /)
  expect(server.seen).toEqual(['session of person', 'session of person'])
})

test('a connection whose body was refused goes on once the body has come', async () => {
  server = await start()
  const { say, hear } = await talk()
  const body = bodyOf(30_000)
  say(headOf('POST', routes.own.path, { ...json, 'content-length': body.length }) + body.slice(0, 100))
  await hear('HTTP/1.1 401 ')
  say(body.slice(100))
  const next = bodyOf(5)
  say(headOf('POST', routes.own.path, { ...json, 'content-length': next.length, token: 'person' }) + next)
  expect(await hear('HTTP/1.1 200 ')).toMatch(/^HTTP\/1\.1 401 .*HTTP\/1\.1 200 /s)
  expect(server.seen).toEqual(['session of person', 'ran with 5 characters'])
})

test('a refused body that does not end does not keep its connection', async () => {
  server = await start()
  const { say, hear, closed, socket } = await talk()
  say(headOf('POST', routes.own.path, { ...json, 'transfer-encoding': 'chunked' }))
  await hear('HTTP/1.1 401 ')
  const trickle = setInterval(() => socket.write('1\r\nx\r\n'), 20)
  try {
    await closed()
  } finally {
    clearInterval(trickle)
  }
})

test('a sender of too much can read the answer that it was too much', async () => {
  server = await start()
  const { say, hear } = await talk()
  say(headOf('POST', routes.open.path, { ...json, 'content-length': 3_000_000 }))
  // More than the buffers of both sides hold: it is still being sent when the answer comes.
  say('x'.repeat(2_900_000))
  expect(await hear('bytesMax')).toMatch(/^HTTP\/1\.1 413 .*"hwdata":{"bytesMax":16384}/s)
})

test('a fault that a stranger repeats is logged once a second', async () => {
  server = await start(() => {
    throw new TypeError('what nobody thought of')
  })
  const body = bodyOf(1)
  const ask = async (path: string) => {
    const { say, hear } = await talk()
    say(headOf('POST', path, { ...json, 'content-length': body.length, token: 'operator' }) + body)
    expect(await hear('"hwcode"')).toMatch(/^HTTP\/1\.1 500 /)
  }
  for (let asked = 0; asked < 20; asked++) await ask(asked % 2 ? routes.open.path : routes.own.path)
  await server.stop()
  const counted = server.lines.map((line) => (line as { repeated?: number }).repeated ?? 1)
  // A slow run may take longer than a second.
  expect(counted.length).toBeLessThan(10)
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(20)
})
