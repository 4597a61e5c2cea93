import { type PortWrite, portLimits } from '@busbar/link'
import { expect, test } from 'vitest'
import { isLongRun } from '../../../../testkit/src/seeds.ts'
import { modbusRequests, s7Connect, s7Requests } from '../../testing/port-requests.ts'
import { observers, type PortObserver } from './index.ts'

const seeds = isLongRun() ? 300 : 40

/** The same numbers for the same seed, from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const noTag = () => null

/** An observer whose clock goes on by a second each time it is read. */
function observerOf(kind: 'modbus' | 's7', tagAt: Parameters<(typeof observers)['modbus']>[1] = noTag) {
  let at = 0
  return observers[kind](() => {
    at += 1_000
    return at
  }, tagAt)
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')

/** A frame of Modbus TCP; `pdu` in hex. */
function adu(transaction: number, pdu: string, unit = 1): Buffer {
  const body = bytesOf(pdu)
  const head = Buffer.alloc(7)
  head.writeUInt16BE(transaction, 0)
  head.writeUInt16BE(body.length + 1, 4)
  head.writeUInt8(unit, 6)
  return Buffer.concat([head, body])
}

/** A message of S7 in one piece; `params` and `data` in hex. */
function s7(reference: number, kind: 'asks' | 'answers', params: string, data = '', error = '0000'): Buffer {
  const parts = [bytesOf(params), bytesOf(data)]
  const head = Buffer.alloc(10)
  head.set([0x32, kind === 'asks' ? 1 : 3])
  head.writeUInt16BE(reference, 4)
  for (const [at, part] of parts.entries()) head.writeUInt16BE(part.length, 6 + 2 * at)
  return packetOf(Buffer.concat([head, ...(kind === 'asks' ? [] : [bytesOf(error)]), ...parts]))
}

function packetOf(piece: Buffer, end = 0x80): Buffer {
  const head = Buffer.of(3, 0, 0, 0, 2, 0xf0, end)
  head.writeUInt16BE(head.length + piece.length, 2)
  return Buffer.concat([head, piece])
}

/** An item: element, count, block, area, address in bits (of timers and counters the number). */
const item = (element: number, count: number, db: number, area: number, address: number): string => {
  const bytes = Buffer.of(0x12, 0x0a, 0x10, element, 0, 0, 0, 0, area, 0, 0, 0)
  bytes.writeUInt16BE(count, 4)
  bytes.writeUInt16BE(db, 6)
  bytes.writeUIntBE(address, 9, 3)
  return bytes.toString('hex')
}

/** As lines: place, from, to. */
const linesOf = (writes: readonly PortWrite[]): string[] =>
  writes.map(({ unit, place, from, to }) => {
    const of = unit === null || unit === 1 ? '' : `${unit} `
    return `${of}${place} ${from ?? '?'} > ${to}`
  })

const news = (observer: PortObserver): string[] => linesOf(observer.written.takeNews())

/** Bytes of both directions, in their order. */
type Talk = readonly (readonly ['asks' | 'answers', Buffer])[]

function hear(observer: PortObserver, talk: Talk): void {
  for (const [who, bytes] of talk) {
    if (who === 'asks') observer.request(bytes)
    else observer.answer(bytes)
  }
}

test.each([
  ['a coil', '05 0005 ff00', '05 0005 ff00', ['coil:5 ? > 1']],
  ['a coil off', '05 0005 0000', '05 0005 0000', ['coil:5 ? > 0']],
  ['a register', '06 000c 00ff', '06 000c 00ff', ['holding:12 ? > 255']],
  [
    'coils',
    '0f 0013 000a 02 cd01',
    '0f 0013 000a',
    [1, 0, 1, 1, 0, 0, 1, 1, 1, 0].map((v, at) => `coil:${19 + at} ? > ${v}`),
  ],
  ['registers', '10 0001 0002 04 000a 0102', '10 0001 0002', ['holding:1 ? > 10', 'holding:2 ? > 258']],
  ['a mask', '16 0004 00f2 0025', '16 0004 00f2 0025', ['holding:4 ? > and 0x00f2, or 0x0025']],
  [
    'read and written',
    '17 0003 0001 000e 0002 04 00ff 0001',
    '17 02 0007',
    ['holding:14 ? > 255', 'holding:15 ? > 1'],
  ],
  ['the last register', '06 ffff 0001', '06 ffff 0001', ['holding:65535 ? > 1']],
] as const)('Modbus: %s is told once it is answered', (_what, asks, answers, lines) => {
  const observer = observerOf('modbus')
  observer.request(adu(7, asks))
  expect(news(observer)).toEqual([])
  observer.answer(adu(7, answers))
  expect(news(observer)).toEqual(lines)
  expect(observer.written.hasNews).toBe(false)
  observer.end()
  expect(news(observer)).toEqual([])
})

test('Modbus: the former value is the last that was read or written, by unit', () => {
  const observer = observerOf('modbus')
  hear(observer, [
    ['asks', adu(1, '03 000a 0002')],
    ['answers', adu(1, '03 04 0064 00c8')],
    ['asks', adu(2, '06 000a 0065')],
    ['answers', adu(2, '06 000a 0065')],
    ['asks', adu(3, '06 000a 0066', 2)],
    ['answers', adu(3, '06 000a 0066', 2)],
    ['asks', adu(4, '01 0000 0003')],
    ['answers', adu(4, '01 01 05')],
    ['asks', adu(5, '0f 0000 0003 01 02')],
    ['answers', adu(5, '0f 0000 0003')],
    // An input register has the same number, and another value.
    ['asks', adu(6, '04 000b 0001')],
    ['answers', adu(6, '04 02 0001')],
    ['asks', adu(7, '16 000b 00ff 1100')],
    ['answers', adu(7, '16 000b 00ff 1100')],
    // It writes first, and reads what it has written.
    ['asks', adu(8, '17 0014 0001 0014 0001 02 0009')],
    ['answers', adu(8, '17 02 000a')],
  ])
  expect(observer.written.takeNews()).toMatchObject([
    {
      place: 'holding:10',
      unit: 1,
      from: '100',
      to: '101',
      firstAgoMs: 7_000,
      lastAgoMs: 7_000,
    },
    { place: 'holding:10', unit: 2, from: null, to: '102' },
    { place: 'coil:0', from: '1', to: '0' },
    { place: 'coil:1', from: '0', to: '1' },
    { place: 'coil:2', from: '1', to: '0' },
    // 200 and 255, or 0x1100 and not 255.
    { place: 'holding:11', from: '200', to: String((0xc8 & 0xff) | 0x1100) },
    { place: 'holding:20', from: null, to: '9' },
  ])
  hear(observer, [
    ['asks', adu(9, '06 000a 0007')],
    ['answers', adu(9, '06 000a 0007')],
    ['asks', adu(10, '16 0014 fffe 0001')],
    ['answers', adu(10, '16 0014 fffe 0001')],
  ])
  // Each with all its writes: from before the first, to after the last.
  expect(observer.written.takeNews()).toMatchObject([
    {
      place: 'holding:10',
      from: '100',
      to: '7',
      firstAgoMs: 10_000,
      lastAgoMs: 2_000,
    },
    { place: 'holding:20', from: null, to: '11' },
  ])
})

test('Modbus: a write that is answered by an exception is not told, one that may have been done is', () => {
  const observer = observerOf('modbus')
  for (const [at, exception] of ['01', '02', '03', '04', '06', '0a', '05', '0b'].entries()) {
    observer.request(adu(at, `06 ${at.toString(16).padStart(4, '0')} 0001`))
    observer.answer(adu(at, `86 ${exception}`))
  }
  // "Acknowledge", and "gateway target device failed to respond".
  expect(news(observer)).toEqual(['holding:6 ? > 1', 'holding:7 ? > 1'])
  observer.request(adu(20, '06 0014 0001'))
  observer.end()
  expect(news(observer)).toEqual(['holding:20 ? > 1'])
})

test('Modbus: a value that was read after an unanswered write is not the one before it', () => {
  const observer = observerOf('modbus')
  hear(observer, [
    ['asks', adu(1, '03 0001 0001')],
    ['answers', adu(1, '03 02 0064')],
    ['asks', adu(2, '06 0001 0065')],
    ['asks', adu(3, '03 0001 0001')],
    ['answers', adu(3, '03 02 0065')],
  ])
  observer.end()
  expect(news(observer)).toEqual(['holding:1 100 > 101'])
})

test('Modbus: an older write without an answer does not hide the newer one', () => {
  const observer = observerOf('modbus')
  hear(observer, [
    ['asks', adu(1, '06 0001 0005')],
    ['asks', adu(2, '06 0001 0006')],
    ['answers', adu(2, '06 0001 0006')],
  ])
  expect(news(observer)).toEqual(['holding:1 ? > 6'])
  observer.end()
  expect(news(observer)).toEqual(['holding:1 ? > 6'])
})

test('Modbus: requests under way at once are told apart by transaction and unit, in any order of answers', () => {
  const observer = observerOf('modbus')
  hear(observer, [
    ['asks', Buffer.concat([adu(1, '03 0001 0001'), adu(2, '03 0002 0001'), adu(2, '03 0003 0001', 2)])],
    ['answers', Buffer.concat([adu(2, '03 02 0003', 2), adu(2, '03 02 0002'), adu(1, '03 02 0001')])],
    ['asks', Buffer.concat([adu(3, '06 0001 000b'), adu(4, '06 0002 000c'), adu(5, '06 0003 000d', 2)])],
    ['answers', Buffer.concat([adu(5, '06 0003 000d', 2), adu(4, '86 02'), adu(3, '06 0001 000b')])],
  ])
  expect(news(observer)).toEqual(['2 holding:3 3 > 13', 'holding:1 1 > 11'])
})

test('Modbus: of requests with one number no wrong value is learned, and each write is told', () => {
  const observer = observerOf('modbus')
  hear(observer, [
    // The first was never answered.
    ['asks', adu(0, '03 0001 0001')],
    ['asks', adu(0, '03 0002 0001')],
    ['answers', adu(0, '03 02 0001')],
    ['asks', adu(0, '06 0002 0009')],
    ['asks', adu(0, '06 0003 0009')],
    ['answers', adu(0, '86 02')],
    // From here on it asks one after the other.
    ['asks', adu(0, '03 0004 0001')],
    ['answers', adu(0, '03 02 0063')],
    ['asks', adu(0, '06 0004 0064')],
    ['answers', adu(0, '06 0004 0064')],
  ])
  expect(news(observer)).toEqual(['holding:2 ? > 9', 'holding:3 ? > 9', 'holding:4 99 > 100'])
})

test('Modbus: an answer of another request is not taken for its own', () => {
  const observer = observerOf('modbus')
  hear(observer, [
    ['asks', adu(1, '06 0001 0005')],
    // Of another unit, function, address, number; then its own.
    ['answers', adu(1, '06 0001 0005', 2)],
    ['answers', adu(1, '05 0001 ff00')],
    ['answers', adu(1, '06 0002 0005')],
    ['answers', adu(2, '06 0001 0005')],
  ])
  expect(news(observer)).toEqual([])
  observer.answer(adu(1, '06 0001 0005'))
  expect(news(observer)).toEqual(['holding:1 ? > 5'])
})

test.each([
  ['a bit', item(1, 1, 1, 0x84, 0), '00 03 0001 01', ['DB1.DBX0.0 ? > 1']],
  ['a bit of memory', item(1, 1, 0, 0x83, 8 * 10 + 3), '00 03 0001 00', ['M10.3 ? > 0']],
  ['a byte', item(2, 1, 1, 0x84, 8 * 4), '00 04 0008 07', ['DB1.DBB4 ? > 07']],
  ['a word', item(4, 1, 1, 0x84, 8 * 4), '00 04 0010 0708', ['DB1.DBW4 ? > 0708']],
  ['a real', item(8, 1, 1, 0x84, 8 * 8), '00 07 0004 3f800000', ['DB1.DBD8 ? > 3f800000']],
  ['four bytes', item(2, 4, 1, 0x84, 8 * 8), '00 04 0020 3f800000', ['DB1.DBD8 ? > 3f800000']],
  ['two words', item(4, 2, 0, 0x82, 0), '00 04 0020 00010002', ['QD0 ? > 00010002']],
  ['three bytes', item(2, 3, 0, 0x83, 8), '00 04 0018 010203', ['MB1 ? > 01', 'MB2 ? > 02', 'MB3 ? > 03']],
  [
    'three words',
    item(5, 3, 9, 0x84, 0),
    '00 04 0030 000100020003',
    ['DB9.DBW0 ? > 0001', 'DB9.DBW2 ? > 0002', 'DB9.DBW4 ? > 0003'],
  ],
  [
    'a date and time',
    item(0x0f, 1, 9, 0x84, 0),
    '00 04 0040 2611300203040506',
    ['26', '11', '30', '02', '03', '04', '05', '06'].map((v, at) => `DB9.DBB${at} ? > ${v}`),
  ],
  ['counters', item(0x1c, 2, 0, 0x1c, 7), '00 09 0004 00010002', ['C7 ? > 0001', 'C8 ? > 0002']],
  ['a timer', item(0x1d, 1, 0, 0x1d, 5), '00 09 0002 0123', ['T5 ? > 0123']],
  ['an output past the image', item(4, 1, 0, 0x80, 8 * 4), '00 04 0010 0001', ['PQW4 ? > 0001']],
] as const)('S7: %s', (_what, one, data, lines) => {
  const observer = observerOf('s7')
  observer.request(Buffer.concat([s7Connect, s7(3, 'asks', `05 01 ${one}`, data)]))
  expect(news(observer)).toEqual([])
  observer.answer(s7(3, 'answers', '05 01', 'ff'))
  expect(news(observer)).toEqual(lines)
})

test('S7: of several items those are told that were done, with their former values', () => {
  const observer = observerOf('s7')
  const [real, bit, word] = [item(8, 1, 1, 0x84, 64), item(1, 1, 1, 0x84, 3), item(4, 1, 0, 0x83, 32)]
  hear(observer, [
    // The first is refused; of the second bit 3 of the first byte is on.
    ['asks', s7(1, 'asks', `04 02 ${item(2, 2, 0, 0x83, 32)} ${item(2, 9, 1, 0x84, 0)}`)],
    ['answers', s7(1, 'answers', '04 02', '0a 04 0010 ff 04 0048 080000000000000041')],
    ['asks', s7(2, 'asks', `04 01 ${item(2, 3, 1, 0x84, 72)}`)],
    ['answers', s7(2, 'answers', '04 01', 'ff 04 0018 20 00 00')],
    [
      'asks',
      s7(3, 'asks', `05 03 ${bit} ${real} ${word}`, '00 03 0001 00 00  00 07 0004 41a00000  00 04 0010 0001'),
    ],
    ['answers', s7(3, 'answers', '05 03', 'ff ff 05')],
  ])
  expect(news(observer)).toEqual(['DB1.DBX0.3 1 > 0', 'DB1.DBD8 41200000 > 41a00000'])
  hear(observer, [
    ['asks', s7(4, 'asks', `05 01 ${item(2, 1, 1, 0x84, 0)}`, '00 04 0008 80')],
    ['answers', s7(4, 'answers', '05 01', 'ff')],
    // The whole message is refused.
    ['asks', s7(5, 'asks', `05 01 ${word}`, '00 04 0010 0002')],
    ['answers', s7(5, 'answers', '', '', '8104')],
    ['asks', s7(6, 'asks', `05 01 ${word}`, '00 04 0010 0003')],
  ])
  expect(news(observer)).toEqual(['DB1.DBB0 00 > 80'])
  observer.end()
  expect(news(observer)).toEqual(['MW4 ? > 0003'])
})

test('S7: an input past the image is not the value of the output at its address', () => {
  const observer = observerOf('s7')
  const word = item(4, 1, 0, 0x80, 8 * 4)
  hear(observer, [
    ['asks', s7(1, 'asks', `04 01 ${word}`)],
    ['answers', s7(1, 'answers', '04 01', 'ff 04 0010 0007')],
    ['asks', s7(2, 'asks', `05 01 ${word}`, '00 04 0010 0001')],
    ['answers', s7(2, 'answers', '05 01', 'ff')],
  ])
  expect(news(observer)).toEqual(['PQW4 ? > 0001'])
})

test('S7: a write in several pieces is decoded as well', () => {
  const observer = observerOf('s7')
  const message = s7(1, 'asks', `05 01 ${item(4, 1, 1, 0x84, 0)}`, '00 04 0010 0001').subarray(7)
  observer.request(Buffer.concat([packetOf(message.subarray(0, 20), 0), packetOf(message.subarray(20))]))
  observer.answer(s7(1, 'answers', '05 01', 'ff'))
  expect(news(observer)).toEqual(['DB1.DBW0 ? > 0001'])
  expect(observer.counts.writes).toBe(1)
})

test('S7: nothing is decoded where the connection is encrypted', () => {
  const observer = observerOf('s7')
  observer.request(Buffer.concat([s7Connect, packetOf(bytesOf('160301000501'))]))
  observer.request(s7(1, 'asks', `05 01 ${item(4, 1, 1, 0x84, 0)}`, '00 04 0010 0001'))
  observer.answer(s7(1, 'answers', '05 01', 'ff'))
  observer.end()
  expect(news(observer)).toEqual([])
})

/** A tool that reads and writes at random, and a controller that refuses some, answers some late, and some never. */
function modbusTalk(random: () => number): Talk {
  const talk: ['asks' | 'answers', Buffer][] = []
  const late: Buffer[] = []
  const word = (max: number) =>
    Math.floor(random() * max)
      .toString(16)
      .padStart(4, '0')
  for (let at = 1; at < 60; at++) {
    const [address, value] = [word(8), word(65_536)]
    const [asks, answers] = [
      [`03 ${address} 0003`, `03 06 ${word(9)} ${word(9)} ${word(9)}`],
      [`01 ${address} 0009`, `01 02 ${word(512)}`],
      [`06 ${address} ${value}`, `06 ${address} ${value}`],
      [`05 ${address} ff00`, `05 ${address} ff00`],
      [`10 ${address} 0002 04 ${value} ${value}`, `10 ${address} 0002`],
      [`16 ${address} 00ff ${value}`, `16 ${address} 00ff ${value}`],
      [`17 ${address} 0001 ${address} 0001 02 ${value}`, `17 02 ${word(9)}`],
    ][Math.floor(random() * 7)] as [string, string]
    talk.push(['asks', adu(at, asks)])
    const code = (Number.parseInt(asks.slice(0, 2), 16) | 0x80).toString(16)
    const answer = adu(at, random() < 0.2 ? `${code} 02` : answers)
    if (random() < 0.2) late.push(answer)
    else if (random() < 0.9) talk.push(['answers', answer])
    if (random() < 0.3) for (const one of late.splice(0)) talk.push(['answers', one])
  }
  return talk
}

function s7Talk(random: () => number): Talk {
  const talk: ['asks' | 'answers', Buffer][] = [['asks', s7Connect]]
  for (let at = 1; at < 60; at++) {
    const byte = Math.floor(random() * 6)
    const value = Math.floor(random() * 65_536)
      .toString(16)
      .padStart(4, '0')
    const code = random() < 0.2 ? '05' : 'ff'
    const [asks, answers] = [
      [
        s7(at, 'asks', `04 01 ${item(2, 2, 1, 0x84, 8 * byte)}`),
        s7(at, 'answers', '04 01', `ff 04 0010 ${value}`),
      ],
      [
        s7(at, 'asks', `05 01 ${item(4, 1, 1, 0x84, 8 * byte)}`, `00 04 0010 ${value}`),
        s7(at, 'answers', '05 01', code),
      ],
      [
        s7(at, 'asks', `05 01 ${item(1, 1, 1, 0x84, 8 * byte)}`, '00 03 0001 01'),
        s7(at, 'answers', '05 01', code),
      ],
    ][Math.floor(random() * 3)] as [Buffer, Buffer]
    talk.push(['asks', asks])
    if (random() < 0.9) talk.push(['answers', answers])
  }
  return talk
}

/** The same bytes in other cuts; a direction may run ahead only as far as the other has not come. */
function recut(talk: Talk, random: () => number): Talk {
  return talk.flatMap(([who, bytes]) => {
    const pieces: ['asks' | 'answers', Buffer][] = []
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + Math.floor(random() * random() * bytes.length)
      pieces.push([who, bytes.subarray(at, end)])
      at = end
    }
    return pieces
  })
}

