import { expect, test } from 'vitest'
import { RawRing } from './raw-ring.ts'

const now = Date.UTC(2026, 10, 20)
const topic = 'v1/devices/me/telemetry'

function add(ring: RawRing, machineId: number, at: number, payload: Buffer, onTopic = topic): void {
  ring.add(machineId, at, onTopic, payload, 'json', 'stored', '')
}

const headsOf = (ring: RawRing, machineId = 1) =>
  ring.list(machineId, now).map(({ head }) => Buffer.from(head, 'base64').toString())

test('the last twenty messages, newest first, each with its own bytes', () => {
  const ring = new RawRing()
  for (let number = 0; number < 47; number++) add(ring, 1, now + number, Buffer.from(`message ${number}`))
  expect(headsOf(ring)).toEqual(Array.from({ length: 20 }, (_, age) => `message ${46 - age}`))
  expect(headsOf(ring, 2)).toEqual([])
})

test('long messages push out older ones, and are never shown with bytes of another', () => {
  const ring = new RawRing()
  for (let number = 0; number < 200; number++) {
    const letter = String.fromCharCode(97 + (number % 26))
    add(ring, 1, now + number, Buffer.from(letter.repeat(1 + ((number * 397) % 3_000))))
    const heads = headsOf(ring)
    expect(heads.length).toBeGreaterThanOrEqual(Math.min(7, number + 1))
    heads.forEach((head, age) => {
      const of = number - age
      expect(head).toBe(String.fromCharCode(97 + (of % 26)).repeat(Math.min(1_024, 1 + ((of * 397) % 3_000))))
    })
  }
})

test('the payload’s memory is let go, and so is a long topic’s', () => {
  const ring = new RawRing()
  const payload = Buffer.from('before')
  add(ring, 1, now, payload, `data/1/${'g'.repeat(5_000)}`)
  payload.fill('x')
  expect(headsOf(ring)).toEqual(['before'])
  expect(ring.list(1, now)[0]?.topic).toHaveLength(256)
})

test('with more machines than places, those that were opened are kept, and silent ones make room', () => {
  const ring = new RawRing()
  const machines = 3_000
  for (let machineId = 1; machineId <= machines + 1; machineId++) add(ring, machineId, now, Buffer.from('a'))
  expect(headsOf(ring, 1)).toEqual(['a'])
  // Somebody opens it: from here on it is kept, in the place of the one that was opened longest ago.
  expect(headsOf(ring, machines + 1)).toEqual([])
  add(ring, machines + 1, now, Buffer.from('b'))
  expect(headsOf(ring, machines + 1)).toEqual(['b'])
  expect(headsOf(ring, 1)).toEqual(['a'])
  add(ring, machines + 5, now + 2 * 3_600_000, Buffer.from('c'))
  expect(headsOf(ring, machines + 5)).toEqual(['c'])
})
