import { expect, test } from 'vitest'
import { isLongRun } from '../../../../testkit/src/seeds.ts'
import {
  modbusRequests,
  type RecordedRequest,
  s7Connect,
  s7Requests,
  s7SetUp,
} from '../../testing/port-requests.ts'
import { observers } from './index.ts'
import { ModbusFilter } from './modbus-filter.ts'
import type { FilterStep, PortFilter, PortObserver } from './port-filter.ts'
import { S7Filter } from './s7-filter.ts'

const requestsOfRun = isLongRun() ? 1_000_000 : 50_000
const requestsOfConnection = 20

/** The same numbers for the same seed, from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A controller that takes what comes as loosely as any does, and counts what is not known to read. */
interface TestServer {
  readonly requests: number
  readonly writes: number
  receive(bytes: Buffer): void
}

class ModbusServer implements TestServer {
  requests = 0
  writes = 0
  #rest: Buffer = Buffer.alloc(0)

  receive(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    while (this.#rest.length >= 8) {
      const total = 6 + this.#rest.readUInt16BE(4)
      if (this.#rest.length < total) return
      this.requests++
      const [code, below = -1, last] = this.#rest.subarray(7, total)
      const reads =
        [1, 2, 3, 4, 7, 17, 20, 24].includes(code ?? 0) ||
        (code === 8 && below === 0 && last === 0) ||
        (code === 43 && below === 14)
      if (!reads) this.writes++
      this.#rest = this.#rest.subarray(Math.max(total, 8))
    }
  }
}

/** Takes the length of each function from the function, as devices do that came from serial lines. */
class SerialMindedServer implements TestServer {
  requests = 0
  writes = 0
  #rest: Buffer = Buffer.alloc(0)

  receive(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    for (;;) {
      const pdu = this.#rest.subarray(7)
      const code = pdu[0]
      if (code === undefined) return
      const known: Record<number, number | undefined> = {
        ...{ 1: 5, 2: 5, 3: 5, 4: 5, 7: 1, 8: 5, 17: 1, 24: 3, 43: 4 },
        20: pdu[1] === undefined ? undefined : 2 + pdu[1],
      }
      const length = known[code]
      if (length === undefined) this.writes++
      if (length === undefined || pdu.length < length) return
      this.requests++
      if ((code === 8 && pdu.readUInt16BE(1) !== 0) || (code === 43 && pdu[1] !== 14)) this.writes++
      this.#rest = pdu.subarray(length)
    }
  }
}

class S7Server implements TestServer {
  requests = 0
  writes = 0
  /** One that takes each piece for a message. */
  readonly #isHasty: boolean
  #rest: Buffer = Buffer.alloc(0)
  #pieces: Buffer = Buffer.alloc(0)

  constructor(isHasty = false) {
    this.#isHasty = isHasty
  }

  receive(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    while (this.#rest.length >= 7) {
      const total = this.#rest.readUInt16BE(2)
      if (total < 7 || this.#rest.length < total) return
      const piece = this.#rest.subarray(4, total)
      this.#rest = this.#rest.subarray(total)
      if ((piece[1] ?? 0) >> 4 === 0xe) continue
      const content = piece.subarray(1 + (piece[0] ?? 0))
      this.#pieces = this.#isHasty ? content : Buffer.concat([this.#pieces, content])
      if (!this.#isHasty && ((piece[2] ?? 0) & 0x80) === 0) continue
      this.#take(this.#pieces)
      this.#pieces = Buffer.alloc(0)
    }
  }

  #take(message: Buffer): void {
    this.requests++
    const [kind, code, group, ask] = [message[1], message[10], message[15], message[16] ?? 0]
    const reads =
      message[0] === 0x32 &&
      ((kind === 1 && (code === 0x04 || code === 0xf0)) ||
        (kind === 7 &&
          ((group === 0x43 && (ask === 1 || ask === 2)) ||
            (group === 0x44 && ask === 1) ||
            (group === 0x47 && (ask === 1 || ask === 3)))))
    if (!reads) this.writes++
  }
}

interface Protocol {
  readonly name: string
  readonly requests: readonly RecordedRequest[]
  /** Sent before the first request. */
  readonly connect: Buffer
  readonly filter: () => PortFilter
  readonly observer: () => PortObserver
  readonly servers: () => TestServer[]
}

const modbus: Protocol = {
  ...{ name: 'Modbus TCP', requests: modbusRequests, connect: Buffer.alloc(0) },
  filter: () => new ModbusFilter(),
  observer: () => observers.modbus(Date.now, () => null),
  servers: () => [new ModbusServer(), new SerialMindedServer()],
}
const s7: Protocol = {
  ...{ name: 'S7', requests: s7Requests, connect: s7Connect },
  filter: () => new S7Filter(),
  observer: () => observers.s7(Date.now, () => null),
  servers: () => [new S7Server(), new S7Server(true)],
}

function mutate(request: Buffer, other: Buffer, random: () => number): Buffer {
  const bytes = Buffer.from(request)
  const place = () => Math.floor(random() * bytes.length)
  const way = random()
  if (way < 0.3) {
    bytes[place()] = Math.floor(random() * 256)
  } else if (way < 0.45) {
    const at = place()
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  } else if (way < 0.6) {
    // The length of a Modbus request, a packet, or an S7 message's parts.
    const at = [5, 3, 14, 16][Math.floor(random() * 4)] ?? 5
    if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) + Math.floor(random() * 9) - 4
  } else if (way < 0.7) {
    return bytes.subarray(0, place())
  } else if (way < 0.8) {
    // Another request within it, its own length made to fit or not.
    const at = place()
    const spliced = Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at)])
    if (random() < 0.5 && spliced.length > 8) {
      if (spliced[0] === 3) spliced.writeUInt16BE(spliced.length, 2)
      else spliced.writeUInt16BE(spliced.length - 6, 4)
    }
    return spliced
  } else if (way < 0.9) {
    // The function of one with the content of the other.
    const at = bytes[0] === 3 ? 17 : 7
    if (other.length > at && bytes.length > at) bytes[at] = other[at] ?? 0
  } else if (bytes.length > 6) {
    // A piece that is not the last, or another kind of message.
    const at = [6, 8, 4, 2][Math.floor(random() * 4)] ?? 6
    bytes[at] = Math.floor(random() * 4) * 0x40
  }
  return bytes
}

