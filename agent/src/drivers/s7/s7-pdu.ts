import type { S7Area } from './address.ts'
import type { ReadSpan } from './plan-reads.ts'
import { itemGood, S7Refusal } from './reasons.ts'

// S7 communication as it goes over the wire, without the transport below (ISO 8073 class 0 over TCP). Every number has its
// high byte first. A message is a head, parameters and data:
//   head: 0x32, kind, 0 0, reference (2), bytes of parameters (2), bytes of data (2); in answers error class and code

const protocolId = 0x32
const kinds = { request: 1, acknowledgement: 2, answer: 3 } as const
const functions = { setUp: 0xf0, read: 0x04, write: 0x05 } as const
const requestHeadBytes = 10
const answerHeadBytes = 12

/** The requested length of messages; the controller answers with its own: 240, 480 or 960 bytes. */
const pduBytesAsked = 960
/** The most concurrent requests, if the controller agrees. */
const jobsAsked = 4

const areaCodes: Record<S7Area, number> = { I: 0x81, Q: 0x82, M: 0x83, DB: 0x84, C: 0x1c, T: 0x1d }

/** The unit in which an item counts. */
const elements = { bit: 0x01, byte: 0x02, counter: 0x1c, timer: 0x1d } as const

/** Of the data in a write, which tells its length in bits, or in bytes. */
const dataKinds = { bit: 0x03, bits: 0x04, bytes: 0x09 } as const
/** The kinds of data in an answer whose length is given in bits. */
const lengthInBits = new Set([0x04, 0x05])

export interface Answer {
  reference: number
  params: Buffer
  data: Buffer
  /** 0, or error class and code of a message that was refused. */
  error: number
}

function message(reference: number, params: Buffer, data: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(requestHeadBytes)
  head.writeUInt8(protocolId, 0)
  head.writeUInt8(kinds.request, 1)
  head.writeUInt16BE(reference, 4)
  head.writeUInt16BE(params.length, 6)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([head, params, data])
}

/** Takes an answer apart. Throws if its lengths do not add up; null for a message that is not an answer. */
export function parseAnswer(bytes: Buffer): Answer | null {
  if (bytes.length < requestHeadBytes || bytes.readUInt8(0) !== protocolId) throw malformed('head')
  const kind = bytes.readUInt8(1)
  if (kind !== kinds.acknowledgement && kind !== kinds.answer) return null
  if (bytes.length < answerHeadBytes) throw malformed('head')
  const paramsEnd = answerHeadBytes + bytes.readUInt16BE(6)
  if (paramsEnd + bytes.readUInt16BE(8) !== bytes.length) throw malformed('length')
  return {
    reference: bytes.readUInt16BE(4),
    params: bytes.subarray(answerHeadBytes, paramsEnd),
    data: bytes.subarray(paramsEnd),
    error: bytes.readUInt16BE(10),
  }
}

function malformed(what: string): Error {
  return new Error(`the answer has a wrong ${what}`)
}

/** Requests a length of messages and a number of concurrent requests. */
export function setUpRequest(reference: number): Buffer {
  const params = Buffer.alloc(8)
  params.writeUInt8(functions.setUp, 0)
  params.writeUInt16BE(jobsAsked, 2)
  params.writeUInt16BE(jobsAsked, 4)
  params.writeUInt16BE(pduBytesAsked, 6)
  return message(reference, params)
}

/** The limits to which the controller agreed. */
export function parseSetUp({ error, params }: Answer): { pduBytes: number; jobs: number } {
  if (error !== 0) throw new S7Refusal(error)
  if (params.length < 8 || params[0] !== functions.setUp) throw malformed('function')
  const pduBytes = Math.min(pduBytesAsked, params.readUInt16BE(6))
  // With less, not even a word could be read and written.
  if (pduBytes < 64)
    throw new Error(`the controller offers messages of ${pduBytes} bytes, which is too little`)
  return { pduBytes, jobs: Math.max(1, Math.min(jobsAsked, params.readUInt16BE(2))) }
}

