import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createUser, type TestUser } from '@busbar/testkit'
import { letThrough } from './testing/lax-rules.ts'
import { openSocket, speak } from './testing/raw-client.ts'
import { leaveVisits, type Rig, type Station, startRig, until } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

type Said = (station: Station, rig: Rig) => string

const close = 'Connection: close'
const chunked = 'Transfer-Encoding: chunked'
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'

/** The attack got its answer: a defence failed, and waiting longer is useless. */
const isAnswered = (text: string): boolean => / (?:200|502) /.test(text)

/** Refused whole: nothing of it reaches any machine. */
const refused = (name: string, said: Said): Vector<Rig> => ({
  name,
  async attack(rig) {
    const { statuses, isClosed } = await speak(rig.site, said(rig.good, rig), isAnswered)
    const reached = [...(await rig.good.listArrivals()), ...(await rig.evil.listArrivals())]
    return {
      client: { saw: [[...new Set(statuses)], isClosed], wanted: [[400], true] },
      beyond: { saw: reached, wanted: [] },
    }
  },
})

/** Its first part is valid and on its way: the machine sees that it never became complete. */
const brokenOff = (name: string, said: Said): Vector<Rig> => ({
  name,
  async attack(rig) {
    const ends: string[] = []
    rig.good.answer = (stream) => {
      stream.once('aborted', () => ends.push('broken off'))
      stream.once('end', () => {
        ends.push('whole')
        stream.respond({ ':status': 200 }, { endStream: true })
      })
    }
    const { statuses, isClosed } = await speak(rig.site, said(rig.good, rig), isAnswered)
    const reached = await rig.good.listArrivals()
    return {
      client: { saw: [statuses, isClosed], wanted: [[400], true] },
      // The number of bytes before the fault depends on how the bytes were split on their way.
      beyond: { saw: [reached, ends], wanted: reached.length ? [['POST /x'], ['broken off']] : [[], []] },
    }
  },
})

/** An upload in chunks that something ends halfway: a machine that took it for whole would install half a program. */
const halfway = (
  name: string,
  end: (rig: Rig, upload: { socket: Socket; user: TestUser }) => Promise<void> | void,
): Vector<Rig> => ({
  name,
  async attack(rig) {
    const user = await createUser(rig.site.db)
    const station = await rig.addStation(user)
    station.reset()
    const ends: string[] = []
    station.answer = (stream) => {
      stream.once('aborted', () => ends.push('broken off'))
      stream.once('end', () => ends.push('whole'))
    }
    const socket = await openSocket(rig.site)
    socket.resume()
    socket.write(`${station.head('POST /x', [chunked])}1\r\na\r\n`)
    await until(() => station.arrivals[0]?.body === 'a', 'the first half')
    await end(rig, { socket, user })
    await until(() => station.arrivals[0]?.stream.closed === true, 'the machine’s end closed')
    await until(() => socket.destroyed, 'the browser’s end closed')
    return {
      client: { saw: socket.destroyed, wanted: true },
      beyond: { saw: [station.arrivals[0]?.body, ends], wanted: ['a', ['broken off']] },
    }
  },
})

/** In order, whatever it looks like: one request with this body, and not a word of the wrapping. */
const onlyBody = (name: string, said: Said, body: string): Vector<Rig> => ({
  name,
  async attack(rig) {
    rig.good.answer = (stream) => {
      stream.once('end', () => {
        stream.respond({ ':status': 200 })
        stream.end('done')
      })
    }
    const { statuses, text } = await speak(rig.site, said(rig.good, rig))
    const reached = await rig.good.listArrivals()
    const [first] = rig.good.arrivals
    const odd = Object.keys(first?.headers ?? {}).filter((key) => /smuggled|trailer|transfer/.test(key))
    return {
      client: { saw: [statuses, text.includes('done')], wanted: [[200], true] },
      beyond: {
        saw: { reached, body: first?.body, mode: first?.headers['busbar-mode'], odd },
        wanted: { reached: ['POST /x'], body, mode: 'rw', odd: [] },
      },
    }
  },
})

