import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { ClientHttp2Stream, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { Readable } from 'node:stream'
import { encodePortFrame, type PortFrame, PortFrameReader, portHeader, resetStream } from '@busbar/link'
import {
  createMachine,
  localPort,
  openAgentTunnel,
  startTestPlatform,
  type TestMachine,
  type TestPlatform,
} from '@busbar/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import {
  deviceCertificate,
  deviceFingerprint,
  deviceKey,
} from '../../../test-support/tunnels/device-certificate.ts'
import type { Tunnel } from './tunnel.ts'

const megabyte = 1024 * 1024
const transferBytes = 64 * megabyte

let site: TestPlatform
let machine: TestMachine
let agent: { stop(): void }
let tunnel: Tunnel
const servers: (Server | TcpServer)[] = []
/** The device's reactions to requests, by path. */
const device = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
let devicePort: number
let echoAddress: string
const devicesSocketGone = Promise.withResolvers<void>()

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A TCP server that writes some bytes to every client. */
function listenRaw(text: string): Promise<number> {
  return listen(
    createTcpServer((socket) => socket.once('data', () => socket.end(Buffer.from(text, 'latin1')))),
  )
}

beforeAll(async () => {
  const web = createServer((request, response) => {
    const answer = device.get(request.url ?? '')
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'scada' })
  web.on('upgrade', (request, socket, head) => {
    if (request.url !== '/socket')
      return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.on('message', (data) => ws.send(`you: ${data}`))
      ws.once('close', () => devicesSocketGone.resolve())
    })
  })
  devicePort = await listen(web)
  const tlsPort = await listen(
    createTlsServer({ key: deviceKey, cert: deviceCertificate }, (_request, response) =>
      response.end('secure'),
    ),
  )
  const closedPort = await listen(createTcpServer())
  await new Promise((resolve) => servers.at(-1)?.close(resolve))
  const echoPort = await listen(createTcpServer((socket) => socket.pipe(socket)))
  const oldPort = await listenRaw(
    'HTTP/1.0 200 Ok\nContent-Type: text/html\nX-Name: Kühlung\x01\nContent-Length: 3\n\nold',
  )
  // Accepts connections and never answers.
  const mutePort = await listen(createTcpServer())
  // Answers the first request of a connection and keeps it, then breaks it.
  const forgetfulPort = await listen(
    createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        socket.once('data', () => socket.resetAndDestroy())
      })
    }),
  )
  const oddPort = await listenRaw('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n')

  site = await startTestPlatform()
  machine = await createMachine(site.db)
  const target = (name: string, port: number) => ({
    name,
    url: `http://127.0.0.1:${port}`,
    readOnly: 'none' as const,
    insecure: false,
  })
  const secure = { url: `https://127.0.0.1:${tlsPort}`, readOnly: 'none' as const, insecure: false }
  agent = await openAgentTunnel(site, machine, {
    targets: [
      target('hmi', devicePort),
      { ...target('view', devicePort), readOnly: 'enforced' },
      target('closed', closedPort),
      target('old', oldPort),
      target('odd', oddPort),
      target('forgetful', forgetfulPort),
      { ...target('mute', mutePort), url: `https://127.0.0.1:${mutePort}` },
      { name: 'strict', ...secure },
      { name: 'insecure', ...secure, insecure: true },
      { name: 'pinned', ...secure, fingerprint: deviceFingerprint },
      { name: 'exchanged', ...secure, fingerprint: '0'.repeat(64) },
    ],
    ports: [localPort(echoPort)],
    page: (request, answer) => {
      const { visitor, method, path, headers } = request
      answer
        .begin(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ visitor, method, path, headers }))
    },
  })
  echoAddress = `127.0.0.1:${echoPort}`
  tunnel = site.platform.tunnels.find(machine.machineId) as Tunnel
})

