import { PendingRequests } from './pending-requests.ts'
import type { PortObserver } from './port-filter.ts'
import {
  asks,
  functions,
  isEncrypted,
  isReadingUserData,
  kinds,
  messageHeadBytes,
  protocolId,
  S7Messages,
} from './s7-messages.ts'
import { type AskedWrite, type PlaceWrite, type TagAt, WrittenPlaces } from './written-places.ts'

/** An answer has an error after the head of a request. */
const answerHeadBytes = messageHeadBytes + 2
const itemBytes = 12
const itemGood = 0xff
/** The kinds of data whose length is told in bits. */
const lengthInBits = new Set([0x03, 0x04, 0x05])
const byte = 0xff

const bitElement = 0x01
/** Bytes of an element: BYTE, CHAR; WORD, INT, DATE, S5TIME; DWORD, DINT, REAL, TOD, TIME; DATE_AND_TIME; counter, timer. */
const elementBytes: Readonly<Record<number, number>> = {
  [bitElement]: 1,
  ...{ 2: 1, 3: 1 },
  ...{ 4: 2, 5: 2, 9: 2, 12: 2 },
  ...{ 6: 4, 7: 4, 8: 4, 10: 4, 11: 4 },
  15: 8,
  ...{ 28: 2, 29: 2 },
}
const widths: Readonly<Record<number, string>> = { 1: 'B', 2: 'W', 4: 'D' }

const areas = { peripheral: 0x80, block: 0x84, counter: 0x1c, timer: 0x1d } as const
/** As the agent's file spells them; outputs past the process image as STEP 7 does. */
const letters: Readonly<Record<number, string>> = {
  [areas.peripheral]: 'PQ',
  ...{ 129: 'I', 130: 'Q', 131: 'M' },
  [areas.block]: 'DB',
  ...{ [areas.counter]: 'C', [areas.timer]: 'T' },
}
/** An item's address has 24 bits, and counts bits. */
const areaBytesMax = 2 ** 21
const blocksMax = 65_536

interface Item {
  readonly element: number
  readonly count: number
  readonly area: number
  readonly db: number
  readonly start: number
  /** Of a single bit; null for whole bytes. */
  readonly bit: number | null
  readonly bytes: number
}

interface Asked {
  readonly code: number
  readonly items: readonly Item[]
  /** Of each item; empty in a request that reads. */
  readonly writes: readonly (readonly AskedWrite[])[]
}

/** Counts requests, and decodes those that write variables and their answers. */
export class S7Observer implements PortObserver {
  readonly counts = { reads: 0, writes: 0, refused: 0 }
  readonly written: WrittenPlaces
  readonly #requests = new S7Messages()
  readonly #answers = new S7Messages()
  readonly #pending = new PendingRequests<Asked>((asked) => this.#maybeDone(asked))
  #isHidden = false

  constructor(now: () => number, tagAt: TagAt) {
    this.written = new WrittenPlaces(now, tagAt)
  }

  request(bytes: Buffer): void {
    if (this.#isHidden) return
    for (const message of this.#requests.read(bytes)) {
      if (isEncrypted(message)) this.#isHidden = true
      if (message[0] === protocolId && message.length > messageHeadBytes) this.#take(message)
    }
  }

  answer(bytes: Buffer): void {
    if (this.#isHidden) return
    for (const message of this.#answers.read(bytes))
      if (message[0] === protocolId && message.length >= answerHeadBytes) this.#settle(message)
  }

  end(): void {
    this.#pending.end()
  }

  #take(message: Buffer): void {
    const params = message.subarray(messageHeadBytes)
    const code = params.readUInt8(0)
    if (message[1] === kinds.request) {
      if (code === functions.read) this.counts.reads++
      else if (code !== functions.setUp) this.counts.writes++
      const asked = this.#parse(code, message)
      if (asked !== null) this.#pending.add(message.readUInt16BE(4), asked)
    } else if (message[1] === kinds.userData && ((params[5] ?? 0) & 0xf0) === asks) {
      if (isReadingUserData(params)) this.counts.reads++
      else this.counts.writes++
    }
  }

  #settle(answer: Buffer): void {
    const id = answer.readUInt16BE(4)
    const pending = this.#pending.find(id)
    if (pending === undefined || (answer[1] !== kinds.answer && answer[1] !== kinds.refusal)) return
    const { request: asked, isSure } = pending
    const parts = partsOf(answer, answerHeadBytes)
    const isRefused = answer.readUInt16BE(messageHeadBytes) !== 0
    if (!isRefused && (parts?.params[0] !== asked.code || parts.params[1] !== asked.items.length)) return
    this.#pending.answered(id)
    if (!isSure) this.#maybeDone(asked)
    else if (isRefused || parts === null) return
    else if (asked.code === functions.read) this.#know(asked.items, parts.data)
    else this.#done(asked, parts.data)
  }

  /** `codes`: of each item whether it was done. */
  #done({ writes }: Asked, codes: Buffer): void {
    for (const [place, ofItem] of writes.entries())
      if (codes[place] === itemGood) for (const write of ofItem) this.written.done(write)
  }

