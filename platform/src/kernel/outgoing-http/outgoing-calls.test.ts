import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseAllowedNetworks } from './allowed-networks.ts'
import { formatRequestHead, OutgoingCalls, type OutgoingRequest } from './outgoing-calls.ts'
import { OutgoingError } from './outgoing-error.ts'
import { parseTypedAddress } from './typed-address.ts'

type Answer = (socket: Socket, request: string, nth: number) => void

/** A server of bare bytes: each complete request is answered by `answer`. */
async function startServer(answer: Answer) {
  const requests: string[] = []
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections++
    open.add(socket)
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0)
      if (end < 4 || text.length < end + length) return
      requests.push(text)
      text = ''
      answer(socket, requests.at(-1) ?? '', requests.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, requests, open, count: () => connections }
}

const ok = (body = '', headers = ''): string =>
  `HTTP/1.1 200 OK\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const space = { userId: 1 }
const typed = (text: string) => parseTypedAddress(text, { protocols: ['http', 'https'] })

function createCalls(...ports: number[]) {
  const calls = new OutgoingCalls({
    allowed: parseAllowedNetworks(ports.map((port) => `* 127.0.0.1:${port}`).join(',')),
    resolve: async () => ['127.0.0.1'],
  })
  onTestFinished(() => calls.close())
  return calls
}

/** A server with this answer, and a call to it. */
async function serve(answer: Answer) {
  const server = await startServer(answer)
  const calls = createCalls(server.port)
  const to = typed(`http://mes.example.com:${server.port}/in?line=1`)
  const call = (request: Partial<OutgoingRequest> = {}) =>
    calls.request({ method: 'POST', to, space, deadlineMs: 15_000, ...request })
  return { ...server, calls, to, call }
}

const fault = (code: string, rest: object = {}) =>
  expect.objectContaining({ name: 'OutgoingError', code, ...rest })

test('a request goes out as it is shown, byte for byte, and its answer comes back', async () => {
  const { requests, to, call } = await serve((socket) => socket.write(ok('{"ok":true}', 'Server: MES\r\n')))
  const request = {
    to,
    space,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: '数据',
  }
  const answer = await call(request)
  expect(requests).toEqual([Buffer.from(`${formatRequestHead(request)}数据`).toString('latin1')])
  expect(answer).toMatchObject({ status: 200, headers: { server: 'MES' }, cut: undefined })
  expect(answer.head).toBe('HTTP/1.1 200 OK\r\nServer: MES\r\ncontent-length: 11\r\n\r\n')
  expect(answer.body.toString()).toBe('{"ok":true}')
  expect(answer.connection.address).toBe('127.0.0.1')
})

test.each(['GET', 'POST', 'PUT', 'DELETE'] as const)(
  'a %s without a body is shown as it is sent',
  async (method) => {
    const { requests, to, call } = await serve((socket) => socket.write(ok()))
    await call({ method })
    expect(requests).toEqual([formatRequestHead({ method, to, space })])
  },
)

test('requests of one space to one origin share a connection, others do not', async () => {
  const { calls, call, count } = await serve((socket) => socket.write(ok()))
  await call()
  await call()
  expect(count()).toBe(1)
  await call({ space: { enterpriseId: 1 } })
  await call({ isAlone: true })
  expect(count()).toBe(3)
  await Promise.all([call(), call(), call()])
  expect(count()).toBe(5)
  expect(calls.outcomes.get('2xx')).toBe(7)
})

test('a connection that the other side ended is replaced, and the new one is checked', async () => {
  const server = await startServer((socket) => socket.end(ok('', 'connection: close\r\n')))
  const answers = ['127.0.0.1', '10.0.0.1']
  const calls = new OutgoingCalls({
    allowed: parseAllowedNetworks(`* 127.0.0.1:${server.port}`),
    resolve: async () => [answers.shift() ?? ''],
  })
  const to = typed(`http://mes.example.com:${server.port}`)
  const call = () => calls.request({ method: 'GET', to, space })
  expect((await call()).status).toBe(200)
  await expect(call()).rejects.toEqual(fault('addressRefused', { problem: 'private', address: undefined }))
})