afterAll(async () => {
  agent.stop()
  for (const server of servers) server.close()
  await site.stop()
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** The stream's code: 0 when all went well. */
  code: number
}

const visit = (mode: 'ro' | 'rw' = 'rw', until = Date.now() + 60_000) => ({
  'busbar-visit': '7',
  'busbar-user': encodeURIComponent('李 Ming'),
  'busbar-mode': mode,
  'busbar-until': String(until),
})

function open(headers: Record<string, string | string[]>, options = {}): ClientHttp2Stream {
  const stream = tunnel.request({ ':method': 'GET', ':path': '/', ...visit(), ...headers }, options)
  if (!stream) throw new Error('the tunnel takes no stream')
  return stream
}

async function read(stream: ClientHttp2Stream): Promise<Answer> {
  let headers: IncomingHttpHeaders & IncomingHttpStatusHeader = {}
  const chunks: Buffer[] = []
  stream.once('response', (answered) => {
    headers = answered
  })
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => stream.once('close', resolve))
  const body = Buffer.concat(chunks).toString()
  return { status: headers[':status'] ?? 0, headers, body, code: stream.rstCode ?? -1 }
}

const ask = (headers: Record<string, string | string[]>) => read(open(headers))

test('the agent reports its targets, its own page first', async () => {
  const info = await tunnel.info()
  expect(info.targets.slice(0, 3)).toEqual([
    { name: 'page', readOnly: true },
    { name: 'hmi', readOnly: false },
    { name: 'view', readOnly: true },
  ])
  expect(info.ports).toMatchObject([{ name: echoAddress, kind: 'other', look: 'nobody', roundTripMs: null }])
  expect((await ask({ ':authority': 'agent', ':path': '/info' })).status).toBe(403)
})

test('the page learns who is there, and only a complete visit header of the platform reaches it', async () => {
  const until = Date.now() + 60_000
  const { body } = await ask({
    ':authority': 'page',
    ':path': '/api/x?y',
    cookie: ['a=1', 'b=2'],
    ...visit('ro', until),
  })
  const seen = JSON.parse(body)
  expect(seen).toMatchObject({
    method: 'GET',
    path: '/api/x?y',
    visitor: { visit: '7', user: '李 Ming', mode: 'ro' },
    headers: { host: 'page', cookie: 'a=1; b=2' },
  })
  expect(Math.abs(seen.visitor.until - until)).toBeLessThan(10_000)
  expect(body).not.toContain('busbar-')
  for (const name of ['busbar-visit', 'busbar-user', 'busbar-mode', 'busbar-until']) {
    const headers: Record<string, string> = {
      ':method': 'GET',
      ':path': '/',
      ':authority': 'page',
      ...visit(),
    }
    delete headers[name]
    expect((await read(tunnel.request(headers) as ClientHttp2Stream)).status).toBe(403)
    expect((await ask({ ':authority': 'page', [name]: ['7', '8'] })).status).toBe(403)
  }
  expect((await ask({ ':authority': 'page', ...visit('rw', Date.now() - 5_000) })).status).toBe(403)
  expect((await ask({ ':authority': 'elsewhere' })).status).toBe(421)
})

test('a target gets its own address and does not see the platform; absolute addresses become paths', async () => {
  let seen: IncomingHttpHeaders = {}
  device.set('/form?x=1', (request, response) => {
    seen = request.headers
    const own = `http://127.0.0.1:${devicePort}`
    response.writeHead(
      302,
      [
        ['location', `${own}//evil.example/next?a=b#c`],
        ['content-location', '/stays'],
        ['set-cookie', 'a=1; Path=/'],
        ['set-cookie', 'b=2'],
        ['keep-alive', 'timeout=5'],
        ['busbar-mode', 'rw'],
        ['connection', 'close, x-hop'],
        ['x-hop', '1'],
        ['x-stays', '1'],
      ].flat(),
    )
    response.end()
  })
  const answer = await ask({
    ':authority': 'hmi',
    ':path': '/form?x=1',
    origin: 'https://1000000000000000001.visit.example',
    referer: 'https://1000000000000000001.visit.example/form?z',
    'busbar-other': 'x',
    'x-mine': 'y',
  })
  const host = `127.0.0.1:${devicePort}`
  expect(seen).toMatchObject({
    host,
    origin: `http://${host}`,
    referer: `http://${host}/form?z`,
    'x-mine': 'y',
  })
  expect(Object.keys(seen).filter((name) => name.startsWith('busbar-'))).toEqual([])
  expect(answer).toMatchObject({ status: 302, code: 0 })
  expect(answer.headers).toMatchObject({
    location: '/evil.example/next?a=b#c',
    'content-location': '/stays',
    'set-cookie': ['a=1; Path=/', 'b=2'],
    'x-stays': '1',
  })
  expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['keep-alive']))
  expect(
    answer.headers['x-hop'] ?? answer.headers['busbar-mode'] ?? answer.headers.connection,
  ).toBeUndefined()
})

