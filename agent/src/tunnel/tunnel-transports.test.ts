import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { TunnelStream, tunnelClose } from '@busbar/link'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { LogFields } from '../log.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { type AgentTunnel, startTunnel } from './tunnel.ts'

/* The transport that the agent dials: plain bytes if they pass, otherwise a WebSocket. */

type Answer = (request: IncomingMessage, socket: Socket, head: Buffer) => void

const minuteMs = 60_000
const accepted = 'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: busbar-tunnel\r\n\r\n'

let web: Server
let url: string
let clock: ManualClock
let tunnel: AgentTunnel
/** The Upgrade of each dial. */
let dials: string[]
let events: [string, LogFields | undefined][]
let bytes: Answer
let webSocket: Answer
const sessions: ClientHttp2Session[] = []
const sockets = new Set<Socket>()
const webSockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'busbar-tunnel.1' })

const speak = (stream: Socket | TunnelStream) => {
  const session = connect('http://machine', { createConnection: () => stream })
  session.on('error', () => undefined)
  sessions.push(session)
}
const acceptBytes: Answer = (_request, socket) => {
  socket.write(accepted)
  speak(socket)
}
const acceptWebSocket: Answer = (request, socket, head) =>
  webSockets.handleUpgrade(request, socket, head, (ws) => speak(new TunnelStream(ws, () => undefined)))
const answer =
  (status: string): Answer =>
  (_request, socket) =>
    socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`)

function start(at = url): void {
  tunnel = startTunnel({
    url: at,
    code: '1000000000000000001',
    secret: 'secret-of-the-machine',
    // Without an end: the stream stays open.
    route: (stream) => stream.respond({ ':status': 200 }),
    clock,
    log: (_level, event, fields) => void events.push([event, fields]),
    random: () => 1,
  })
}

beforeEach(async () => {
  clock = new ManualClock()
  dials = []
  events = []
  bytes = acceptBytes
  webSocket = acceptWebSocket
  web = createServer((_request, response) => response.end('a page'))
  web.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  web.on('upgrade', (request, socket: Socket, head) => {
    const upgrade = request.headers.upgrade ?? ''
    dials.push(upgrade)
    socket.on('error', () => undefined)
    if (upgrade === 'websocket') webSocket(request, socket, head)
    else bytes(request, socket, head)
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  url = `ws://127.0.0.1:${(web.address() as AddressInfo).port}/tunnel`
})

afterEach(async () => {
  tunnel.stop()
  for (const session of sessions.splice(0)) session.destroy()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => web.close(resolve))
})

const told = async (event: string, count = 1): Promise<LogFields | undefined> => {
  const found = () => events.filter(([name]) => name === event)
  while (found().length < count) await new Promise((resolve) => setImmediate(resolve))
  return found().at(-1)?.[1]
}
const dialled = async (count: number) => {
  while (dials.length < count) await new Promise((resolve) => setImmediate(resolve))
}

/** Lets time pass during which the platform is heard. */
const pass = async (ms: number) => {
  for (let leftMs = ms; leftMs > 0; leftMs -= 10_000) {
    await new Promise((resolve) => sessions.at(-1)?.ping(resolve))
    clock.advance(Math.min(leftMs, 10_000))
  }
}

test('bare bytes are used where every hop lets them through, and carry streams', async () => {
  start()
  expect(await told('tunnel.opened')).toEqual({ way: 'bytes' })
  const stream = (sessions[0] as ClientHttp2Session).request({ ':path': '/' })
  const [headers] = await once(stream, 'response')
  expect(headers[':status']).toBe(200)
  expect(dials).toEqual(['busbar-tunnel'])
})

test.each<[string, Answer]>([
  ['answers 400, as a platform of before does', answer('400 Bad Request')],
  ['answers 200, having removed the Upgrade', answer('200 OK')],
  [
    'switches to something else',
    (_request, socket) => socket.write(accepted.replace('busbar-tunnel', 'h2c')),
  ],
  ['breaks the line without an answer', (_request, socket) => socket.destroy()],
  [
    'answers 101 and breaks the line at the first byte',
    (_request, socket) => socket.write(accepted, () => socket.destroy()),
  ],
])('where something on the way %s a WebSocket is dialled at once', async (_what, blocked) => {
  bytes = blocked
  start()
  expect(await told('tunnel.opened')).toEqual({ way: 'webSocket' })
  expect(dials).toEqual(['busbar-tunnel', 'websocket'])
  expect(events.map(([event]) => event)).toEqual(['tunnel.upgradeFailed', 'tunnel.opened'])
})

test.each<[string, Answer]>([
  ['never answers', () => undefined],
  ['answers 101 and swallows the rest', (_request, socket) => socket.write(accepted)],
])('where something on the way %s the agent waits ten seconds', async (_what, hanging) => {
  bytes = hanging
  start()
  await dialled(1)
  // The agent has to notice first that it is connected.
  await new Promise((resolve) => setTimeout(resolve, 500))
  clock.advance(9_999)
  expect(dials).toHaveLength(1)
  clock.advance(1)
  expect(await told('tunnel.opened')).toEqual({ way: 'webSocket' })
})

