import { FrameHeads } from './frame-heads.ts'
import {
  aduBytesMax,
  answerFormat,
  exceptionFlag,
  headerBytes,
  isReading,
  requestFormat,
} from './modbus-requests.ts'
import { PendingRequests } from './pending-requests.ts'
import type { PortObserver } from './port-filter.ts'
import { type AskedWrite, type PlaceWrite, type TagAt, WrittenPlaces } from './written-places.ts'

const functions = {
  ...{ readCoils: 1, readDiscrete: 2, readHolding: 3, readInput: 4 },
  ...{ writeCoil: 5, writeRegister: 6, writeCoils: 15, writeRegisters: 16 },
  ...{ maskWrite: 22, readAndWrite: 23 },
} as const
const coilOn = 0xff00
const addressesMax = 65_536
const register = 0xffff
const bit = 1

/** In the words of addresses in the agent's file. */
const areas = ['coil', 'discrete', 'holding', 'input'] as const
type Area = (typeof areas)[number]

/** The controller is still at it, or a gateway has not heard of the device behind it: the write may have been done. */
const openExceptions = new Set([5, 11])

interface Read {
  readonly area: Area
  readonly start: number
  readonly count: number
}

interface Asked {
  readonly code: number
  readonly unit: number
  readonly read: Read | null
  readonly writes: readonly AskedWrite[]
  /** The address that the answer repeats. */
  readonly echo: number | null
}

const cellOf = (unit: number, area: Area, address: number): number =>
  (unit * areas.length + areas.indexOf(area)) * addressesMax + address

const decimal = ([value = 0]: readonly number[]): string => String(value)

function placeWrite(unit: number, area: 'coil' | 'holding', address: number, value: number): PlaceWrite {
  const mask = area === 'coil' ? bit : register
  const place = `${area}:${address}`
  const cell = cellOf(unit, area, address)
  return { unit, place, cell, mask, shown: mask, values: [value], format: decimal }
}

function maskWrite(unit: number, address: number, and: number, or: number): PlaceWrite {
  const hex = (word: number): string => `0x${word.toString(16).padStart(4, '0')}`
  return {
    ...placeWrite(unit, 'holding', address, or),
    mask: register & ~and,
    shown: register,
    words: `and ${hex(and)}, or ${hex(or)}`,
  }
}

const areaReadBy: Readonly<Record<number, Area>> = {
  [functions.readCoils]: 'coil',
  [functions.readDiscrete]: 'discrete',
  [functions.readHolding]: 'holding',
  [functions.readInput]: 'input',
}

/** Counts requests, and decodes those that write and their answers (Modbus Application Protocol 1.1b3, 6). */
export class ModbusObserver implements PortObserver {
  readonly counts = { reads: 0, writes: 0, refused: 0 }
  readonly written: WrittenPlaces
  readonly #requests = new FrameHeads(requestFormat)
  readonly #answers = new FrameHeads({ ...answerFormat, headBytes: aduBytesMax })
  readonly #pending = new PendingRequests<Asked>((asked) => this.#maybeDone(asked))

  constructor(now: () => number, tagAt: TagAt) {
    this.written = new WrittenPlaces(now, tagAt)
  }

  request(bytes: Buffer): void {
    for (const { head } of this.#requests.read(bytes)) {
      const pdu = head.subarray(headerBytes)
      if (isReading(pdu)) this.counts.reads++
      else this.counts.writes++
      const asked = this.#parse(head.readUInt8(headerBytes - 1), pdu)
      if (asked !== null) this.#pending.add(idOf(head), asked)
    }
  }

  answer(bytes: Buffer): void {
    for (const { head } of this.#answers.read(bytes)) if (head.length >= headerBytes + 2) this.#settle(head)
  }

  end(): void {
    this.#pending.end()
  }

  #settle(answer: Buffer): void {
    const id = idOf(answer)
    const pending = this.#pending.find(id)
    const code = answer.readUInt8(headerBytes)
    if (pending === undefined || pending.request.code !== (code & ~exceptionFlag)) return
    const { request: asked, isSure } = pending
    const isDone = (code & exceptionFlag) === 0
    // An earlier one's.
    if (isDone && asked.echo !== null && !doesEcho(answer, asked.echo)) return
    this.#pending.answered(id)
    if (!isSure) {
      this.#maybeDone(asked)
    } else if (!isDone) {
      if (openExceptions.has(answer.readUInt8(headerBytes + 1))) this.#maybeDone(asked)
    } else {
      // A request that does both writes first (6.17).
      for (const write of asked.writes) this.written.done(write)
      if (asked.read !== null) this.#know(asked.unit, asked.read, answer.subarray(headerBytes + 1))
    }
  }

