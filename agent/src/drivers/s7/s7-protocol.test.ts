import { Quality } from '@busbar/link'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LogFields } from '../../log.ts'
import { buildTag } from '../../testing/builders.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { FaultLine } from '../../testing/plc/fault-line.ts'
import { startFaultLine } from '../../testing/plc/fault-line.ts'
import type { Snap7 } from '../../testing/plc/snap7.ts'
import { startSnap7 } from '../../testing/plc/snap7.ts'
import type { Driver } from '../driver.ts'
import { refusedRetryMs } from '../polled/tag-memory.ts'
import { parseS7Address } from './address.ts'
import { tagTypeOf } from './formats.ts'
import type { S7Options, S7Tag } from './s7-connection.ts'
import { openS7Driver } from './s7-protocol.ts'

/** A data block with 64 bytes, and one that is full of texts. */
const blocks = { 1: 64, 2: 2_048 }

let server: Snap7
let line: FaultLine
const cleanups: (() => Promise<void>)[] = []

beforeAll(async () => {
  server = await startSnap7({ blocks })
})
afterAll(() => server.stop())
beforeEach(async () => {
  line = await startFaultLine(server.port)
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  await line.close()
})

function tag(address: string): S7Tag {
  const place = parseS7Address(address)
  if (place === null) throw new Error(address)
  return { ...buildTag({ name: address, type: tagTypeOf(place.format.type) }), address: place }
}

function open(addresses: readonly string[], fields: Partial<S7Options> = {}) {
  const clock = new ManualClock()
  const told: (LogFields & { event: string })[] = []
  const driver = openS7Driver(
    {
      name: 'test',
      host: '127.0.0.1',
      port: line.port,
      timeoutMs: 15_000,
      pauseMs: 0,
      closeAfterPoll: false,
      localTsap: 0x0100,
      remoteTsap: 0x0302,
      gapBytesMax: 16,
      textEncoding: 'latin1',
      tags: addresses.map(tag),
      ...fields,
    },
    { clock, log: (_level, event, about) => void told.push({ event, ...about }) },
  )
  cleanups.push(() => driver.close())
  return { driver, clock, told }
}

const values = async (driver: Driver) => (await driver.poll()).map(({ value }) => value)
const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

test('reads every area, and what lies together with one question', async () => {
  await server.set('DB', 1, 0, bytes('ff29 0000 41ac0000 0102'))
  await server.set('M', 0, 10, bytes('08'))
  await server.set('I', 0, 0, bytes('02'))
  await server.set('Q', 0, 4, bytes('1234'))
  await server.set('T', 0, 0, bytes('2127'))
  await server.set('C', 0, 0, bytes('0042'))
  const { driver } = open(['DB1,INT0', 'DB1,REAL4', 'DB1.DBX9.1', 'M10.3', 'I0.1', 'QW4', 'T0', 'C0'])
  expect(await values(driver)).toEqual([-215, 21.5, true, true, true, 0x1234, 127_000, 42])
  // The connection, its agreement, and one for all tags.
  expect(line.questions).toBe(3)
  expect(await driver.read(6)).toEqual({ index: 6, value: 127_000, quality: Quality.good })
})

test('a text of 254 characters is longer than a message: read and written in pieces', async () => {
  const text = 'Zylinder '.repeat(29).slice(0, 254)
  await server.set('DB', 2, 0, bytes('fe00'))
  await server.set('DB', 2, 256, bytes('00fe 0000'))
  const { driver } = open(['DB2,STRING0', 'DB2,WSTRING256'])
  await driver.write(0, text)
  await driver.write(1, text)
  expect(await values(driver)).toEqual([text, text])
  const seen = await server.get('DB', 2, 0, 256 + 4 + 508)
  expect(seen.subarray(0, 256).toString('latin1')).toBe(`\u00fe\u00fe${text}`)
  expect(seen.subarray(256, 260).toString('hex')).toBe('00fe00fe')
})

test('a text is never written beyond the room that the controller has for it', async () => {
  await server.set('DB', 2, 0, bytes('0400 00000000 beef 0000'))
  const { driver } = open(['DB2,STRING0.10', 'DB2,STRING8.10'])
  await expect(driver.write(0, 'longer')).rejects.toThrow('the text has 6 characters, the STRING room for 4')
  await expect(driver.write(1, 'a')).rejects.toThrow('no STRING stands there')
  expect((await server.get('DB', 2, 0, 8)).toString('hex')).toBe('040000000000beef')
  await driver.write(0, 'four')
  expect((await server.get('DB', 2, 0, 8)).toString('hex')).toBe('0404666f7572beef')
})

test('a bit is written without its neighbours', async () => {
  await server.set('DB', 1, 20, bytes('a5'))
  const { driver } = open(['DB1.DBX20.1', 'DB1.DBX20.0'])
  await driver.write(0, true)
  await driver.write(1, false)
  expect((await server.get('DB', 1, 20, 1)).toString('hex')).toBe('a6')
})

