import { once } from 'node:events'
import { type ClientHttp2Stream, performServerHandshake, type ServerHttp2Session } from 'node:http2'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { tunnelClose, tunnelPath, tunnelSessionOptions, tunnelUpgrade } from '@busbar/link'
import { openAgentTunnel, type TestMachine } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { expect, test } from 'vitest'
import type { MachineTunnel } from './machine-tunnel.ts'
import type { Tunnel } from './tunnel.ts'
import type { TunnelRegistry } from './tunnel-registry.ts'

/* Tunnels of bare bytes: HTTP/2 on the socket itself, after an Upgrade other than to WebSocket. */

const deadlineMs = 10_000

const site = useSite()

const find = (machine: TestMachine) => site.platform.tunnels.find(machine.machineId)
const stats = () => (site.platform.tunnels as TunnelRegistry).stats()
const wayOf = (machine: TestMachine) => (find(machine) as MachineTunnel).carrier.way
/** The code that the platform gives an agent on its way. */
const codeOf = (session: ServerHttp2Session) =>
  new Promise<number>((resolve) => session.once('goaway', resolve))
/** The end of a stream, a session or a socket, with an error or without. */
const gone = (one: { once(event: 'close', listener: () => void): unknown }) =>
  new Promise<number>((resolve) => one.once('close', () => resolve(performance.now())))

const basic = ({ code, secret }: Pick<TestMachine, 'code' | 'secret'>) =>
  `authorization: Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`

