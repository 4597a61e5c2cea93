import { once } from 'node:events'
import type { ClientHttp2Stream, ServerHttp2Stream } from 'node:http2'
import { text } from 'node:stream/consumers'
import { tunnelClose, tunnelLimits, tunnelPath, tunnelProtocol } from '@busbar/link'
import { dialTestTunnel, openTestTunnel, type TestMachine } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Tunnel } from './tunnel.ts'

const site = useSite()

const find = (machine: TestMachine) => site.platform.tunnels.find(machine.machineId)
const get = (tunnel: Tunnel | undefined, path = '/') => {
  const stream = tunnel?.request({ ':method': 'GET', ':path': path, ':authority': 'page' })
  if (!stream) throw new Error('the tunnel takes no stream')
  return stream
}

/** The status of an upgrade that was refused. */
async function refusalOf(ws: WebSocket): Promise<number> {
  ws.on('error', () => undefined)
  const [, response] = await once(ws, 'unexpected-response')
  ws.terminate()
  return response.statusCode
}

test('a request and its body go through, and the tunnel is known as long as it is there', async () => {
  const machine = await site.createMachine()
  const changes: (string | undefined)[] = []
  const stop = site.platform.tunnels.onChange((id, tunnel) => {
    if (id === machine.machineId) changes.push(tunnel?.code)
  })
  const agent = await openTestTunnel(site, machine, (stream, headers) => {
    stream.respond({ ':status': 200, 'x-path': headers[':path'] })
    stream.pipe(stream)
  })
  const tunnel = find(machine)
  expect(await tunnel?.info()).toEqual({
    version: 'test',
    targets: [{ name: 'page', readOnly: true }],
    ports: [],
    remote: [],
  })
  const stream = tunnel?.request({
    ':method': 'POST',
    ':path': '/x',
    ':authority': 'page',
  }) as ClientHttp2Stream
  const body = text(stream)
  stream.end('hello')
  const [headers] = await once(stream, 'response')
  expect(headers['x-path']).toBe('/x')
  expect(await body).toBe('hello')
  expect(await tunnel?.ping(10_000)).toBeGreaterThan(0)
  agent.close()
  await expect.poll(() => find(machine), { timeout: 10_000 }).toBe(undefined)
  expect(changes).toEqual([machine.code, undefined])
  expect(tunnel?.request({ ':path': '/' })).toBe(undefined)
  stop()
})

test('no WebSocket is opened without a machine’s secret, and tries count with the telemetry’s', async () => {
  const machine = await site.createMachine()
  const refused = () => site.platform.gateway.stats().refusedLogins
  const before = refused()
  expect(await refusalOf(dialTestTunnel(site, { ...machine, secret: 'wrong' }))).toBe(401)
  expect(await refusalOf(dialTestTunnel(site, { code: '1'.repeat(19), secret: machine.secret }))).toBe(401)
  expect(refused()).toBe(before + 2)
  const url = `${site.url.replace('http', 'ws')}${tunnelPath}`
  expect(await refusalOf(new WebSocket(url, tunnelProtocol))).toBe(401)
  expect(await refusalOf(new WebSocket(url, 'mqtt', { auth: `${machine.code}:${machine.secret}` }))).toBe(400)
  expect(find(machine)).toBe(undefined)
})

test('a newer tunnel replaces the older one with all its streams', async () => {
  const machine = await site.createMachine()
  const older = await openTestTunnel(site, machine, (stream) => stream.respond())
  const stream = get(find(machine))
  const broken = new Promise<Error>((resolve) => stream.once('error', resolve))
  await once(stream, 'response')
  const told: (Tunnel | undefined)[] = []
  const stop = site.platform.tunnels.onChange((id, tunnel) => {
    if (id === machine.machineId) told.push(tunnel)
  })
  const newer = await openTestTunnel(site, machine, (stream) => stream.respond())
  expect(await older.closed).toBe(tunnelClose.replaced)
  await broken
  expect(told).toEqual([find(machine)])
  await once(get(find(machine)), 'response')
  stop()
  newer.close()
})

test('a reset of the secret cuts the tunnel', async () => {
  const machine = await site.createMachine()
  const other = await site.createMachine()
  const agents = [machine, other].map((each) => openTestTunnel(site, each, (stream) => stream.respond()))
  const [agent, untouched] = await Promise.all(agents)
  const change = (reason: string) =>
    site.db.insertInto('right_changes').values({ machine_id: machine.machineId, reason }).execute()
  await change('grant')
  await change('secretReset')
  expect(await agent?.closed).toBe(tunnelClose.cut)
  expect(find(machine)).toBe(undefined)
  expect(find(other)).toBeDefined()
  untouched?.close()
})

test('a stuck reader delays no other stream, and buffers at most its window', async () => {
  const machine = await site.createMachine()
  const block = Buffer.alloc(64 * 1024)
  const agent = await openTestTunnel(site, machine, (stream: ServerHttp2Stream) => {
    stream.respond()
    const write = (): void => {
      while (!stream.destroyed && stream.write(block));
      stream.once('drain', write)
    }
    write()
  })
  const tunnel = find(machine)
  const { localSettings } = (tunnel as Tunnel).session
  expect(localSettings.initialWindowSize).toBe(256 * 1024)
  const live = get(tunnel)
  let received = 0
  live.on('data', (chunk) => {
    received += chunk.length
  })
  const windowBytes = () => tunnel?.session.localSettings.initialWindowSize
  await expect.poll(windowBytes, { timeout: 10_000 }).toBeGreaterThan(256 * 1024)
  // Never read.
  const first = get(tunnel)
  await expect.poll(windowBytes, { timeout: 10_000 }).toBe(256 * 1024)
  const others = Array.from({ length: 40 }, () => get(tunnel))
  const left = (stream: ClientHttp2Stream) => stream.state.localWindowSize
  await expect.poll(() => others.every((stream) => left(stream) === 0), { timeout: 10_000 }).toBe(true)
  expect(first.readableLength).toBeLessThanOrEqual(tunnelLimits.windowBytesMax)
  for (const stream of others) expect(stream.readableLength).toBeLessThanOrEqual(256 * 1024)
  const before = received
  await expect.poll(() => received - before, { timeout: 10_000 }).toBeGreaterThan(32 * 1024 * 1024)
  agent.close()
})

test('a tunnel takes 128 streams', async () => {
  const machine = await site.createMachine()
  const agent = await openTestTunnel(site, machine, (stream) => stream.respond())
  const tunnel = find(machine) as Tunnel
  await tunnel.info()
  await expect.poll(() => tunnel.streamCount, { timeout: 10_000 }).toBe(0)
  const streams = Array.from({ length: 128 }, () => get(tunnel))
  expect(tunnel.request({ ':method': 'GET', ':path': '/', ':authority': 'page' })).toBe(undefined)
  streams[0]?.destroy(new Error('enough'))
  await expect.poll(() => tunnel.streamCount, { timeout: 10_000 }).toBe(127)
  get(tunnel)
  agent.close()
})