/** Sends requests through filters, in random cuts; the writes that reached the most easily misled controller. */
function send(protocol: Protocol, makeFilter: () => PortFilter, requests: number, seed: number) {
  const random = randomOf(seed)
  const pick = () =>
    (protocol.requests[Math.floor(random() * protocol.requests.length)] as RecordedRequest).bytes
  const told = { writes: 0, passed: 0, refused: 0, over: 0 }
  for (let sent = 0; sent < requests; ) {
    const filter = makeFilter()
    const servers = protocol.servers()
    let isOver = false
    const pass = (bytes: Buffer): void => {
      for (let at = 0; at < bytes.length && !isOver; ) {
        const cut = random() < 0.5 ? bytes.length : at + 1 + Math.floor(random() * 12)
        const step: FilterStep = filter.request(bytes.subarray(at, cut))
        for (const one of step.pass) for (const server of servers) server.receive(one)
        isOver = step.over !== null
        at = cut
      }
    }
    if (random() < 0.98) pass(protocol.connect)
    for (let at = 0; at < requestsOfConnection && !isOver; at++) {
      sent++
      const request = pick()
      // After one that changed the length, all that follows is out of step, as an attacker would have it.
      const bytes = random() < 0.4 ? request : mutate(request, pick(), random)
      pass(bytes)
    }
    told.writes += Math.max(...servers.map(({ writes }) => writes))
    told.passed += servers[0]?.requests ?? 0
    told.refused += filter.counts.refused
    if (isOver) told.over++
  }
  return told
}

test.for([modbus, s7])(
  '$name: of mutated requests in random cuts no write reaches a controller',
  {
    timeout: isLongRun() ? 1_200_000 : 120_000,
  },
  (protocol) => {
    const told = send(protocol, protocol.filter, requestsOfRun, 1)
    expect(told.writes).toBe(0)
    // Others did reach it, and both ways of refusing were taken.
    expect(told.passed).toBeGreaterThan(requestsOfRun / 20)
    expect(told.refused).toBeGreaterThan(requestsOfRun / 20)
    expect(told.over).toBeGreaterThan(100)
  },
)

/** Lets one function through as well. */
class Leaky implements PortFilter {
  readonly #filter: PortFilter
  readonly #isLet: (request: Buffer) => boolean

  constructor(filter: PortFilter, isLet: (request: Buffer) => boolean) {
    this.#filter = filter
    this.#isLet = isLet
  }
  get counts() {
    return this.#filter.counts
  }
  request(bytes: Buffer): FilterStep {
    const step = this.#filter.request(bytes)
    return this.#isLet(bytes) ? { ...step, pass: [...step.pass, bytes] } : step
  }
  endRequests() {}
  answerEnd() {
    return -1
  }
  get isBetweenAnswers() {
    return true
  }
}

test.each([
  [modbus, 22, 7],
  [s7, 0x29, 17],
] as const)('$name: a filter that lets one writing function through is found', (protocol, code, at) => {
  const whole = protocol.requests.filter(({ bytes }) => bytes[at] === code)
  const leaky = () =>
    new Leaky(protocol.filter(), (request) => whole.some(({ bytes }) => bytes.equals(request)))
  expect(send(protocol, leaky, requestsOfRun, 1).writes).toBeGreaterThan(0)
})

const join = (buffers: readonly Buffer[]) => Buffer.concat(buffers).toString('hex')

