import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createHolder, enterVisit, type VisitClient, visitClientOf } from '@busbar/testkit'
import { letThrough } from './testing/lax-rules.ts'
import { openSocket, speak } from './testing/raw-client.ts'
import { othersWork, type Rig, type Station, startRig, until } from './testing/rig.ts'
import { describeIsolation, type End, type Vector } from './testing/vector.ts'

const close = 'Connection: close'
const chunked = 'Transfer-Encoding: chunked'
const mebibyte = 1024 * 1024
/** Bytes that network and both ends of the tunnel may hold of one stream that is not read. */
const underwayMax = 24 * mebibyte
const offered = 64 * mebibyte
/** So long nothing moves: the sender is held back. */
const stuckMs = 400
const askAgainMs = 100
const reachedNothing = async (station: Station): Promise<End> => ({
  saw: await station.listArrivals(),
  wanted: [],
})

/** Larger than any real request: refused, and no machine sees it. */
const refused = (
  name: string,
  statuses: readonly number[],
  said: (station: Station) => string,
): Vector<Rig> => ({
  name,
  async attack(rig) {
    const got = await speak(rig.site, said(rig.good))
    return {
      client: { saw: [statuses.includes(got.statuses[0] ?? 0), got.isClosed], wanted: [true, true] },
      beyond: await reachedNothing(rig.good),
    }
  },
})

/** Sends until the other side accepts no more; answers how many bytes it accepted. */
async function fill(socket: Socket, head: string): Promise<number> {
  const chunk = Buffer.alloc(mebibyte, 120)
  socket.write(head)
  for (let sent = 0; sent < offered; sent += chunk.length) {
    if (socket.write(chunk)) continue
    const drained = new Promise<boolean>((resolve) => socket.once('drain', () => resolve(true)))
    if (!(await Promise.race([drained, delay(stuckMs, false)]))) break
  }
  return socket.bytesWritten - socket.writableLength
}