test('a platform that is busy is given its pause before the WebSocket', async () => {
  bytes = answer('503 Service Unavailable')
  start()
  expect(await told('tunnel.closed')).toEqual({ reason: 'HTTP 503', retryInMs: 1_000 })
  expect(dials).toEqual(['busbar-tunnel'])
  clock.advance(1_000)
  expect(await told('tunnel.opened')).toEqual({ way: 'webSocket' })
})

test('a wrong secret is not tried again by another kind of line', async () => {
  bytes = answer('401 Unauthorized')
  start()
  expect(await told('tunnel.refused')).toEqual({ reason: 'HTTP 401', retryInMs: minuteMs })
  clock.advance(minuteMs - 1)
  expect(dials).toEqual(['busbar-tunnel'])
})

test('an unreachable platform leaves the choice of the transport open', async () => {
  const closed = createTcpServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  start(`ws://127.0.0.1:${port}/tunnel`)
  await told('tunnel.closed')
  clock.advance(1_000)
  await told('tunnel.closed', 2)
  expect(events.map(([event]) => event)).toEqual(['tunnel.closed', 'tunnel.closed'])
})

test('the working transport is remembered, and bytes are tried again at growing intervals while idle', async () => {
  bytes = answer('400 Bad Request')
  start()
  await told('tunnel.opened')
  // A lost line does not forget it.
  sessions.at(-1)?.destroy()
  await told('tunnel.closed')
  clock.advance(1_000)
  await told('tunnel.opened', 2)
  expect(dials).toEqual(['busbar-tunnel', 'websocket', 'websocket'])
  await pass(10 * minuteMs)
  await dialled(4)
  expect(dials[3]).toBe('busbar-tunnel')
  // Refused again: the WebSocket stays.
  await new Promise((resolve) => setTimeout(resolve, 500))
  await pass(19 * minuteMs)
  expect(dials).toHaveLength(4)
  bytes = acceptBytes
  await pass(minuteMs)
  expect(await told('tunnel.opened', 3)).toEqual({ way: 'bytes' })
  expect(dials).toHaveLength(5)
  expect(events.filter(([event]) => event === 'tunnel.closed')).toHaveLength(1)
})

test('a WebSocket in use is not replaced', async () => {
  bytes = answer('400 Bad Request')
  start()
  await told('tunnel.opened')
  bytes = acceptBytes
  const stream = (sessions.at(-1) as ClientHttp2Session).request({ ':path': '/', ':method': 'POST' })
  stream.on('error', () => undefined)
  await once(stream, 'response')
  await pass(10 * minuteMs)
  expect(dials).toHaveLength(2)
  const closed = once(stream, 'close')
  stream.destroy()
  await closed
  await pass(minuteMs)
  expect(await told('tunnel.opened', 2)).toEqual({ way: 'bytes' })
})

test('bare bytes that break soon after they opened are followed by a WebSocket', async () => {
  start()
  await told('tunnel.opened')
  clock.advance(5_000)
  for (const socket of sockets) socket.destroy()
  await told('tunnel.closed')
  clock.advance(1_000)
  expect(await told('tunnel.opened', 2)).toEqual({ way: 'webSocket' })
})

test('bare bytes that break after a while are dialled again', async () => {
  start()
  await told('tunnel.opened')
  clock.advance(15_000)
  clock.advance(16_000)
  for (const socket of sockets) socket.destroy()
  await told('tunnel.closed')
  clock.advance(1_000)
  expect(await told('tunnel.opened', 2)).toEqual({ way: 'bytes' })
})

test('the place of another agent is not taken back on bare bytes either', async () => {
  start()
  await told('tunnel.opened')
  sessions[0]?.destroy(new Error('replaced'), tunnelClose.replaced)
  expect(await told('tunnel.refused')).toEqual({ reason: 'replaced', retryInMs: minuteMs })
})

test('a platform that vanished from bare bytes without a word is found after two intervals', async () => {
  start()
  await told('tunnel.opened')
  const [socket] = sockets
  clock.advance(20_000)
  // The answer to the ping: heard.
  await new Promise((resolve) => setTimeout(resolve, 500))
  clock.advance(20_000)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(events.map(([event]) => event)).toEqual(['tunnel.opened'])
  // From here on nothing is read or answered.
  ;(socket as unknown as { _handle: { readStop(): void } })._handle.readStop()
  clock.advance(20_000)
  clock.advance(20_000)
  await told('tunnel.closed')
})

test('a stop ends bare bytes at the platform', async () => {
  start()
  await told('tunnel.opened')
  const gone = once(sessions[0] as ClientHttp2Session, 'close')
  tunnel.stop()
  await gone
  clock.advance(2 * minuteMs)
  expect(dials).toHaveLength(1)
})