test('an old device’s HTTP is understood; an invalid answer, or a missing device, is a bad gateway', async () => {
  const old = await ask({ ':authority': 'old' })
  expect(old).toMatchObject({ status: 200, body: 'old', code: 0 })
  expect(old.headers['x-name']).toBe('Kühlung')
  expect((await ask({ ':authority': 'odd' })).status).toBe(502)
  expect(await ask({ ':authority': 'closed' })).toMatchObject({
    status: 502,
    body: expect.stringContaining('ECONNREFUSED'),
  })
  expect((await ask({ ':authority': 'closed' })).body).not.toContain('127.0.0.1')
})

test('a kept connection that the device has closed meanwhile does not fail the request', async () => {
  for (let round = 0; round < 3; round++) {
    expect(await ask({ ':authority': 'forgetful' })).toMatchObject({ status: 200, body: 'ok', code: 0 })
  }
})

test('a device that accepts no connection within five seconds is a gateway time-out', async () => {
  expect((await ask({ ':authority': 'mute' })).status).toBe(504)
})

test('a self-signed device is trusted only by its fingerprint, or when marked insecure', async () => {
  const statuses = await Promise.all(
    ['strict', 'insecure', 'pinned', 'exchanged'].map(
      async (name) => (await ask({ ':authority': name })).status,
    ),
  )
  expect(statuses).toEqual([502, 200, 200, 502])
})

test('a visit with read-only access cannot change anything', async () => {
  let asked = 0
  device.set('/set', (request, response) => {
    asked++
    request.resume()
    response.end(request.method)
  })
  const status = async (name: string, method: string) =>
    (await ask({ ':authority': name, ':method': method, ':path': '/set', ...visit('ro') })).status
  expect(await status('hmi', 'GET')).toBe(403)
  expect(await status('view', 'GET')).toBe(200)
  expect(await status('view', 'HEAD')).toBe(200)
  expect(await status('view', 'OPTIONS')).toBe(200)
  expect(asked).toBe(3)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'get', 'TRACE']) {
    expect(await status('view', method)).toBe(403)
    expect(await status('page', method)).toBe(403)
  }
  const socket = { ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/socket', ...visit('ro') }
  expect((await ask({ ':authority': 'view', ...socket })).status).toBe(403)
  expect((await ask({ ':authority': 'hmi', ...socket })).status).toBe(403)
  const { ':path': _path, ...connect } = { ':path': '', ...visit('ro') }
  const tcp = tunnel.request({
    ':method': 'CONNECT',
    ':authority': echoAddress,
    ...connect,
  }) as ClientHttp2Stream
  expect((await read(tcp)).status).toBe(403)
  expect(asked).toBe(3)
})

test('a WebSocket of the page passes, with its protocol; a refused one gets the device’s status', async () => {
  const headers = { ':authority': 'hmi', ':method': 'CONNECT', ':protocol': 'websocket' }
  const stream = open({ ...headers, ':path': '/socket', 'sec-websocket-protocol': 'scada' })
  const [answered] = await once(stream, 'response')
  expect(answered).toMatchObject({ ':status': 200, 'sec-websocket-protocol': 'scada' })
  expect(answered['sec-websocket-accept']).toBeUndefined()
  // A masked text frame, as a browser sends it (RFC 6455, 5.7).
  stream.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]))
  const [frame] = await once(stream, 'data')
  expect(frame.subarray(2).toString()).toBe('you: hi')
  resetStream(stream, 'gone')
  await devicesSocketGone.promise
  expect((await ask({ ...headers, ':path': '/closed' })).status).toBe(403)
  expect((await ask({ ...headers, ':authority': 'page', ':path': '/socket' })).status).toBe(501)
})