const webSocketHead = ({ client }: Station): string =>
  [
    'GET /ws HTTP/1.1',
    `Host: ${client.host}`,
    `Cookie: ${client.cookie}`,
    `Origin: ${client.origin}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    '',
    '',
  ].join('\r\n')

/** Requests of one visit that are never answered, `count` of them; one that is refused is sent again. */
function hang(client: VisitClient, count: number): Promise<Socket[]> {
  const head = `GET /hang HTTP/1.1\r\nHost: ${client.host}\r\nCookie: ${client.cookie}\r\n\r\n`
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await client.openSocket()
      let again: NodeJS.Timeout | undefined
      socket.on('data', () => {
        clearTimeout(again)
        again = setTimeout(() => socket.write(head), askAgainMs)
      })
      socket.once('close', () => clearTimeout(again))
      socket.write(head)
      return socket
    }),
  )
}

const requests: Vector<Rig>[] = [
  refused('a header of 20 kB', [431], (to) => to.head('GET /x', [`X-A: ${'a'.repeat(20_000)}`, close])),
  refused('a cookie of 20 kB', [431], (to) =>
    to.head('GET /x', [close]).replace('Cookie: ', `Cookie: a=${'a'.repeat(20_000)}; `),
  ),
  refused('110 headers', [431], (to) =>
    to.head('GET /x', [...Array.from({ length: 110 }, (_, at) => `X-${at}: 1`), close]),
  ),
  refused('2,500 headers', [431], (to) =>
    to.head('GET /x', [...Array.from({ length: 2_500 }, () => 'a:b'), close]),
  ),
  refused('a path of 100 kB', [400, 414, 431], (to) => to.head(`GET /${'a'.repeat(100_000)}`, [close])),
  refused(
    'a header that never ends',
    [431],
    (to) => `GET /x HTTP/1.1\r\nHost: ${to.client.host}\r\nX-A: ${'a'.repeat(mebibyte)}`,
  ),
  {
    name: 'a chunk extension of 100 kB',
    async attack(rig) {
      const { statuses, isClosed } = await speak(
        rig.site,
        `${rig.good.head('POST /x', [chunked, close])}1;${'a'.repeat(100_000)}\r\na\r\n0\r\n\r\n`,
      )
      return {
        client: { saw: [statuses.every((status) => status >= 400), isClosed], wanted: [true, true] },
        beyond: await othersWork(rig),
      }
    },
  },
  {
    name: 'trailers of 100 kB',
    async attack(rig) {
      const ends: string[] = []
      rig.good.answer = (stream) => {
        stream.once('end', () => ends.push('whole'))
      }
      const { statuses, isClosed } = await speak(
        rig.site,
        `${rig.good.head('POST /x', [chunked, close])}1\r\na\r\n0\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`,
      )
      await rig.good.listArrivals()
      return {
        client: { saw: [statuses, isClosed], wanted: [[431], true] },
        beyond: { saw: ends, wanted: [] },
      }
    },
  },
  {
    name: '20,000 chunks of one byte',
    async attack({ site, good }) {
      good.answer = (stream) => {
        stream.once('end', () => {
          stream.respond({ ':status': 200 })
          stream.end('taken')
        })
      }
      const chunks = '1\r\na\r\n'.repeat(20_000)
      const { text } = await speak(site, `${good.head('POST /x', [chunked, close])}${chunks}0\r\n\r\n`)
      return {
        client: { saw: text.includes('taken'), wanted: true },
        beyond: { saw: good.arrivals[0]?.body.length, wanted: 20_000 },
      }
    },
  },
  {
    name: 'an upload that a machine does not read',
    async attack(rig) {
      rig.evil.answer = (stream) => stream.pause().removeAllListeners('data')
      const socket = await openSocket(rig.site)
      const taken = await fill(socket, rig.evil.head('POST /x', [`Content-Length: ${offered}`]))
      const others = await othersWork(rig)
      socket.destroy()
      return { client: { saw: taken < underwayMax, wanted: true }, beyond: others }
    },
  },
  {
    name: 'a WebSocket whose machine does not read',
    async attack(rig) {
      rig.evil.answer = (stream) => {
        stream.pause().removeAllListeners('data')
        stream.respond({ ':status': 200 })
      }
      const socket = await openSocket(rig.site)
      const isOpen = new Promise<void>((resolve) => socket.once('data', () => resolve()))
      socket.write(webSocketHead(rig.evil))
      await isOpen
      // A frame that claims 2^62 bytes: the rest never comes.
      const frame = Buffer.from([0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]).toString('latin1')
      const taken = await fill(socket, frame)
      const others = await othersWork(rig)
      socket.destroy()
      return { client: { saw: taken < underwayMax, wanted: true }, beyond: others }
    },
  },
  {
    name: 'a WebSocket frame that claims 2^62 bytes: what there is of it goes on at once',
    async attack({ site, good }) {
      const socket = await openSocket(site)
      const isOpen = new Promise<void>((resolve) => socket.once('data', () => resolve()))
      socket.write(webSocketHead(good))
      await isOpen
      const frame = Buffer.from([0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5])
      socket.write(frame)
      await until(() => good.arrivals[0]?.body.length === frame.length, 'the frame’s beginning')
      socket.resetAndDestroy()
      await until(() => good.arrivals[0]?.stream.closed === true, 'the machine’s end closed')
      return {
        client: { saw: socket.destroyed, wanted: true },
        beyond: { saw: good.arrivals[0]?.body, wanted: frame.toString('latin1') },
      }
    },
  },
  {
    name: 'a WebSocket that its page has closed and its machine has not',
    async attack(rig) {
      rig.evil.answer = (stream) => stream.respond({ ':status': 200 })
      const socket = await openSocket(rig.site)
      const isOpen = new Promise<void>((resolve) => socket.once('data', () => resolve()))
      socket.write(webSocketHead(rig.evil))
      await isOpen
      socket.end()
      await until(() => rig.evil.arrivals[0]?.stream.closed === true, 'the machine’s end closed')
      await until(() => socket.closed, 'the page’s end closed')
      return {
        client: { saw: socket.closed, wanted: true },
        beyond: { saw: rig.site.platform.visits.stats().streams, wanted: 0 },
      }
    },
  },
  {
    name: 'an endless answer that nobody reads',
    async attack(rig) {
      let given = 0
      rig.evil.answer = (stream) => {
        const chunk = Buffer.alloc(mebibyte)
        stream.respond({ ':status': 200 })
        const give = () => {
          while (given < offered && !stream.destroyed) {
            given += chunk.length
            if (!stream.write(chunk)) return
          }
        }
        stream.on('drain', give)
        give()
      }
      const socket = await openSocket(rig.site)
      socket.pause()
      socket.write(rig.evil.head('GET /x'))
      await until(() => given > 0, 'the beginning of the answer')
      let before = -1
      for (; before !== given; await delay(stuckMs)) before = given
      const others = await othersWork(rig)
      socket.destroy()
      await until(() => rig.evil.arrivals[0]?.stream.closed === true, 'the machine’s end closed')
      return { client: { saw: given > 0 && given < underwayMax, wanted: true }, beyond: others }
    },
  },
  {
    name: 'a bomb of gzip: it is not unpacked on the way',
    async attack({ evil }) {
      const bomb = gzipSync(Buffer.alloc(8 * mebibyte))
      evil.answer = (stream) => {
        stream.respond({ ':status': 200, 'content-encoding': 'gzip' })
        stream.end(bomb)
      }
      const { body, headers } = await evil.client.request('/x')
      return {
        client: { saw: [headers['content-encoding'], body.equals(bomb)], wanted: ['gzip', true] },
        beyond: { saw: evil.arrivals.length, wanted: 1 },
      }
    },
  },
  {
    name: '33 requests of a visit that are never answered',
    async attack(rig) {
      rig.evil.answer = () => undefined
      const sockets = await hang(rig.evil.client, 32)
      await until(() => rig.evil.arrivals.length === 32, 'all of them at the machine')
      const { status } = await rig.evil.client.request('/one-more')
      const others = await othersWork(rig)
      for (const socket of sockets) socket.destroy()
      await until(() => rig.evil.arrivals.every(({ stream }) => stream.closed), 'all of them closed')
      await until(() => rig.site.platform.visits.stats().streams === 0, 'nothing held')
      return { client: { saw: [status, rig.evil.arrivals.length], wanted: [503, 32] }, beyond: others }
    },
  },
  {
    name: 'five visitors who ask a machine for more than its tunnel carries',
    async attack(rig) {
      const sockets: Socket[] = []
      const clients: VisitClient[] = []
      for (let count = 0; count < 5; count++) {
        const user = await createHolder(rig.site.db, rig.evil.machine.machineId, { role: 'bkey' })
        rig.evil.answer = (stream, { path }) => {
          if (path === '/') stream.respond({ ':status': 200 }, { endStream: true })
        }
        clients.push(await enterVisit(rig.site, user, rig.evil.machine))
      }
      const tunnel = rig.site.platform.tunnels.find(rig.evil.machine.machineId)
      rig.evil.answer = () => undefined
      for (const client of clients) sockets.push(...(await hang(client, 32)))
      await until(() => tunnel?.streamCount === 128, 'a full tunnel')
      const { status } = await rig.evil.client.request('/one-more')
      const others = await othersWork(rig)
      for (const socket of sockets) socket.destroy()
      await until(() => rig.evil.arrivals.every(({ stream }) => stream.closed), 'all of them closed')
      // The platform counts them, and the agent by itself once more.
      return { client: { saw: [502, 503].includes(status), wanted: true }, beyond: others }
    },
  },
  {
    name: '300 connections that say half a head each (slow loris)',
    async attack(rig) {
      const sockets = await Promise.all(Array.from({ length: 300 }, () => openSocket(rig.site)))
      for (const socket of sockets) socket.write(rig.good.head('GET /x').slice(0, -2))
      const others = await othersWork(rig)
      const { headersTimeout, timeout } = rig.site.platform.app.server as Server
      for (const socket of sockets) socket.destroy()
      return {
        client: {
          saw: [headersTimeout > 0 && headersTimeout <= 60_000, timeout > 0 && timeout <= 120_000],
          wanted: [true, true],
        },
        beyond: others,
      }
    },
  },
  {
    name: '100 uploads without a visit, a byte now and then: none is waited for',
    async attack(rig) {
      const said = `POST /x HTTP/1.1\r\nHost: ${rig.good.client.host}\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 1000000\r\n\r\na`
      const answers = await Promise.all(Array.from({ length: 100 }, () => speak(rig.site, said)))
      return {
        client: {
          saw: answers.filter(({ isClosed, statuses }) => !isClosed || statuses[0] !== 401).length,
          wanted: 0,
        },
        beyond: await reachedNothing(rig.good),
      }
    },
  },
  {
    name: '300 guessed cookies at once: the database is not asked for each, and the visitor inside goes on',
    async attack(rig) {
      const { host } = rig.good.client
      const askedAt = performance.now()
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, at) =>
          visitClientOf(rig.site, host, `visit=${String(at).padStart(43, 'a')}`).request('/x'),
        ),
      )
      const looked = answers.filter(({ status }) => status === 401).length
      // 20 a second, in windows of a second: the first and the last of them are not whole.
      const lookedMax = 20 * (2 + (performance.now() - askedAt) / 1_000)
      const others = await othersWork(rig)
      return {
        client: {
          saw: [answers.every(({ status }) => [401, 429, 503].includes(status)), looked <= lookedMax],
          wanted: [true, true],
        },
        beyond: { saw: [others.saw, rig.good.arrivals.length], wanted: [others.wanted, 1] },
      }
    },
  },
]

describeIsolation('size and time', startRig, requests, [
  {
    name: 'the check of the request line',
    start: () => startRig({ rules: { checkRequestLine: letThrough } }),
    falls: ['110 headers'],
  },
  {
    name: 'the bound of a head',
    start: () => startRig({ weaken: (server) => Object.assign(server, { maxHeaderSize: 64 * 1024 }) }),
    falls: ['a header of 20 kB', 'a cookie of 20 kB'],
  },
])