const requests: Vector<Rig>[] = [
  refused(
    'CL.TE: a length and chunks, a request behind them',
    (to) => `${to.head('POST /x', ['Content-Length: 6', chunked, close])}0\r\n\r\n${smuggled}`,
  ),
  refused(
    'TE.CL: chunks and a length, a request within',
    (to) => `${to.head('POST /x', [chunked, 'Content-Length: 4', close])}1\r\na\r\n0\r\n\r\n${smuggled}`,
  ),
  refused(
    'TE.TE: chunked, then a coding nobody knows',
    (to) => `${to.head('POST /x', [chunked, 'Transfer-Encoding: identity', close])}0\r\n\r\n${smuggled}`,
  ),
  refused(
    'xchunked',
    (to) => `${to.head('POST /x', ['Transfer-Encoding: xchunked', close])}0\r\n\r\n${smuggled}`,
  ),
  refused(
    'gzip, chunked',
    (to) => `${to.head('POST /x', ['Transfer-Encoding: gzip, chunked', close])}0\r\n\r\n`,
  ),
  refused(
    'a vertical tab before chunked',
    (to) => `${to.head('POST /x', ['Transfer-Encoding: \x0bchunked', close])}0\r\n\r\n`,
  ),
  refused(
    'a space before the colon of Transfer-Encoding',
    (to) => `${to.head('POST /x', ['Transfer-Encoding : chunked', close])}0\r\n\r\n`,
  ),
  refused(
    'two lengths',
    (to) => `${to.head('POST /x', ['Content-Length: 3', 'Content-Length: 4', close])}abcd`,
  ),
  refused(
    'one length twice',
    (to) => `${to.head('POST /x', ['Content-Length: 3', 'Content-Length: 3', close])}abc`,
  ),
  refused('a list of lengths', (to) => `${to.head('POST /x', ['Content-Length: 3, 3', close])}abc`),
  refused('a length with a sign', (to) => `${to.head('POST /x', ['Content-Length: +3', close])}abc`),
  refused('a hexadecimal length', (to) => `${to.head('POST /x', ['Content-Length: 0x3', close])}abc`),
  refused(
    'a length that wraps around at 64 bits',
    (to) => `${to.head('POST /x', ['Content-Length: 18446744073709551619', close])}abc`,
  ),
  refused('a folded header that hides chunked', (to) =>
    to.head('POST /x', [`X-A: b\r\n ${chunked}`, 'Content-Length: 0', close]),
  ),
  refused(
    'chunked on a folded line',
    (to) => `${to.head('POST /x', ['Transfer-Encoding:\r\n chunked', close])}0\r\n\r\n`,
  ),
  refused('lines that end in a bare LF', (to) => to.head('GET /x', [close]).replaceAll('\r\n', '\n')),
  refused('a bare LF within a header', (to) => to.head('GET /x', ['X-A: b\nX-Smuggled: 1', close])),
  refused('a bare CR within a header', (to) => to.head('GET /x', ['X-A: b\rX-Smuggled: 1', close])),
  refused('a NUL within a header', (to) => to.head('GET /x', ['X-A: b\0c', close])),
  refused('a header’s line that begins with a tab', (to) => to.head('GET /x', ['\tX-A: b', close])),
  refused('a pseudo header of HTTP/2 as a header', (to) => to.head('GET /x', [':authority: agent', close])),
  refused('a header without a name', (to) => to.head('GET /x', [': agent', close])),
  refused(
    'a GET whose body is a request',
    (to) => `${to.head('GET /x', [`Content-Length: ${smuggled.length}`])}${smuggled}`,
  ),
  refused('a GET with chunks', (to) => `${to.head('GET /x', [chunked, close])}0\r\n\r\n`),
  refused('HTTP/1.0, whose connections end otherwise', (to) =>
    to.head('GET /x', [close]).replace('HTTP/1.1', 'HTTP/1.0'),
  ),
  refused('HTTP/2.0 in the request line', (to) => to.head('GET /x', [close]).replace('HTTP/1.1', 'HTTP/2.0')),
  refused('the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  refused('an upgrade to h2c', (to) =>
    to.head('GET /x', [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ]),
  ),
  refused(
    'a request behind an upgrade that is none',
    (to) =>
      `${to.head('POST /x', ['Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 1'])}a${to.head('GET /smuggled')}`,
  ),
  refused(
    'a request behind Connection: close',
    (to) => `${to.head('GET /x', [close])}${to.head('GET /smuggled')}`,
  ),
  brokenOff(
    'a chunk extension that ends in a bare LF',
    (to) => `${to.head('POST /x', [chunked])}1\r\na\r\n3;a=b\n\nabc\r\n0\r\n\r\n`,
  ),
  brokenOff('chunks that end in a bare LF', (to) => `${to.head('POST /x', [chunked])}1\na\n0\n\n`),
  brokenOff(
    'a chunk of negative length',
    (to) => `${to.head('POST /x', [chunked])}1\r\na\r\n-3\r\nabc\r\n0\r\n\r\n`,
  ),
  brokenOff(
    'a chunk’s length that wraps around',
    (to) => `${to.head('POST /x', [chunked])}1\r\na\r\n10000000000000003\r\nabc\r\n0\r\n\r\n`,
  ),
  brokenOff(
    'bytes behind a chunk’s end',
    (to) => `${to.head('POST /x', [chunked])}1\r\naXX0\r\n\r\n${smuggled}`,
  ),
  brokenOff(
    'a length among the trailers',
    (to) => `${to.head('POST /x', [chunked])}1\r\na\r\n0\r\nContent-Length: 9\r\n\r\n`,
  ),
  halfway('an upload whose browser goes away', (_, { socket }) => void socket.resetAndDestroy()),
  halfway('an upload whose browser hangs up', (_, { socket }) => void socket.end()),
  halfway('an upload whose visit is ended', (rig, { user }) => leaveVisits(rig, user.userId)),
  onlyBody(
    'a chunk extension with a request in it',
    (to) => `${to.head('POST /x', [chunked, close])}3;a="GET /smuggled"\r\nabc\r\n0\r\n\r\n`,
    'abc',
  ),
  onlyBody(
    'a mode and a smuggled header among the trailers',
    (to) =>
      `${to.head('POST /x', [chunked, 'Trailer: busbar-mode', close])}3\r\nabc\r\n0\r\nbusbar-mode: ro\r\nx-smuggled: 1\r\n\r\n`,
    'abc',
  ),
  onlyBody(
    'a body that is a request',
    (to) => `${to.head('POST /x', [`Content-Length: ${smuggled.length}`, close])}${smuggled}`,
    smuggled,
  ),
]