/** Neighbours of one direction in one piece. */
function join(talk: Talk): Talk {
  const joined: ['asks' | 'answers', Buffer][] = []
  for (const [who, bytes] of talk) {
    const last = joined.at(-1)
    if (last?.[0] === who) last[1] = Buffer.concat([last[1], bytes])
    else joined.push([who, bytes])
  }
  return joined
}

test.each([
  ['modbus', modbusTalk],
  ['s7', s7Talk],
] as const)('%s: in any cut the same writes are told', (kind, talkOf) => {
  let told = 0
  for (let seed = 0; seed < seeds; seed++) {
    const random = randomOf(seed)
    const talk = talkOf(random)
    const results = [talk, join(talk), recut(talk, random), recut(join(talk), random)].map((cut) => {
      const observer = observerOf(kind)
      hear(observer, cut)
      observer.end()
      return { counts: observer.counts, writes: observer.written.takeNews() }
    })
    expect(
      results.every((result) => JSON.stringify(result) === JSON.stringify(results[0])),
      `seed ${seed}`,
    ).toBe(true)
    told += results[0]?.writes.filter(({ from }) => from !== null).length ?? 0
  }
  expect(told).toBeGreaterThan(seeds)
})

test.each([
  ['modbus', modbusTalk, modbusRequests],
  ['s7', s7Talk, s7Requests],
] as const)('%s: bytes that are nothing do not make it fail', (kind, talkOf, requests) => {
  const random = randomOf(1)
  let told = 0
  for (let round = 0; round < 4 * seeds; round++) {
    const observer = observerOf(kind)
    const known = requests.map(({ bytes }) => ['asks', bytes] as const)
    for (const [who, sent] of [...talkOf(random), ...known]) {
      const bytes = Buffer.from(sent)
      if (random() < 0.2) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      hear(observer, [[who, bytes]])
    }
    observer.end()
    told += observer.written.takeNews().length
  }
  expect(told).toBeGreaterThan(4 * seeds)
})