/** Requests the bytes of some spans. */
export function readRequest(reference: number, spans: readonly ReadSpan[]): Buffer {
  const items = spans.map(({ area, db, start, count }) => {
    // A timer or counter counts as one, and has two bytes.
    if (area === 'T') return itemOf(elements.timer, count / 2, area, db, start / 2)
    if (area === 'C') return itemOf(elements.counter, count / 2, area, db, start / 2)
    return itemOf(elements.byte, count, area, db, start * 8)
  })
  return message(reference, Buffer.concat([Buffer.of(functions.read, spans.length), ...items]))
}

function itemOf(element: number, count: number, area: S7Area, db: number, address: number): Buffer {
  const item = Buffer.alloc(12)
  // A variable specification of ten more bytes, by area and address.
  item.set([0x12, 0x0a, 0x10, element])
  item.writeUInt16BE(count, 4)
  item.writeUInt16BE(db, 6)
  item.writeUInt8(areaCodes[area], 8)
  item.writeUIntBE(address, 9, 3)
  return item
}

/** The bytes of each span, or why the controller refuses it. Throws when an answer is not the one to `spans`. */
export function parseRead(
  { error, params, data }: Answer,
  spans: readonly ReadSpan[],
): (Buffer | S7Refusal)[] {
  if (error !== 0) return spans.map(() => new S7Refusal(error))
  if (params[0] !== functions.read || params[1] !== spans.length) throw malformed('function')
  let at = 0
  const answers = spans.map(({ count }) => {
    if (at + 4 > data.length) throw malformed('length')
    const code = data.readUInt8(at)
    const told = data.readUInt16BE(at + 2)
    if (code !== itemGood) {
      at += 4
      return new S7Refusal(code)
    }
    const length = lengthInBits.has(data.readUInt8(at + 1)) ? Math.ceil(told / 8) : told
    if (length !== count || at + 4 + length > data.length)
      throw new Error(`an answer of ${length} bytes where ${count} were asked for`)
    const bytes = data.subarray(at + 4, at + 4 + length)
    at += 4 + length + (length % 2)
    return bytes
  })
  // The last item may go without the byte that would make its length even.
  if (at < data.length) throw malformed('length')
  return answers
}

/** Bytes, or a single bit, to be written. */
export interface S7Write {
  area: S7Area
  db: number
  start: number
  /** Null: `data` are whole bytes. Otherwise one byte, 0 or 1. */
  bit: number | null
  data: Buffer
}

/** The most bytes that one write can change. */
export function writeBytesMax(pduBytes: number): number {
  return pduBytes - requestHeadBytes - 2 - 12 - 4
}

export function writeRequest(reference: number, { area, db, start, bit, data }: S7Write): Buffer {
  const head = Buffer.alloc(4)
  let item: Buffer
  if (bit !== null) {
    item = itemOf(elements.bit, 1, area, db, start * 8 + bit)
    head.writeUInt8(dataKinds.bit, 1)
    head.writeUInt16BE(1, 2)
  } else if (area === 'C') {
    item = itemOf(elements.counter, data.length / 2, area, db, start / 2)
    head.writeUInt8(dataKinds.bytes, 1)
    head.writeUInt16BE(data.length, 2)
  } else {
    item = itemOf(elements.byte, data.length, area, db, start * 8)
    head.writeUInt8(dataKinds.bits, 1)
    head.writeUInt16BE(data.length * 8, 2)
  }
  const params = Buffer.concat([Buffer.of(functions.write, 1), item])
  return message(reference, params, Buffer.concat([head, data]))
}

/** Throws `S7Refusal` if the controller refused. */
export function checkWritten({ error, params, data }: Answer): void {
  if (error !== 0) throw new S7Refusal(error)
  const code = data[0]
  if (params[0] !== functions.write || code === undefined) throw malformed('function')
  if (code !== itemGood) throw new S7Refusal(code)
}
