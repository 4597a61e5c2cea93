import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { PushSchema, Scene, TagValuesSchema } from '@busbar/contract/push'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { TagValueEvent } from '../kernel/bus/bus.ts'
import { tagValueMessage } from '../kernel/events/event-bodies.ts'
import { frameFrom } from './shared-frame.ts'
import { encodeTagValues } from './tag-values-frame.ts'

const values: TagValueEvent['value'][] = [
  0,
  -0,
  1.5,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  true,
  false,
  0n,
  127n,
  128n,
  -1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  '',
  '报警 ⚙️',
  '\ud800 alone',
  'x'.repeat(70_000),
  null,
]
const whole = [
  0,
  1,
  127,
  128,
  2 ** 14,
  2 ** 21,
  2 ** 28,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 35,
  1_790_000_000_123,
  2 ** 42,
  2 ** 49,
]
const numbers = [...whole, ...whole.filter(Boolean).map((number) => number - 1), Number.MAX_SAFE_INTEGER]
const qualities = ['good', 'stale', 'bad', 'uncertain'] as const

/** The same by the general encoder. */
function encodeGenerally(machineId: number, events: readonly TagValueEvent[], at: number): Uint8Array {
  const message = { machineId: String(machineId), values: events.map(tagValueMessage) }
  const body = toBinary(TagValuesSchema, create(TagValuesSchema, message))
  return toBinary(PushSchema, create(PushSchema, { scene: Scene.TAG_VALUES, body, id: '0', at: String(at) }))
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('a frame of values has the bytes of the general encoder, whatever the value', () => {
  const events: TagValueEvent[] = values.map((value, place) => ({
    tagId: numbers[place % numbers.length] as number,
    value,
    quality: qualities[place % qualities.length] as TagValueEvent['quality'],
    time: numbers[(place * 5) % numbers.length] as number,
    receivedAt: place % 2 ? -62_135_596_800_000 : (numbers[(place * 7) % numbers.length] as number),
  }))
  for (const number of numbers) {
    const event = { ...(events[0] as TagValueEvent), tagId: number, time: number, receivedAt: -number }
    expect(hex(encodeTagValues(number, [event], number).payload)).toBe(
      hex(encodeGenerally(number, [event], number)),
    )
  }
  for (const event of events) {
    expect(hex(encodeTagValues(7, [event], 1).payload)).toBe(hex(encodeGenerally(7, [event], 1)))
  }
  expect(hex(encodeTagValues(7, events, 1).payload)).toBe(hex(encodeGenerally(7, events, 1)))
  expect(hex(encodeTagValues(7, [], 0).payload)).toBe(hex(encodeGenerally(7, [], 0)))
})

test('frames made one after the other share no bytes', () => {
  const event = (value: number): TagValueEvent => ({
    tagId: 1,
    value,
    quality: 'good',
    time: 1,
    receivedAt: 1,
  })
  const first = encodeTagValues(1, [event(10)], 1)
  encodeTagValues(2, [event(20)], 2)
  const { body } = fromBinary(PushSchema, first.payload)
  expect(fromBinary(TagValuesSchema, body)).toMatchObject({
    machineId: '1',
    values: [{ value: { case: 'numberValue', value: 10 } }],
  })
})

test('shared frames of every kind of length are read as whole WebSocket messages', async () => {
  const sizes = [0, 1, 125, 126, 65_535, 65_536, 200_000]
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  server.on('connection', (_, request) => {
    for (const size of sizes) request.socket.write(frameFrom(Buffer.alloc(size + 3, 7), 3).wire)
  })
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => {
    client.terminate()
    server.close()
  })
  const read: number[] = []
  await new Promise<void>((resolve, reject) => {
    client.on('error', reject)
    client.on('message', (data: Buffer, isBinary) => {
      expect(isBinary && data.every((byte) => byte === 7)).toBe(true)
      if (read.push(data.length) === sizes.length) resolve()
    })
  })
  expect(read).toEqual(sizes)
})