test('a tool that is never answered, and one that writes everywhere, leave no more than the limits', () => {
  const observer = observerOf('modbus')
  for (let at = 0; at < 100_000; at++)
    observer.request(adu(at & 0xffff, `06 ${(at & 0xffff).toString(16).padStart(4, '0')} 0001`))
  expect(observer.written.takeNews()).toHaveLength(portLimits.writtenPlacesMax)
  // Each is still counted, and those that are told go on.
  expect(observer.counts.writes).toBe(100_000)
  hear(observer, [
    ['asks', adu(1, '06 0001 0007')],
    ['answers', adu(1, '06 0001 0007')],
    ['asks', adu(2, '06 fff0 0007')],
    ['answers', adu(2, '06 fff0 0007')],
  ])
  expect(linesOf(observer.written.takeNews()).every((line) => line.startsWith('holding:1 ?'))).toBe(true)
  observer.end()
  observer.written.renew()
  expect(observer.written.takeNews()).toHaveLength(portLimits.writtenPlacesMax)
})

test('the values of 16,384 registers are known, and of more the newest', () => {
  const observer = observerOf('modbus')
  const read = (start: number) => {
    const address = start.toString(16).padStart(4, '0')
    observer.request(adu(1, `03 ${address} 0040`))
    observer.answer(adu(1, `03 80 ${'0005'.repeat(64)}`))
  }
  const write = (start: number) => {
    const address = start.toString(16).padStart(4, '0')
    observer.request(adu(2, `06 ${address} 0006`))
    observer.answer(adu(2, `06 ${address} 0006`))
    return news(observer)
  }
  for (let start = 0; start < 16_384; start += 64) read(start)
  expect(write(3)).toEqual(['holding:3 5 > 6'])
  for (let start = 16_384; start < 65_536; start += 64) read(start)
  expect(write(4)).toEqual(['holding:4 ? > 6'])
  expect(write(65_535)).toEqual(['holding:65535 5 > 6'])
})

test('a place is told with its variable, which is looked for once', () => {
  const looked: string[] = []
  const observer = observerOf('modbus', (unit, place) => {
    looked.push(`${unit} ${place}`)
    return place === 'holding:1' ? { group: 'g', name: 'speed' } : null
  })
  for (let at = 0; at < 3; at++) {
    observer.request(adu(at, '10 0001 0002 04 0001 0002'))
    observer.answer(adu(at, '10 0001 0002'))
  }
  expect(observer.written.takeNews()).toMatchObject([
    { place: 'holding:1', tag: { group: 'g', name: 'speed' } },
    { place: 'holding:2', tag: null },
  ])
  expect(looked).toEqual(['1 holding:1', '1 holding:2'])
})