test('an address that may not be reached is refused, and without TLS a public one too', async () => {
  const { call, calls } = await serve((socket) => socket.write(ok()))
  await expect(call({ to: typed('https://10.1.2.3') })).rejects.toEqual(
    fault('addressRefused', { problem: 'private' }),
  )
  await expect(call({ to: typed('http://8.8.8.8') })).rejects.toEqual(
    fault('addressRefused', { problem: 'plain' }),
  )
  await expect(calls.check(typed('http://8.8.8.8'), space)).rejects.toEqual(
    fault('addressRefused', { problem: 'plain' }),
  )
  expect(calls.outcomes.get('addressRefused')).toBe(2)
})

test('no proxy of the environment is used', async () => {
  const proxy = await startServer((socket) => socket.write(ok('proxy')))
  for (const name of [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'http_proxy',
    'https_proxy',
    'NODE_USE_ENV_PROXY',
  ])
    vi.stubEnv(name, name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { call } = await serve((socket) => socket.write(ok('server')))
  expect((await call()).body.toString()).toBe('server')
  expect(proxy.count()).toBe(0)
})

/** Until the other side stops reading. */
function pour(socket: Socket, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

const chunked = (bytes: Buffer | string) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')])

test('an answer that never ends is cut at its limit, and the connection with it', async () => {
  const { call, open } = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    pour(socket, chunked(Buffer.alloc(16_384, 'x')))
  })
  const answer = await call()
  expect(answer).toMatchObject({ status: 200, cut: 'answerTooLarge' })
  expect(answer.body.length).toBe(65_536)
  await vi.waitFor(() => expect([...open].every((socket) => socket.destroyed)).toBe(true))
})

test('an answer that declares 1 GB is cut at its limit', async () => {
  const { call } = await serve((socket) => {
    socket.write('HTTP/1.1 500 Broken\r\ncontent-length: 1073741824\r\n\r\n')
    pour(socket, Buffer.alloc(65_536, 'x'))
  })
  expect(await call({ answerBytesMax: 10 })).toMatchObject({
    status: 500,
    cut: 'answerTooLarge',
    body: Buffer.from('x'.repeat(10)),
  })
})

test('an answer of exactly the limit is whole', async () => {
  const { call } = await serve((socket) => socket.write(ok('x'.repeat(100))))
  expect(await call({ answerBytesMax: 100 })).toMatchObject({ cut: undefined, body: { length: 100 } })
})

test('a packed answer is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const { call, requests } = await serve((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
    socket.write(bomb)
  })
  const answer = await call()
  expect(answer.body).toEqual(bomb.subarray(0, answer.body.length))
  expect(requests[0]).not.toContain('accept-encoding')
})

test('an answer of one byte now and then is cut at the deadline', async () => {
  const { call } = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(drip))
  })
  const answer = await call({ deadlineMs: 1_000 })
  expect(answer).toMatchObject({ status: 200, cut: 'timeout' })
  expect(answer.body.length).toBeGreaterThan(0)
})

test('an answer that breaks off says so', async () => {
  const { call } = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'))
  expect(await call()).toMatchObject({ status: 200, cut: 'reset', body: Buffer.from('half') })
})

test.each<[string, Answer, string]>([
  ['never answers', () => undefined, 'timeout'],
  [
    'announces answers forever',
    (socket) => pour(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n')),
    'timeout',
  ],
  [
    'sends its headers byte by byte',
    (socket) => {
      const drip = setInterval(() => socket.write('H'), 20)
      socket.write('HTTP/1.1 200 OK\r\n')
      socket.on('close', () => clearInterval(drip))
    },
    'timeout',
  ],
  [
    'sends headers without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      pour(socket, Buffer.from(`x-filler: ${'x'.repeat(1_000)}\r\n`))
    },
    'answerTooLarge',
  ],
  ['hangs up', (socket) => socket.end(), 'reset'],
  ['resets', (socket) => socket.resetAndDestroy(), 'reset'],
  ['speaks something else', (socket) => socket.end('220 mail.example.com ESMTP\r\n'), 'protocol'],
  [
    'has two lengths',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
    'protocol',
  ],
])('a server that %s is told by its fault', async (_, answer, code) => {
  const { call, open, calls } = await serve(answer)
  // Others than the late ones have to come before it.
  const deadlineMs = code === 'timeout' ? 1_000 : 15_000
  await expect(call({ deadlineMs })).rejects.toEqual(fault(code, { address: '127.0.0.1' }))
  await vi.waitFor(() => expect([...open].every((socket) => socket.destroyed)).toBe(true))
  expect(calls.outcomes.get(code as 'timeout')).toBe(1)
})