  #maybeDone({ writes }: Asked): void {
    for (const write of writes.flat()) this.written.maybeDone(write)
  }

  #know(items: readonly Item[], data: Buffer): void {
    const answers = dataOf(data, items.length, (code) => code === itemGood)
    for (const [at, item] of items.entries()) {
      const bytes = answers?.[at]
      // The inputs past the process image are not the outputs that are written at the same address.
      if (bytes?.length !== item.bytes || item.area === areas.peripheral) continue
      const cell = cellOf(item, item.start)
      if (item.bit !== null) this.written.know(cell, 1 << item.bit, (bytes[0] ?? 0) << item.bit)
      else for (const [place, value] of bytes.entries()) this.written.know(cell + place, byte, value)
    }
  }

  /** A request that reads or writes variables by area and address; null for any other, and for one that is not whole. */
  #parse(code: number, message: Buffer): Asked | null {
    if (code !== functions.read && code !== functions.write) return null
    const parts = partsOf(message, messageHeadBytes)
    const items = parts && parseItems(parts.params)
    if (items === null) return null
    if (code === functions.read) return { code, items, writes: [] }
    const values = dataOf(parts?.data ?? Buffer.alloc(0), items.length, () => true)
    if (values === null || items.some((item, place) => item.bytes !== values[place]?.length)) return null
    const writes = items.map((item, place) =>
      writesOf(item, values[place] ?? Buffer.alloc(0)).map((write) => this.written.ask(write)),
    )
    return { code, items, writes }
  }
}

function partsOf(message: Buffer, headBytes: number): { params: Buffer; data: Buffer } | null {
  const end = headBytes + message.readUInt16BE(6)
  if (message.length !== end + message.readUInt16BE(8)) return null
  return { params: message.subarray(headBytes, end), data: message.subarray(end) }
}

function parseItems(params: Buffer): Item[] | null {
  const count = params[1] ?? 0
  if (count === 0 || params.length !== 2 + count * itemBytes) return null
  const items: Item[] = []
  for (let at = 2; at < params.length; at += itemBytes) {
    const item = parseItem(params.subarray(at, at + itemBytes))
    if (item === null) return null
    items.push(item)
  }
  return items
}

/** 0x12, bytes that follow, by area and address, element, count (2), block (2), area, address (3). */
function parseItem(bytes: Buffer): Item | null {
  const [element = 0, area = 0] = [bytes[3], bytes[8]]
  const [count, address] = [bytes.readUInt16BE(4), bytes.readUIntBE(9, 3)]
  const width = elementBytes[element]
  const isByAddress = bytes[0] === 0x12 && bytes[1] === itemBytes - 2 && bytes[2] === 0x10
  if (!isByAddress || width === undefined || letters[area] === undefined) return null
  const isBit = element === bitElement
  const isCounted = area === areas.counter || area === areas.timer
  // One bit at a time, whole bytes from a whole one on, counters and timers by their number.
  if (isCounted ? width !== 2 : isBit ? count !== 1 : address % 8 !== 0) return null
  const start = isCounted ? width * address : Math.floor(address / 8)
  const total = width * count
  if (start + total > areaBytesMax) return null
  const db = area === areas.block ? bytes.readUInt16BE(6) : 0
  return { element, count, area, db, start, bit: isBit && !isCounted ? address % 8 : null, bytes: total }
}

/** The data of each item: a code, the kind, the length (2), the bytes, and one more where they are odd. */
function dataOf(data: Buffer, count: number, hasBytes: (code: number) => boolean): Buffer[] | null {
  const items: Buffer[] = []
  let at = 0
  while (items.length < count) {
    if (at + 4 > data.length) return null
    const told = hasBytes(data.readUInt8(at)) ? data.readUInt16BE(at + 2) : 0
    const length = lengthInBits.has(data.readUInt8(at + 1)) ? Math.ceil(told / 8) : told
    if (at + 4 + length > data.length) return null
    items.push(data.subarray(at + 4, at + 4 + length))
    at += 4 + length + (length % 2)
  }
  return items
}

const cellOf = ({ area, db }: Item, start: number): number => (area * blocksMax + db) * areaBytesMax + start

const hex = (values: readonly number[]): string => Buffer.from(values).toString('hex')

/** A write of 1, 2 or 4 bytes is one place; a longer one has a place for each element, or for each byte of long elements. */
function writesOf(item: Item, data: Buffer): PlaceWrite[] {
  const { bit, start, bytes, element } = item
  if (bit !== null) {
    const mask = 1 << bit
    const format = ([value = 0]: readonly number[]): string => String(value >> bit)
    const values = [((data[0] ?? 0) & 1) << bit]
    return [
      {
        unit: null,
        place: placeOf(item, start, 1),
        cell: cellOf(item, start),
        mask,
        shown: mask,
        values,
        format,
      },
    ]
  }
  const isCounted = item.area === areas.counter || item.area === areas.timer
  const single = elementBytes[element] ?? 1
  const width = !isCounted && bytes in widths ? bytes : single in widths ? single : 1
  return Array.from({ length: bytes / width }, (_, at) => ({
    ...{
      unit: null,
      place: placeOf(item, start + at * width, width),
      cell: cellOf(item, start + at * width),
    },
    ...{ mask: byte, shown: byte, values: [...data.subarray(at * width, (at + 1) * width)], format: hex },
  }))
}

function placeOf({ area, db, bit }: Item, start: number, width: number): string {
  const letter = letters[area] ?? ''
  if (area === areas.counter || area === areas.timer) return `${letter}${start / 2}`
  const isBlock = area === areas.block
  const where = isBlock ? `DB${db}.DB` : letter
  if (bit !== null) return `${where}${isBlock ? 'X' : ''}${start}.${bit}`
  return `${where}${widths[width] ?? 'B'}${start}`
}
