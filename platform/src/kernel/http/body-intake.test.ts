import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { headOf, openTalk, type Talk } from '../../../test-support/http/talk.ts'
import { BodyBudget } from './body-budget.ts'
import { acceptBodies } from './body-formats.ts'
import { meterBodies } from './body-intake.ts'
import { failure } from './envelope.ts'
import { Failure } from './failure.ts'
import { WebPort } from './web-port.ts'

const bodyBytesMax = 16_384
const json = { 'content-type': 'application/json' }

let app: FastifyInstance
let budget: BodyBudget
let talks: Talk[]
/** Answers of `/slow`, and callers of `/asks`, that are held back. */
let held: (() => void)[]
/** Callers of `/asks` who went away. */
let gone: number
beforeEach(async () => {
  budget = new BodyBudget()
  talks = []
  held = []
  gone = 0
  app = Fastify({ serverFactory: new WebPort(() => false).serverFactory, bodyLimit: bodyBytesMax })
  await acceptBodies(app)
  meterBodies(app, budget)
  app.setErrorHandler((error, { url }, reply) => {
    const known = error instanceof Failure ? error : new Failure('400')
    const { status, body } = failure(known, 'en', url)
    return reply.code(status).send(body)
  })
  const lengthOf = (body: unknown) => ({ length: JSON.stringify(body).length })
  app.post('/open', async ({ body }) => lengthOf(body))
  app.post('/known', { config: { knowsCaller: true } }, async ({ body }) => lengthOf(body))
  const isHeld = () => new Promise<void>((resolve) => held.push(resolve))
  const onRequest = async (_: unknown, { raw }: { raw: ServerResponse }) => {
    raw.once('close', () => gone++)
    await isHeld()
  }
  app.post('/asks', { onRequest }, async ({ body }) => lengthOf(body))
  app.post('/slow', async () => {
    await isHeld()
    return {}
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  vi.useRealTimers()
  for (const resolve of held) resolve()
  for (const { socket } of talks) socket.destroy()
  const closed = app.close()
  app.server.closeAllConnections()
  await closed
})

async function talk(): Promise<Talk> {
  const opened = await openTalk((app.server.address() as AddressInfo).port)
  talks.push(opened)
  return opened
}

const bodyOf = (characters: number) => JSON.stringify({ text: 'x'.repeat(characters) })
const chunksOf = (text: string) => [...text].map((letter) => `1\r\n${letter}\r\n`).join('')

/** A connection that sent a head for `path` and the first part of its body. */
async function begin(path: string, body: string, length: number): Promise<Talk> {
  const opened = await talk()
  opened.say(headOf('POST', path, { ...json, 'content-length': length }) + body)
  return opened
}

test('a body in pieces of one byte takes as much room as its bytes', async () => {
  const { say, hear } = await talk()
  const body = bodyOf(15_000)
  say(headOf('POST', '/open', { ...json, 'transfer-encoding': 'chunked' }) + chunksOf(body))
  await expect.poll(() => budget.bytes, { timeout: 10_000 }).toBe(body.length)
  say('0\r\n\r\n')
  expect(await hear(`{"length":${body.length}}`)).toMatch(/^HTTP\/1\.1 200 /)
})

test('a stranger who fills the room of an address is refused, and known callers are not affected', async () => {
  const filling = 'x'.repeat(16_000)
  const fillers = await Promise.all(Array.from({ length: 65 }, () => begin('/open', filling, 16_001)))
  await expect.poll(() => budget.bytes, { timeout: 10_000 }).toBe(65 * 16_000)
  const next = await begin('/open', filling, 16_001)
  expect(await next.hear('"hwcode"')).toMatch(/^HTTP\/1\.1 429 .*"TOO_MUCH_AT_ONCE"/s)
  const known = await begin('/known', bodyOf(16_000), bodyOf(16_000).length)
  expect(await known.hear('"length"')).toMatch(/^HTTP\/1\.1 200 /)
  for (const { socket } of fillers) socket.destroy()
  await expect.poll(() => budget.bytes, { timeout: 10_000 }).toBe(0)
  const later = await begin('/open', bodyOf(100), bodyOf(100).length)
  expect(await later.hear('"length"')).toMatch(/^HTTP\/1\.1 200 /)
})

test('an announced length alone takes no room', async () => {
  for (let promised = 0; promised < 100; promised++) await begin('/open', 'x', bodyBytesMax)
  await expect.poll(() => budget.bytes, { timeout: 10_000 }).toBe(100)
})

test.each([
  ['answered', bodyOf(100), 200],
  ['no JSON', '{"text":', 400],
  ['of too many levels', '['.repeat(16_000), 413],
])('the room of a body that was %s is given back', async (_, body, status) => {
  const { hear } = await begin('/open', body, body.length)
  expect(await hear('\r\n\r\n')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  await expect.poll(() => budget.bytes, { timeout: 10_000 }).toBe(0)
})

test('a body keeps its room until it is answered, or its sender has gone', async () => {
  const body = bodyOf(1_000)
  const [first, second] = [await begin('/slow', body, body.length), await begin('/slow', body, body.length)]
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(2)
  expect(budget.bytes).toBe(2 * body.length)
  second.socket.destroy()
  await expect.poll(() => budget.bytes, { timeout: 10_000 }).toBe(body.length)
  for (const resolve of held) resolve()
  await first.hear('\r\n\r\n')
  await expect.poll(() => budget.bytes, { timeout: 10_000 }).toBe(0)
})

test('a sender who leaves before the body is read frees all room', async () => {
  const body = bodyOf(1_000)
  const { socket } = await begin('/asks', body, body.length)
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1)
  socket.destroy()
  await expect.poll(() => gone, { timeout: 10_000 }).toBe(1)
  for (const resolve of held) resolve()
  const next = await begin('/open', body, body.length)
  await next.hear('"length"')
  await expect.poll(() => budget.bytes, { timeout: 10_000 }).toBe(0)
})

test('a body without a length ends where its route ends it, and its sender reads why', async () => {
  const { say, hear } = await talk()
  say(headOf('POST', '/open', { ...json, 'transfer-encoding': 'chunked' }))
  const piece = 'x'.repeat(10_000)
  for (let sent = 0; sent < 300; sent++) say(`${piece.length.toString(16)}\r\n${piece}\r\n`)
  expect(await hear('bytesMax')).toMatch(/^HTTP\/1\.1 413 .*"bytesMax":16384/s)
  expect(budget.bytes).toBe(0)
  // All of it came within the second: the connection goes on.
  say(`0\r\n\r\n${headOf('POST', '/open', { ...json, 'content-length': 2 })}{}`)
  expect(await hear('{"length":2}')).toContain('HTTP/1.1 200 ')
})

test('a body of an unknown kind is not requested', async () => {
  const { say, hear } = await talk()
  const expecting = { 'content-type': 'text/xml', 'content-length': 100, expect: '100-continue' }
  say(headOf('POST', '/open', expecting))
  expect(await hear('\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
})

test('a stranger who sends slowly is cut off after ten seconds, a known caller is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [stranger, known] = [await begin('/open', '{', 100), await begin('/known', '{', 2)]
  while (budget.bytes < 2) await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(9_999)
  expect(budget.bytes).toBe(2)
  vi.advanceTimersByTime(1)
  await stranger.closed()
  known.say('}')
  expect(await known.hear('"length"')).toMatch(/^HTTP\/1\.1 200 /)
})
