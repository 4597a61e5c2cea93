import { type ByteReader, BytesDamaged } from './byte-reader.ts'
import { type ByteWriter, zigzagMax } from './byte-writer.ts'

/**
 * Numbers of one tag. Controllers mostly send decimals, often rounded to single precision on their way: those are stored
 * as whole numbers of their smallest digit, which differ little from one to the next.
 */
const form = {
  /** Whole numbers of the digit that the next byte names, each as the difference to the one before. */
  decimals: 0,
  /** The same, of numbers that are decimals only when rounded to single precision. */
  singleDecimals: 1,
  /** Four bytes each, single precision. */
  singles: 2,
  /** Eight bytes each. */
  doubles: 3,
} as const

/** Set in the form's byte of decimals: the places of minus zeros follow, which whole numbers do not have. */
const minusZerosFlag = 0x10
const digitsMax = 9
const powers = Array.from({ length: digitsMax + 1 }, (_, digits) => 10 ** digits)
/** Differences of two such numbers stay within the range of `zigzag`. */
const scaledMax = zigzagMax / 2

/** Writes `count` finite numbers so that each is read again exactly, minus zero included. */
export function writeNumbers(writer: ByteWriter, values: ArrayLike<number>): void {
  const isSingle = everySingle(values)
  for (const single of isSingle ? [false, true] : [false]) {
    const digits = findDigits(values, single)
    if (digits === undefined) continue
    const minusZeros = findMinusZeros(values)
    writer.byte((single ? form.singleDecimals : form.decimals) | (minusZeros.length > 0 ? minusZerosFlag : 0))
    writer.byte(digits)
    writeScaled(writer, values, powers[digits] as number)
    if (minusZeros.length > 0) writePlaces(writer, minusZeros)
    return
  }
  writer.byte(isSingle ? form.singles : form.doubles)
  writer.bytes(isSingle ? transposeXor(Float32Array.from(values)) : transposeXor(Float64Array.from(values)))
}

/** Reads `count` numbers that `writeNumbers` wrote. */
export function readNumbers(reader: ByteReader, count: number): Float64Array {
  const kind = reader.byte()
  const values = reader.numbers(count)
  if (kind === form.singles) {
    values.set(new Float32Array(untransposeXor(reader.bytes(count * 4), 4).buffer))
    return values
  }
  if (kind === form.doubles) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    bytes.set(untransposeXor(reader.bytes(count * 8), 8))
    return values
  }
  const power = powers[reader.byte()]
  const decimals = kind & ~minusZerosFlag
  if (power === undefined || decimals > form.singleDecimals)
    throw new BytesDamaged('numbers of an unknown form')
  reader.sums(values, power)
  if (decimals === form.singleDecimals)
    for (let place = 0; place < count; place++) values[place] = Math.fround(values[place] as number)
  if (kind !== decimals) for (const place of readPlaces(reader, count)) values[place] = -0
  return values
}

function findMinusZeros(values: ArrayLike<number>): number[] {
  const places: number[] = []
  for (let place = 0; place < values.length; place++) if (Object.is(values[place], -0)) places.push(place)
  return places
}

/** Rising places: how many there are, then each as the difference to the one before. */
function writePlaces(writer: ByteWriter, places: readonly number[]): void {
  writer.varint(places.length)
  let before = 0
  for (const place of places) {
    writer.varint(place - before)
    before = place
  }
}

function readPlaces(reader: ByteReader, count: number): number[] {
  const places: number[] = []
  let place = 0
  for (let left = reader.varint(); left > 0; left--) {
    place += reader.varint()
    if (place >= count) throw new BytesDamaged('a place behind the last number')
    places.push(place)
  }
  return places
}

/** Whole numbers, each as the difference to the one before. Each must be within `scaledMax` of zero. */
function writeScaled(writer: ByteWriter, values: ArrayLike<number>, power: number): void {
  let before = 0
  for (let place = 0; place < values.length; place++) {
    const scaled = Math.round((values[place] as number) * power)
    writer.zigzag(scaled - before)
    before = scaled
  }
}

/** The fewest digits after the point that hold all values exactly; undefined if some need more than there are. */
export function findDigits(values: ArrayLike<number>, isSingle = false): number | undefined {
  let digits = 0
  let power = 1
  for (let place = 0; place < values.length; place++) {
    const value = values[place] as number
    while (!isScaled(value, power, isSingle)) {
      if (++digits > digitsMax) return undefined
      power = powers[digits] as number
    }
  }
  // A value that fits with few digits fits with more, unless it grows too large for a whole number.
  for (let place = 0; place < values.length; place++)
    if (!isScaled(values[place] as number, power, isSingle)) return undefined
  return digits
}

function isScaled(value: number, power: number, isSingle: boolean): boolean {
  const scaled = Math.round(value * power)
  if (!(Math.abs(scaled) <= scaledMax)) return false
  const back = scaled / power
  return (isSingle ? Math.fround(back) : back) === value
}

function everySingle(values: ArrayLike<number>): boolean {
  for (let place = 0; place < values.length; place++) {
    const value = values[place] as number
    if (Math.fround(value) !== value) return false
  }
  return true
}

/**
 * The bytes of numbers, each combined with the one before by exclusive or, first all lowest bytes, then all second ones, and
 * so on: the bytes of sign and exponent, which hardly change, lie beside each other for the compressor.
 */
function transposeXor(values: Float32Array | Float64Array): Buffer {
  const width = values.BYTES_PER_ELEMENT
  const bytes = Buffer.from(values.buffer)
  const out = Buffer.allocUnsafe(bytes.length)
  for (let lane = 0, to = 0; lane < width; lane++) {
    let before = 0
    for (let place = lane; place < bytes.length; place += width) {
      const byte = bytes[place] as number
      out[to++] = byte ^ before
      before = byte
    }
  }
  return out
}

function untransposeXor(bytes: Buffer, width: number): Uint8Array {
  const out = new Uint8Array(bytes.length)
  for (let lane = 0, from = 0; lane < width; lane++) {
    let before = 0
    for (let place = lane; place < out.length; place += width) {
      before ^= bytes[from++] as number
      out[place] = before
    }
  }
  return out
}
