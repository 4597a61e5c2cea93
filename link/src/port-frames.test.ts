import { expect, test } from 'vitest'
import { LinkError } from './link-error.ts'
import { encodePortFrame, PortFrameReader } from './port-frames.ts'
import { splitPortWrites } from './port-writes.ts'
import { type PortWrite, portLimits } from './ports.ts'

const write = (fields: Partial<PortWrite> = {}): PortWrite => ({
  ...{ unit: 1, place: 'holding:12', from: '100', to: '101' },
  ...{ firstAgoMs: 1_300, lastAgoMs: 300, tag: { group: '注塑', name: '温度' } },
  ...fields,
})

const frameOf = (writes: unknown): Buffer =>
  Buffer.concat(encodePortFrame({ kind: 'writes', writes: writes as PortWrite[] }))

/** The frame with another body. */
function withBody(body: Buffer): Buffer {
  const head = frameOf([]).subarray(0, 5)
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

test('writes come out as they went in, in any cut, between other frames', () => {
  const frames = [
    { kind: 'data', bytes: Buffer.from('before') },
    { kind: 'writes', writes: [write(), write({ unit: null, place: 'DB1.DBW4', from: null, tag: null })] },
    { kind: 'writes', writes: [] },
    { kind: 'over' },
  ] as const
  const bytes = Buffer.concat(frames.flatMap(encodePortFrame))
  for (let cut = 1; cut <= bytes.length; cut++) {
    const reader = new PortFrameReader()
    const read = []
    for (let at = 0; at < bytes.length; at += cut) read.push(...reader.read(bytes.subarray(at, at + cut)))
    expect(read).toEqual(frames)
  }
})

test.each([
  ['no JSON', Buffer.from('[{]')],
  ['no list', Buffer.from('{"writes":[]}')],
  ['half a letter', Buffer.from('[\xff]', 'latin1')],
  ['an entry that is nothing', Buffer.from('[null]')],
  ['an entry without fields', Buffer.from('[{}]')],
])('a body is refused that has %s', (_what, body) => {
  expect(() => new PortFrameReader().read(withBody(body))).toThrow(LinkError)
})

test.each<[string, unknown]>([
  ['unit', -1],
  ['unit', '1'],
  ['unit', 256],
  ['place', null],
  ['place', 'a\0b'],
  ['place', 'x'.repeat(201)],
  ['from', 100],
  ['from', 'x'.repeat(201)],
  ['to', null],
  ['to', '\0'],
  ['to', 'x'.repeat(201)],
  ['firstAgoMs', 1.5],
  ['firstAgoMs', 86_400_001],
  ['firstAgoMs', null],
  ['lastAgoMs', 'now'],
  ['tag', 'temperature'],
  ['tag', { group: 'a' }],
  ['tag', { group: 'a', name: '\0' }],
  ['tag', { group: 'a', name: 'x'.repeat(201) }],
])('an entry is refused whose %s is %j', (field, value) => {
  expect(() => new PortFrameReader().read(frameOf([write(), { ...write(), [field]: value }]))).toThrow(
    LinkError,
  )
  expect(new PortFrameReader().read(frameOf([write()]))).toHaveLength(1)
})

test('a list is refused that is longer than a stream can tell', () => {
  const short = {
    ...write({ place: 'a', tag: null, from: null, to: '1' }),
    unit: 0,
    firstAgoMs: 0,
    lastAgoMs: 0,
  }
  const most = Array.from({ length: portLimits.writtenPlacesMax + 1 }, () => short)
  expect(() => new PortFrameReader().read(frameOf(most))).toThrow(LinkError)
})

test('a long list is split into lists whose frames are accepted', () => {
  const letters = '温'.repeat(200)
  const writes = Array.from({ length: portLimits.writtenPlacesMax }, (_, at) =>
    write({ place: `holding:${at}`, tag: at % 3 === 0 ? { group: letters, name: letters } : null }),
  )
  const lists = splitPortWrites(writes)
  expect(lists.flat()).toEqual(writes)
  const bodies = lists.map((list) => frameOf(list).length - 5)
  expect(Math.max(...bodies)).toBeLessThanOrEqual(portLimits.frameBytesMax)
  // None is shorter than it has to be.
  for (const [at, body] of bodies.slice(0, -1).entries())
    expect(body + JSON.stringify(lists[at + 1]?.[0]).length * 3).toBeGreaterThan(portLimits.frameBytesMax)
  expect(new PortFrameReader().read(Buffer.concat(lists.map(frameOf)))).toHaveLength(lists.length)
  expect(splitPortWrites([])).toEqual([])
})