const makeLenient = (server: Server) => {
  // The effect of a lenient server's option on each new connection.
  Object.assign(server, { insecureHTTPParser: true })
}

describeIsolation('request smuggling', startRig, requests, [
  {
    name: 'the check of the request line, behind a lenient parser',
    start: () => startRig({ rules: { checkRequestLine: letThrough }, weaken: makeLenient }),
    falls: [
      'CL.TE: a length and chunks, a request behind them',
      'TE.CL: chunks and a length, a request within',
      'TE.TE: chunked, then a coding nobody knows',
      'xchunked',
      'gzip, chunked',
      'a vertical tab before chunked',
      'a folded header that hides chunked',
      'chunked on a folded line',
      'lines that end in a bare LF',
      'a bare LF within a header',
      'a header’s line that begins with a tab',
      'a GET whose body is a request',
      'a GET with chunks',
      'HTTP/1.0, whose connections end otherwise',
      'a request behind Connection: close',
      'a length among the trailers',
    ],
  },
  {
    name: 'the check of the request line',
    start: () => startRig({ rules: { checkRequestLine: letThrough } }),
    falls: [
      'gzip, chunked',
      'a GET whose body is a request',
      'a GET with chunks',
      'HTTP/1.0, whose connections end otherwise',
    ],
  },
])