test('tags beyond the end of their data block are bad with the reason, and those before it good', async () => {
  await server.set('DB', 1, 0, Buffer.alloc(64, 1))
  const inside = Array.from({ length: 32 }, (_, index) => `DB1.DBW${index * 2}`)
  const beyond = Array.from({ length: 20 }, (_, index) => `DB1.DBW${64 + index * 2}`)
  const { driver, clock, told } = open([...inside, ...beyond, 'DB1.DBD62'])
  const expected = [...inside.map(() => 0x0101), ...beyond.map(() => null), null]
  expect(await values(driver)).toEqual(expected)
  expect(told).toEqual([
    {
      event: 'controller.tagsRefused',
      driver: 's7',
      connection: 'test',
      reason: 'the address is beyond the end of its data block or area (S7 error 0x05)',
      count: 21,
      tags: 'DB1.DBD62, DB1.DBW64, DB1.DBW66, DB1.DBW68, DB1.DBW70, DB1.DBW72, DB1.DBW74, DB1.DBW76, DB1.DBW78, DB1.DBW80',
    },
  ])
  // They are left out until their retry is due.
  const questions = line.questions
  expect(await values(driver)).toEqual(expected)
  expect(line.questions).toBe(questions + 1)
  clock.advance(refusedRetryMs)
  expect(await values(driver)).toEqual(expected)
  expect(line.questions).toBeGreaterThan(questions + 2)
  expect(told).toHaveLength(1)
})

test('a data block that the controller does not have costs one question for all its tags, each time', async () => {
  const { driver, clock, told } = open([
    'MB0',
    ...Array.from({ length: 50 }, (_, index) => `DB7.DBW${index * 2}`),
  ])
  await driver.poll()
  expect(line.questions).toBe(3)
  clock.advance(refusedRetryMs)
  await driver.poll()
  expect(line.questions).toBe(5)
  expect(told).toMatchObject([{ event: 'controller.tagsRefused', count: 50 }])
  expect(told[0]?.reason).toMatch(/no such data block or area, or the block has optimized access/)
})

test('an invalid value is bad with the reason, and good again with the next poll', async () => {
  await server.set('DB', 1, 0, bytes('200a 41414141'))
  const { driver, told } = open(['DB1,S5TIME0'])
  expect(await values(driver)).toEqual([null])
  await server.set('DB', 1, 0, bytes('2010'))
  expect(await values(driver)).toEqual([10_000])
  expect(told).toMatchObject([
    { event: 'controller.tagsRefused', reason: 'no valid S5TIME stands there' },
    { event: 'controller.tagsReadable', count: 1 },
  ])
})

/** Turns an answer to a read or a write into one with this error, without parameters and data. */
const withError = (error: number) => (answer: Buffer) => {
  if (answer[5] !== 0xf0 || (answer[19] !== 4 && answer[19] !== 5)) return answer
  const refusal = Buffer.from(answer.subarray(0, 19))
  refusal.writeUInt16BE(refusal.length, 2)
  refusal.writeUInt32BE(0, 13)
  refusal.writeUInt16BE(error, 17)
  return refusal
}

test.each([
  [0x8104, 'S7-1200 and S7-1500 need "Permit access with PUT/GET communication" (S7 error 0x8104)'],
  [
    0xd241,
    'the protection level of the controller does not allow it: a password is set there (S7 error 0xD241)',
  ],
])('a refusal of the whole message (%i) is explained, and the connection stays', async (error, words) => {
  await server.set('DB', 1, 0, bytes('0007'))
  const { driver, clock, told } = open(['DB1.DBW0'])
  line.alter = withError(error)
  expect(await values(driver)).toEqual([null])
  expect(String(told[0]?.reason)).toContain(words)
  await expect(driver.write(0, 7)).rejects.toThrow(words)
  line.alter = null
  clock.advance(refusedRetryMs)
  expect(await values(driver)).toEqual([7])
  expect(told.map(({ event }) => event)).toEqual(['controller.tagsRefused', 'controller.tagsReadable'])
})

test('a wrong slot is explained', async () => {
  const { driver, told } = open(['MB0'])
  line.alter = (answer) => {
    const refusal = Buffer.from(answer)
    if (refusal[5] === 0xd0) refusal.writeUInt8(0x80, 5)
    return refusal
  }
  expect(await values(driver)).toEqual([null])
  expect(told).toMatchObject([
    {
      event: 'controller.away',
      reason: 'the controller refuses the connection: look at rack, slot or TSAPs',
    },
  ])
})

test('a controller with long messages gets larger requests', async () => {
  const wide = await startSnap7({ blocks: { 5: 8_000 }, pduBytes: 0 })
  cleanups.push(() => wide.stop())
  const way = await startFaultLine(wide.port)
  cleanups.push(() => way.close())
  const { driver } = open(
    Array.from({ length: 2_000 }, (_, index) => `DB5,REAL${index * 4}`),
    { port: way.port },
  )
  expect((await values(driver)).every((value) => value === 0)).toBe(true)
  const questions = way.questions
  await driver.poll()
  // Nine requests; some travel together.
  expect(way.questions - questions).toBeLessThanOrEqual(9)
})