/** Sends a raw request and answers the head of the answer, with the socket. */
async function ask(
  lines: readonly string[],
  { method = 'GET', behind = '' } = {},
): Promise<{ status: number; head: string; socket: Socket }> {
  const socket = connect({ port: site.webPort, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  const all = [`${method} ${tunnelPath} HTTP/1.1`, 'host: localhost', 'connection: Upgrade', ...lines]
  socket.write(`${all.join('\r\n')}\r\n\r\n${behind}`)
  let head = Buffer.alloc(0)
  for (;;) {
    const [bytes] = await once(socket, 'data')
    head = Buffer.concat([head, bytes])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) continue
    socket.pause()
    if (head.length > end + 4) socket.unshift(head.subarray(end + 4))
    const text = head.subarray(0, end).toString()
    return { status: Number(text.split(' ')[1]), head: text, socket }
  }
}

const upgrade = `upgrade: ${tunnelUpgrade}`

/** The agent's end of a tunnel of bare bytes that the platform has registered. */
async function openBare(machine: TestMachine): Promise<{ session: ServerHttp2Session; socket: Socket }> {
  const before = find(machine)
  const { status, socket } = await ask([upgrade, basic(machine)])
  expect(status).toBe(101)
  const session = performServerHandshake(socket, tunnelSessionOptions)
  session.on('error', () => undefined)
  session.on('stream', (stream) => {
    stream.on('error', () => undefined)
    stream.respond({ ':status': 200 })
  })
  await expect.poll(() => find(machine) !== before, { timeout: deadlineMs }).toBe(true)
  return { session, socket }
}

test('an agent is given bare bytes where nothing is in the way, and a request goes through', async () => {
  const machine = await site.createMachine()
  const before = stats()
  const agent = await openAgentTunnel(site, machine)
  expect(wayOf(machine)).toBe('bytes')
  expect((await find(machine)?.info())?.targets).toEqual([{ name: 'page', readOnly: true }])
  const after = stats()
  expect(after.receivedBytes).toBeGreaterThan(before.receivedBytes + 50)
  expect(after.sentBytes).toBeGreaterThan(before.sentBytes + 50)
  agent.stop()
  await expect.poll(() => find(machine) === undefined, { timeout: deadlineMs }).toBe(true)
  expect(stats().receivedBytes).toBeGreaterThanOrEqual(after.receivedBytes)
})

test('an Upgrade without a machine’s secret, or with a wrong one, is refused and counts as a login', async () => {
  const machine = await site.createMachine()
  const refused = () => site.platform.gateway.stats().refusedLogins
  const before = refused()
  for (const [lines, status] of [
    [[upgrade], 401],
    [[upgrade, 'authorization: Bearer x'], 401],
    [[upgrade, basic({ ...machine, secret: 'wrong' })], 401],
    [[upgrade, basic({ ...machine, code: '1'.repeat(19) })], 401],
    [['upgrade: busbar-tunnel.9', basic(machine)], 400],
    [['upgrade: h2c', basic(machine)], 400],
  ] as const) {
    const answer = await ask(lines)
    expect(answer.status).toBe(status)
    answer.socket.destroy()
  }
  expect(refused()).toBe(before + 2)
  expect(find(machine)).toBe(undefined)
})

test('bytes before the answer do not count as a tunnel', async () => {
  const machine = await site.createMachine()
  const rights = [upgrade, basic(machine)]
  for (const [lines, how] of [
    [rights, { behind: 'GET / HTTP/1.1\r\nhost: x\r\n\r\n' }],
    [[...rights, 'content-length: 3'], { behind: 'abc' }],
    [[...rights, 'transfer-encoding: chunked'], { behind: '0\r\n\r\n' }],
    [rights, { method: 'POST' }],
  ] as const) {
    const { status, socket } = await ask(lines, how)
    expect(status).toBe(400)
    socket.destroy()
  }
  expect(find(machine)).toBe(undefined)
})

test('the answer names the protocol and the platform’s time', async () => {
  const machine = await site.createMachine()
  const { status, head, socket } = await ask([upgrade, basic(machine)])
  expect(status).toBe(101)
  expect(head.toLowerCase()).toContain(`\r\nupgrade: ${tunnelUpgrade}\r\n`)
  const date = /\r\nDate: (.*)/.exec(head)?.[1] ?? ''
  expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(60_000)
  socket.destroy()
})

test.each<[string, Buffer]>([
  ['garbage', Buffer.alloc(100_000, 0xa5)],
  ['HTTP/1.1', Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
  ['a WebSocket’s frame', Buffer.from([0x82, 0x05, 1, 2, 3, 4, 5])],
])('an agent that sends %s ends its own tunnel and nothing else', async (_what, bytes) => {
  const machine = await site.createMachine()
  const other = await site.createMachine()
  const kept = await openBare(other)
  const { socket } = await ask([upgrade, basic(machine)])
  const closed = gone(socket)
  socket.write(bytes)
  socket.resume()
  await closed
  expect(find(machine)).toBe(undefined)
  expect(await find(other)?.ping(deadlineMs)).toBeGreaterThan(0)
  kept.socket.destroy()
})

test('an agent that ends its side, even half of it, loses its tunnel', async () => {
  const machine = await site.createMachine()
  for (const end of [
    ({ socket }: { socket: Socket }) => socket.end(),
    ({ socket }: { socket: Socket }) => socket.resetAndDestroy(),
    ({ session }: { session: ServerHttp2Session }) => session.destroy(),
  ]) {
    const agent = await openBare(machine)
    const stream = find(machine)?.request({ ':path': '/' }) as ClientHttp2Stream
    const broken = gone(stream)
    end(agent)
    await broken
    await expect.poll(() => find(machine) === undefined, { timeout: deadlineMs }).toBe(true)
    agent.socket.destroy()
  }
})

test('a newer tunnel replaces the older one, which gets the reason', async () => {
  const machine = await site.createMachine()
  const older = await openBare(machine)
  const goaway = codeOf(older.session)
  const newer = await openBare(machine)
  expect(await goaway).toBe(tunnelClose.replaced)
  const replaced = gone(newer.session)
  const agent = await openAgentTunnel(site, machine)
  await replaced
  agent.stop()
})

test('a reset of the secret cuts bare bytes within a second, also those of an agent that does not read', async () => {
  const machine = await site.createMachine()
  const { session, socket } = await openBare(machine)
  const goaway = codeOf(session)
  const stream = find(machine)?.request({ ':method': 'POST', ':path': '/' }) as ClientHttp2Stream
  const broken = gone(stream)
  const closed = gone(socket)
  const tookMs = await calmMsOf(async () => {
    await site.db
      .insertInto('right_changes')
      .values({ machine_id: machine.machineId, reason: 'secretReset' })
      .execute()
    await broken
  })
  expect(tookMs).toBeLessThan(1_000)
  expect(await goaway).toBe(tunnelClose.cut)
  await closed

  const stuck = await openBare(machine)
  stuck.session.on('stream', (stream) => stream.pause())
  const full = find(machine)?.request({ ':method': 'POST', ':path': '/' }, { endStream: false })
  full?.write(Buffer.alloc(32 * 1024 * 1024))
  const cut = gone(full as ClientHttp2Stream)
  ;(stuck.socket as unknown as { _handle: { readStop(): void } })._handle.readStop()
  site.platform.tunnels.cut(machine.machineId, 'secretReset')
  await cut
  await expect.poll(() => find(machine) === undefined).toBe(true)
  stuck.socket.destroy()
})

test('a stream that is cut ends at the agent within a second, in the middle of a transfer', async () => {
  const machine = await site.createMachine()
  const { session, socket } = await openBare(machine)
  session.removeAllListeners('stream')
  const ended = new Promise<void>((resolve) => {
    session.on('stream', (stream) => {
      stream.on('error', () => undefined)
      stream.respond({ ':status': 200 })
      const block = Buffer.alloc(64 * 1024)
      const write = (): void => {
        while (!stream.destroyed && stream.write(block));
        stream.once('drain', write)
      }
      write()
      stream.once('close', () => resolve())
    })
  })
  const stream = (find(machine) as Tunnel).request({ ':path': '/' }) as ClientHttp2Stream
  let bytes = 0
  await new Promise<void>((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > 8 * 1024 * 1024) resolve()
    })
  })
  stream.destroy(new Error('the visit was cut'))
  const seen = bytes
  expect(await calmMsOf(() => ended)).toBeLessThan(1_000)
  expect(bytes).toBe(seen)
  socket.destroy()
})

