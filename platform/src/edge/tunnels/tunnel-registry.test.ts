import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { TunnelStream, tunnelClose } from '@busbar/link'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Logger, silentLogger } from '../../kernel/logger.ts'
import type { RightChange, RightsListener } from '../../kernel/rights/rights-watch.ts'
import type { MachineLogin } from '../login/login.ts'
import { TunnelRegistry } from './tunnel-registry.ts'

const authorization = `Basic ${Buffer.from('1000000000000000001:secret').toString('base64')}`
const machine: MachineLogin = {
  machineId: 1,
  code: '1000000000000000001',
  adapter: null,
  timeZone: 'Asia/Shanghai',
  textEncoding: 'utf8',
  otherTopics: false,
}
let login: () => Promise<MachineLogin> = async () => machine
let rights: RightsListener

/** Why each tunnel went. */
const reasons: string[] = []
const logger: Logger = {
  ...silentLogger,
  debug: (fields, message) => {
    if (message === 'tunnel.closed' && 'reason' in fields) reasons.push(String(fields.reason))
  },
}

const registry = new TunnelRegistry({
  logins: { check: () => login() },
  rights: {
    subscribe(listener) {
      rights = listener
      return () => true
    },
  },
  logger,
  now: Date.now,
  pingIntervalMs: 500,
  answerMs: 3_000,
})
const web = createServer()
const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 })
let url: string

beforeAll(async () => {
  registry.start()
  web.on('upgrade', async (request, socket, head) => {
    const admission = await registry.admit(authorization, '127.0.0.1')
    if ('refused' in admission) return void socket.end(`HTTP/1.1 ${admission.refused}\r\n\r\n`)
    sockets.handleUpgrade(request, socket, head, (ws) => admission.accept(ws))
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  url = `ws://127.0.0.1:${(web.address() as AddressInfo).port}`
})
afterAll(() => {
  registry.stop()
  web.close()
})

/** A WebSocket that the registry has accepted, with the agent's actions on it. */
async function dial(agent: (ws: WebSocket) => void, options = {}): Promise<{ closed: Promise<number> }> {
  const ws = new WebSocket(url, options)
  const closed = new Promise<number>((resolve) => ws.once('close', resolve))
  ws.on('error', () => undefined)
  // At once: the platform's first bytes may have come with its answer.
  ws.once('open', () => agent(ws))
  await once(ws, 'open')
  return { closed }
}

const speak = (ws: WebSocket) => {
  const server = createHttp2Server()
  server.on('sessionError', () => undefined)
  server.on('stream', (stream) => stream.on('error', () => undefined))
  server.emit('connection', new TunnelStream(ws, () => undefined))
  return server
}
const opened = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = registry.onChange((_id, tunnel) => {
    if (!tunnel) return
    stop()
    resolve()
  })
  return promise
}
const frame = (type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)) => {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
const settings = frame(4, 0, 0)
const sendFrames = (bytes: Buffer) => (ws: WebSocket) => ws.send(Buffer.concat([settings, bytes]))

test('a silently vanished peer is found after two intervals, a living one is kept', async () => {
  const there = opened()
  const kept = await dial((ws) => void speak(ws))
  await there
  await new Promise((resolve) => setTimeout(resolve, 1_600))
  expect(registry.find(1)).toBeDefined()

  const again = opened()
  const dead = await dial((ws) => void speak(ws), { autoPong: false })
  await again
  expect(await kept.closed).toBe(tunnelClose.replaced)
  expect(await dead.closed).toBe(1001)
  expect(registry.find(1)).toBe(undefined)
})

test('an agent that never answers gets no tunnel', async () => {
  const { closed } = await dial(() => undefined)
  await closed
  expect(registry.stats()).toMatchObject({ tunnels: 0, streams: 0 })
})

test.each<[string, string, (ws: WebSocket) => void]>([
  ['garbage', 'Protocol error', (ws) => ws.send(Buffer.alloc(100_000, 0xa5))],
  ['text', 'a tunnel carries binary frames only', (ws) => ws.send('PRI * HTTP/2.0')],
  ['HTTP/1.1', 'Protocol error', (ws) => ws.send(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))],
  ['too long a message', 'Max payload size exceeded', (ws) => ws.send(Buffer.alloc(2 * 1024 * 1024))],
  ['a stream of its own', 'Protocol error', sendFrames(frame(1, 5, 2, Buffer.from([0x88])))],
  ['data nobody asked for', 'Protocol error', sendFrames(frame(0, 0, 9, Buffer.alloc(16_000)))],
  ['a push', 'Protocol error', sendFrames(frame(5, 4, 1, Buffer.from([0, 0, 0, 2, 0x82])))],
  ['too large a frame', 'Protocol error', sendFrames(frame(0, 0, 1, Buffer.alloc(20_000)))],
  ['a thousand settings', 'Protocol error', sendFrames(frame(4, 0, 0, Buffer.alloc(6_000, 'a00000')))],
  ['more padding than frame', 'Protocol error', sendFrames(frame(0, 8, 1, Buffer.from([255, 0])))],
])('an agent that sends %s ends its own tunnel and nothing else', async (_what, reason, agent) => {
  const { closed } = await dial(agent)
  await closed
  expect(reasons.at(-1)).toBe(reason)
  expect(registry.stats()).toMatchObject({ tunnels: 0, streams: 0 })
})