test('TCP reaches only the ports that the configuration names', async () => {
  const connect = (address: string) =>
    tunnel.request({
      ...{ ':method': 'CONNECT', ':authority': address, ...visit() },
      ...{ [portHeader.stream]: 'a'.repeat(22), [portHeader.from]: '0' },
    }) as ClientHttp2Stream
  const stream = connect(echoAddress)
  const send = (frame: PortFrame) => stream.write(Buffer.concat(encodePortFrame(frame)))
  const reader = new PortFrameReader()
  const frames: PortFrame[] = []
  stream.on('data', (bytes: Buffer) => frames.push(...reader.read(bytes)))
  send({ kind: 'data', bytes: Buffer.from('ping') })
  const echo = { kind: 'data', bytes: Buffer.from('ping') }
  await expect.poll(() => frames, { timeout: 10_000 }).toContainEqual(echo)
  send({ kind: 'over' })
  await once(stream, 'close')
  expect(frames.at(-1)).toEqual({ kind: 'over' })
  expect(stream.rstCode).toBe(0)
  for (const address of [
    `127.0.0.1:${devicePort}`,
    `localhost:${echoAddress.split(':')[1]}`,
    'page',
    'hmi',
  ]) {
    expect((await read(connect(address))).status).toBe(404)
  }
})

test('64 MB up and down at once arrive unchanged', async () => {
  device.set('/down', (_request, response) => {
    response.writeHead(200, { 'content-length': transferBytes })
    Readable.from(blocks()).pipe(response)
  })
  device.set('/up', (request, response) => {
    const hash = createHash('sha256')
    request.on('data', (chunk) => hash.update(chunk))
    request.on('end', () => response.end(hash.digest('hex')))
  })
  const want = createHash('sha256')
  for (const block of blocks()) want.update(block)
  const wanted = want.digest('hex')

  const up = open({ ':authority': 'hmi', ':method': 'POST', ':path': '/up' })
  Readable.from(blocks()).pipe(up)
  const down = open({ ':authority': 'hmi', ':path': '/down' })
  const hash = createHash('sha256')
  down.on('data', (chunk) => hash.update(chunk))
  const [uploaded] = await Promise.all([read(up), once(down, 'end')])
  expect(hash.digest('hex')).toBe(wanted)
  expect(uploaded.body).toBe(wanted)
})

const block = randomBytes(megabyte / 4)
function* blocks() {
  for (let sent = 0; sent < transferBytes; sent += block.length) yield block
}

test('a disconnect reaches the other side: the visitor’s the device, the device’s the visitor', async () => {
  const gone = Promise.withResolvers<void>()
  device.set('/endless', (request, response) => {
    request.resume()
    response.write('begin')
    response.once('close', () => gone.resolve())
  })
  const stream = open({ ':authority': 'hmi', ':path': '/endless' })
  await once(stream, 'data')
  resetStream(stream, 'gone')
  await gone.promise

  const uploadGone = Promise.withResolvers<void>()
  device.set('/upload', (request) => {
    request.on('error', () => undefined)
    request.on('data', () => undefined)
    request.once('close', () => uploadGone.resolve())
  })
  const upload = open({ ':authority': 'hmi', ':method': 'PUT', ':path': '/upload' })
  upload.write('begin')
  await new Promise((resolve) => setTimeout(resolve, 50))
  resetStream(upload, 'gone')
  await uploadGone.promise

  device.set('/breaks', (_request, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('begin', () => response.destroy())
  })
  const broken = await ask({ ':authority': 'hmi', ':path': '/breaks' })
  expect(broken).toMatchObject({ status: 200, body: 'begin' })
  expect(broken.code).not.toBe(0)
})

test('an answer that comes before the upload has ended is complete', async () => {
  device.set('/full', (_request, response) => {
    response.writeHead(413, { connection: 'close' })
    response.end('too much')
  })
  const stream = open({ ':authority': 'hmi', ':method': 'POST', ':path': '/full' })
  const answer = read(stream)
  stream.write('begin')
  expect(await answer).toMatchObject({ status: 413, body: 'too much', code: 0 })
})

test('a stream ends with its visit, whatever time the agent’s clock shows', async () => {
  device.set('/lasting', (_request, response) => response.write('begin'))
  const stream = open({ ':authority': 'hmi', ':path': '/lasting', ...visit('rw', Date.now() + 500) })
  const answer = await read(stream)
  expect(answer).toMatchObject({ body: 'begin' })
  expect(answer.code).not.toBe(0)
})
