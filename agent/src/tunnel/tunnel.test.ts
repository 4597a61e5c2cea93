import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { TunnelStream, tunnelClose } from '@busbar/link'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LogFields } from '../log.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { mayDialBytes } from './dial-bytes.ts'
import { isHidden } from './line.ts'
import { type AgentTunnel, startTunnel } from './tunnel.ts'

const code = '1000000000000000001'
const secret = 'secret-of-the-machine'

let web: Server
let sockets: WebSocketServer
let status = 101
let clock: ManualClock
let tunnel: AgentTunnel
let dials: IncomingMessage[]
let accepted: WebSocket[]
let events: [string, LogFields | undefined][]
const sessions: ClientHttp2Session[] = []

beforeEach(async () => {
  status = 101
  clock = new ManualClock()
  dials = []
  accepted = []
  events = []
  sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'busbar-tunnel.1' })
  web = createServer()
  web.on('upgrade', (request, socket, head) => {
    // A platform that knows WebSockets only.
    if (request.headers.upgrade !== 'websocket') return void socket.end('HTTP/1.1 400 No\r\n\r\n')
    dials.push(request)
    if (status !== 101) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)
    sockets.handleUpgrade(request, socket, head, (ws) => {
      accepted.push(ws)
      const bytes = new TunnelStream(ws, () => undefined)
      const session = connect('http://machine', { createConnection: () => bytes })
      session.on('error', () => undefined)
      sessions.push(session)
    })
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  tunnel = startTunnel({
    url: `ws://127.0.0.1:${(web.address() as AddressInfo).port}/tunnel`,
    code,
    secret,
    route: (stream) => {
      stream.respond({ ':status': 204 })
    },
    clock,
    log: (_level, event, fields) => void events.push([event, fields]),
    random: () => 1,
  })
})

afterEach(async () => {
  tunnel.stop()
  for (const session of sessions.splice(0)) session.destroy()
  await new Promise((resolve) => web.close(resolve))
})

const told = async (event: string, count = 1): Promise<LogFields | undefined> => {
  const found = () => events.filter(([name]) => name === event)
  while (found().length < count) await new Promise((resolve) => setImmediate(resolve))
  return found().at(-1)?.[1]
}

test('it signs in as its code, and a lost line is dialled again after growing pauses', async () => {
  await told('tunnel.opened')
  expect(dials[0]?.headers.authorization).toBe(`Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`)
  status = 503
  accepted[0]?.terminate()
  expect(await told('tunnel.closed')).toMatchObject({ retryInMs: 1_000 })
  clock.advance(1_000)
  expect(await told('tunnel.closed', 2)).toMatchObject({ reason: 'HTTP 503', retryInMs: 2_000 })
  status = 101
  clock.advance(2_000)
  await told('tunnel.opened', 2)
  expect(JSON.stringify(events)).not.toContain(secret)
  expect(JSON.stringify(events)).not.toContain(code)
})

test('after a refused secret the agent waits, and it does not displace another agent', async () => {
  await told('tunnel.opened')
  accepted[0]?.close(tunnelClose.replaced)
  expect(await told('tunnel.refused')).toEqual({ reason: 'replaced', retryInMs: 60_000 })
  status = 401
  clock.advance(60_000)
  expect(await told('tunnel.refused', 2)).toEqual({ reason: 'HTTP 401', retryInMs: 60_000 })
  clock.advance(59_999)
  expect(dials).toHaveLength(2)
})

test('a platform that vanished without a word is found after two intervals', async () => {
  await told('tunnel.opened')
  const session = sessions[0] as ClientHttp2Session
  await once(session.request({ ':path': '/' }), 'close')
  clock.advance(20_000)
  await once(accepted[0] as WebSocket, 'ping')
  // The answer to that ping: heard.
  await once(session.request({ ':path': '/' }), 'close')
  clock.advance(20_000)
  await once(accepted[0] as WebSocket, 'ping')
  expect(events.map(([event]) => event)).toEqual(['tunnel.upgradeFailed', 'tunnel.opened'])
  accepted[0]?.pause()
  clock.advance(20_000)
  clock.advance(20_000)
  await told('tunnel.closed')
})

test('it ends when it is stopped, also while it waits to dial', async () => {
  await told('tunnel.opened')
  tunnel.stop()
  const [closeCode] = await once(accepted[0] as WebSocket, 'close')
  expect(closeCode).toBe(1001)
  clock.advance(120_000)
  expect(dials).toHaveLength(1)
})

test('on a line that others can read and change, bytes are masked and never bare', () => {
  for (const may of [isHidden, mayDialBytes]) {
    expect(may('ws://busbar.example/tunnel')).toBe(false)
    expect(may('ws://127.0.0.1.example/tunnel')).toBe(false)
    expect(may('wss://busbar.example/tunnel')).toBe(true)
    expect(may('ws://127.0.0.1:8080/tunnel')).toBe(true)
  }
})