test.for([modbus, s7])(
  '$name: what tools send passes if it reads, and is refused in its own words if not',
  (protocol) => {
    for (const { what, bytes, isReading } of protocol.requests) {
      for (let cut = 1; cut < bytes.length; cut++) {
        const filter = protocol.filter()
        filter.request(protocol.connect)
        const steps = [filter.request(bytes.subarray(0, cut)), filter.request(bytes.subarray(cut))]
        const said = `${what} cut at ${cut}`
        expect(
          steps.map(({ over }) => over),
          said,
        ).toEqual([null, null])
        expect(join(steps.flatMap(({ pass }) => pass)), said).toBe(isReading ? bytes.toString('hex') : '')
        expect(steps.flatMap(({ answers }) => answers).length, said).toBe(isReading ? 0 : 1)
        expect(filter.counts, said).toEqual(
          isReading ? { reads: 1, writes: 0, refused: 0 } : { reads: 0, writes: 0, refused: 1 },
        )
      }
    }
  },
)

test.for([modbus, s7])(
  '$name: in a visit that may change, reads and writes are counted by their first bytes',
  (protocol) => {
    const long = [
      'reading with',
      'a long',
      'a file of',
      'a list with',
      'variables with',
      'fewer',
      'by another',
    ]
    // Their first bytes read; only their length is wrong, or their way.
    const known = protocol.requests.filter(({ what }) => !long.some((word) => what.includes(word)))
    const all = Buffer.concat([protocol.connect, ...known.map(({ bytes }) => bytes)])
    for (let cut = 1; cut < 40; cut++) {
      const observer = protocol.observer()
      for (let at = 0; at < all.length; at += cut) observer.request(all.subarray(at, at + cut))
      const reads = known.filter(({ isReading }) => isReading).length
      expect(observer.counts).toEqual({ reads, writes: known.length - reads, refused: 0 })
    }
  },
)

test('a refusal has the form of the protocol', () => {
  const ask = (filter: PortFilter, requests: readonly RecordedRequest[], what: string) => {
    const request = requests.find((one) => one.what === what)?.bytes ?? Buffer.alloc(0)
    return join(filter.request(request).answers)
  }
  expect(ask(new ModbusFilter(), modbusRequests, 'a register')).toBe('000100000003ff8601')
  const filter = new S7Filter()
  expect(join(filter.request(Buffer.concat([s7Connect, s7SetUp.bytes])).pass)).toBe(
    join([s7Connect, s7SetUp.bytes]),
  )
  expect(filter.counts).toEqual({ reads: 0, writes: 0, refused: 0 })
  expect(ask(filter, s7Requests, 'variables written')).toBe('0300001502f0803203000005000002000081040500')
  expect(ask(filter, s7Requests, 'a password')).toBe(
    '0300002102f080320700000500000c0004' + '000112081285010000008104' + '0a000000',
  )
})

test.each([
  ['TLS from the first byte', ['1603010200010001fc'], 'encrypted'],
  ['TLS within the transport', [join([s7Connect]), '0300000e02f08016030100050100'], 'encrypted'],
  ['the protocol of newer controllers', [join([s7Connect]), '0300000c02f080720100000000'], 'encrypted'],
  ['no packet', [join([s7Connect]), '04000007aabbcc'], 'unclear'],
  ['data before the connection', ['0300000702f080'], 'unclear'],
  ['a second connection', [join([s7Connect, s7Connect])], 'unclear'],
  ['a connection of another class', ['0300000be006e00000000140'], 'unclear'],
  ['an end of the connection', [join([s7Connect]), '0300000b0680000000010000'], 'unclear'],
] as const)('S7: %s ends the connection', (_what, chunks, reason) => {
  const filter = new S7Filter()
  const steps = chunks.map((hex) => filter.request(Buffer.from(hex, 'hex')))
  expect(steps.map(({ over }) => over).findLast((over) => over !== null)).toBe(reason)
  expect(filter.counts.refused).toBe(1)
})

test('Modbus: a length that cannot be is refused, and the connection ends', () => {
  const filter = new ModbusFilter()
  const step = filter.request(Buffer.from('00070000ffff0105', 'hex'))
  expect(step).toEqual({
    pass: [],
    answers: [Buffer.from('0007000000030185' + '01', 'hex')],
    over: 'unclear',
  })
})

test('a message in several pieces is refused once, after the last', () => {
  const filter = new S7Filter()
  filter.request(s7Connect)
  const message = (s7Requests[0] as RecordedRequest).bytes.subarray(7)
  const piece = (end: number, bytes: Buffer) =>
    Buffer.concat([Buffer.of(3, 0, 0, 7 + bytes.length, 2, 0xf0, end), bytes])
  expect(filter.request(piece(0, message.subarray(0, 20)))).toEqual({ pass: [], answers: [], over: null })
  const { pass, answers } = filter.request(piece(0x80, message.subarray(20)))
  expect([pass.length, answers.length, filter.counts.refused]).toEqual([0, 1, 1])
})