test('the deadline covers a receiver that never reads the request', async () => {
  const { call, open } = await serve(() => undefined)
  const calling = call({ body: Buffer.alloc(20_000_000), deadlineMs: 2_000 })
  await vi.waitFor(() => expect(open.size).toBe(1))
  for (const socket of open) socket.pause()
  await expect(calling).rejects.toEqual(fault('timeout'))
})

test('redirects are a fault unless they are asked for', async () => {
  const { call } = await serve((socket) =>
    socket.write('HTTP/1.1 302 Found\r\nlocation: /next\r\ncontent-length: 0\r\n\r\n'),
  )
  await expect(call({ method: 'GET' })).rejects.toEqual(fault('redirect', { detail: '302 /next' }))
  await expect(call({ redirectsMax: 3 })).rejects.toEqual(fault('redirect'))
  await expect(call({ method: 'GET', redirectsMax: 3 })).rejects.toEqual(fault('redirect'))
})

test('a redirect is followed to an address that may be reached, without the headers of the first', async () => {
  const other = await startServer((socket) => socket.write(ok('there')))
  const { port, requests } = await startServer((socket, _, nth) => {
    const location = nth === 1 ? '/two' : `http://other.example.com:${other.port}/three`
    socket.write(`HTTP/1.1 307 Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)
  })
  const request = {
    method: 'GET' as const,
    to: typed(`http://mes.example.com:${port}`),
    space,
    redirectsMax: 3,
    headers: { authorization: 'Bearer key' },
  }
  expect((await createCalls(port, other.port).request(request)).body.toString()).toBe('there')
  expect(requests.map((text) => text.split(' ')[1])).toEqual(['/', '/two'])
  expect(requests[1]).toContain('Bearer key')
  expect(other.requests[0]).not.toContain('Bearer key')
})

test.each([
  ['http://127.0.0.1:PORT/', 'loopback'],
  ['http://0x7f.1:PORT/', 'loopback'],
  ['http://[::ffff:127.0.0.1]:PORT/', 'embedded'],
  ['//0.0.0.0:PORT/', 'unspecified'],
  ['https://me@8.8.8.8/', 'user'],
  ['https://8.8.8.8:25/', 'port'],
  ['file:///etc/passwd', 'syntax'],
  ['http://8.8.8.8/', 'plain'],
])('a redirect to %s is refused', async (location, problem) => {
  const victim = await startServer((socket) => socket.write(ok('secret')))
  const { port } = await startServer((socket) =>
    socket.write(
      `HTTP/1.1 302 Found\r\nlocation: ${location.replace('PORT', String(victim.port))}\r\ncontent-length: 0\r\n\r\n`,
    ),
  )
  const request = {
    method: 'GET' as const,
    to: typed(`http://mes.example.com:${port}`),
    space,
    redirectsMax: 3,
  }
  await expect(createCalls(port).request(request)).rejects.toEqual(fault('addressRefused', { problem }))
  expect(victim.count()).toBe(0)
})

test('a request is taken back while the other side does not have all of it, and not later', async () => {
  const end = new AbortController()
  let answer: () => void = () => undefined
  const { call, open, requests } = await serve((socket) => {
    answer = () => socket.write(ok('late'))
  })
  const long = call({ body: Buffer.alloc(20_000_000), signal: end.signal })
  await vi.waitFor(() => expect(open.size).toBe(1))
  for (const socket of open) socket.pause()
  end.abort(new Error('the right ended'))
  await expect(long).rejects.toThrow('the right ended')
  await expect(call({ signal: end.signal })).rejects.toThrow('the right ended')
  const later = new AbortController()
  const short = call({ body: 'all of it', signal: later.signal })
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  later.abort()
  answer()
  expect((await short).body.toString()).toBe('late')
})

test('a header with a line break is a mistake of the caller', async () => {
  const { call } = await serve((socket) => socket.write(ok()))
  const calling = call({ headers: { 'x-note': 'a\r\nx-injected: b' } })
  await expect(calling).rejects.toThrow('invalid')
  await expect(calling).rejects.not.toBeInstanceOf(OutgoingError)
})

test('after the end of the process’s part no connection stays', async () => {
  const { call, calls, open } = await serve((socket) => socket.write(ok()))
  await call()
  calls.close()
  await vi.waitFor(() => expect([...open].every((socket) => socket.destroyed)).toBe(true))
})