  #maybeDone({ writes }: Asked): void {
    for (const write of writes) this.written.maybeDone(write)
  }

  /** `data`: the number of bytes, and the bytes. */
  #know(unit: number, { area, start, count }: Read, data: Buffer): void {
    const isBits = area === 'coil' || area === 'discrete'
    const bytes = isBits ? Math.ceil(count / 8) : 2 * count
    if (data[0] !== bytes || data.length !== 1 + bytes) return
    const cell = cellOf(unit, area, start)
    for (let at = 0; at < count; at++) {
      if (isBits) this.written.know(cell + at, bit, ((data[1 + (at >> 3)] ?? 0) >> (at & 7)) & bit)
      else this.written.know(cell + at, register, data.readUInt16BE(1 + 2 * at))
    }
  }

  /** A request that reads or writes values; null for any other, and for one that is not whole. */
  #parse(unit: number, pdu: Buffer): Asked | null {
    const [code = 0] = pdu
    if (pdu.length < 5) return null
    const words = { first: pdu.readUInt16BE(1), second: pdu.readUInt16BE(3) }
    const area = areaReadBy[code]
    if (area !== undefined) {
      const read = readOf(area, words.first, words.second)
      return read && { code, unit, read, writes: [], echo: null }
    }
    const writes = writesOf(unit, code, pdu)
    if (writes === null) return null
    const isBoth = code === functions.readAndWrite
    return {
      ...{ code, unit },
      read: isBoth ? readOf('holding', words.first, words.second) : null,
      writes: writes.map((write) => this.written.ask(write)),
      echo: isBoth ? null : words.first,
    }
  }
}

/** By transaction and unit. */
const idOf = (head: Buffer): number => head.readUInt16BE(0) * 256 + head.readUInt8(headerBytes - 1)

const doesEcho = (answer: Buffer, address: number): boolean =>
  answer.length >= headerBytes + 3 && answer.readUInt16BE(headerBytes + 1) === address

const readOf = (area: Area, start: number, count: number): Read | null =>
  start + count <= addressesMax ? { area, start, count } : null

/** The writes of a request; null where it does not write values, or is shorter than it says. */
function writesOf(unit: number, code: number, pdu: Buffer): PlaceWrite[] | null {
  const [address, word] = [pdu.readUInt16BE(1), pdu.readUInt16BE(3)]
  switch (code) {
    case functions.writeCoil:
      if (word !== coilOn && word !== 0) return null
      return [placeWrite(unit, 'coil', address, word === coilOn ? 1 : 0)]
    case functions.writeRegister:
      return [placeWrite(unit, 'holding', address, word)]
    case functions.writeCoils: {
      const bits = pdu.subarray(6)
      if (bits.length < Math.ceil(word / 8)) return null
      return manyOf(unit, 'coil', address, word, (at) => ((bits[at >> 3] ?? 0) >> (at & 7)) & bit)
    }
    case functions.writeRegisters:
      return registersOf(unit, address, word, pdu.subarray(6))
    case functions.maskWrite:
      return pdu.length < 7 ? null : [maskWrite(unit, address, word, pdu.readUInt16BE(5))]
    case functions.readAndWrite:
      if (pdu.length < 10) return null
      return registersOf(unit, pdu.readUInt16BE(5), pdu.readUInt16BE(7), pdu.subarray(10))
    default:
      return null
  }
}

function registersOf(unit: number, start: number, count: number, words: Buffer): PlaceWrite[] | null {
  if (words.length < 2 * count) return null
  return manyOf(unit, 'holding', start, count, (at) => words.readUInt16BE(2 * at))
}

function manyOf(
  unit: number,
  area: 'coil' | 'holding',
  start: number,
  count: number,
  valueAt: (at: number) => number,
): PlaceWrite[] | null {
  if (start + count > addressesMax) return null
  return Array.from({ length: count }, (_, at) => placeWrite(unit, area, start + at, valueAt(at)))
}