/** A proxy that hands everything on but changes the text of each request’s head. */
async function startProxy(change: (head: string) => string): Promise<{ server: Server; url: string }> {
  const server = createServer((near) => {
    const far = connect({ port: site.webPort, host: '127.0.0.1' })
    for (const socket of [near, far]) socket.on('error', () => socket.destroy())
    near.once('data', (head) => {
      far.write(change(head.toString('latin1')), 'latin1')
      near.pipe(far)
      far.pipe(near)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.each<[string, (head: string) => string]>([
  ['drops an Upgrade it does not know', (head) => head.replace(/upgrade: busbar-tunnel\r\n/i, '')],
  [
    'drops what belongs to one hop',
    (head) =>
      head.includes('busbar-tunnel.1')
        ? head
        : head.replace(/(?:upgrade: busbar-tunnel|connection: upgrade)\r\n/gi, ''),
  ],
])('through a proxy that %s the agent has its tunnel all the same, by WebSocket', async (_what, change) => {
  const machine = await site.createMachine()
  const proxy = await startProxy(change)
  const agent = await openAgentTunnel({ ...site, url: proxy.url, platform: site.platform }, machine)
  expect(wayOf(machine)).toBe('webSocket')
  expect(await find(machine)?.ping(deadlineMs)).toBeGreaterThan(0)
  agent.stop()
  await expect.poll(() => find(machine) === undefined, { timeout: deadlineMs }).toBe(true)
  proxy.server.close()
})

/** Writes this number of bytes as fast as they are accepted, and ends. */
function pour(stream: Duplex, total: number): void {
  const block = Buffer.alloc(256 * 1024)
  let left = total
  const write = (): void => {
    while (left > 0) {
      left -= block.length
      if (!stream.write(block)) return void stream.once('drain', write)
    }
    stream.end()
  }
  write()
}

test('bulk in both directions at once never waits for itself', async () => {
  const machine = await site.createMachine()
  const { session, socket } = await openBare(machine)
  session.removeAllListeners('stream')
  session.setLocalWindowSize(4 * 1024 * 1024)
  const total = 16 * 1024 * 1024
  session.on('stream', (stream) => {
    stream.on('error', () => undefined)
    stream.respond({ ':status': 200 })
    stream.resume()
    pour(stream, total)
  })
  const tunnel = find(machine) as Tunnel
  const all = Array.from({ length: 8 }, async () => {
    const stream = tunnel.request(
      { ':method': 'POST', ':path': '/' },
      { endStream: false },
    ) as ClientHttp2Stream
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    pour(stream, total)
    await gone(stream)
    return bytes
  })
  expect(await Promise.all(all)).toEqual(all.map(() => total))
  socket.destroy()
})