test.each<[string, Buffer]>([
  ['pings', frame(6, 0, 0, Buffer.alloc(8))],
  ['settings', settings],
])('a flood of %s from an agent that does not read is cut', async (_what, flood) => {
  const { closed } = await dial((ws) => {
    ws.pause()
    const many = Buffer.concat([settings, ...Array.from({ length: 20_000 }, () => flood)])
    const send = (): void => {
      if (ws.readyState === WebSocket.OPEN) ws.send(many, () => setImmediate(send))
    }
    send()
  })
  await closed
  expect(reasons.at(-1)).toContain('Flooding was detected')
  expect(registry.stats().tunnels).toBe(0)
})

test.each<[string, string]>([
  ['names that are none', '{"version":"1","targets":[{"name":"a--b","readOnly":true}]}'],
  ['a target called agent', '{"version":"1","targets":[{"name":"agent","readOnly":true}]}'],
  ['a port named by its whim', '{"version":"1","targets":[],"ports":[{"name":"a/b","kind":"ssh"}]}'],
  ['too much', `{"version":"1","targets":[],"x":"${'x'.repeat(80_000)}"}`],
  ['no JSON', '<html>'],
])('an agent that offers %s offers nothing', async (_what, body) => {
  const there = opened()
  const { closed } = await dial((ws) => {
    speak(ws).on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => undefined)
      stream.respond({ ':status': 200 })
      stream.end(body)
    })
  })
  await there
  await expect(registry.find(1)?.info()).rejects.toThrow()
  registry.cut(1, 'enough')
  await closed
})

test('headers without end reset the stream, not the platform', async () => {
  const there = opened()
  const { closed } = await dial((ws) => {
    speak(ws).on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => undefined)
      const many = Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'y'.repeat(100)]),
      )
      stream.respond({ ':status': 200, ...many }, { endStream: true })
    })
  })
  await there
  await expect(registry.find(1)?.info()).rejects.toThrow()
  registry.cut(1, 'enough')
  await closed
})

test('a secret reset while its login is under way does not let the tunnel in', async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<MachineLogin>()
  login = () => {
    asked.resolve()
    return answered.promise
  }
  const admission = registry.admit(authorization, '127.0.0.1')
  await asked.promise
  const change: RightChange = {
    id: 1,
    sessionId: null,
    userId: null,
    machineId: 1,
    projectId: null,
    reason: 'secretReset',
    address: null,
    xid: '1',
  }
  rights.changed(change)
  answered.resolve(machine)
  expect(await admission).toEqual({ refused: '401 Unauthorized' })
  login = async () => machine
  expect(await registry.admit(authorization, '127.0.0.1')).toHaveProperty('accept')
})
