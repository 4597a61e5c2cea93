/** The order of a value's bytes in its registers, as the agent's file names it. */
export const wordOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
export type WordOrder = (typeof wordOrders)[number]

export const registerTypes = [
  'uint16',
  'int16',
  'uint32',
  'int32',
  'float32',
  'uint64',
  'int64',
  'float64',
  'bcd16',
  'bcd32',
] as const
export type RegisterType = (typeof registerTypes)[number]

/** Registers that a value of the type takes. */
export function widthOf(type: RegisterType): 1 | 2 | 4 {
  if (type.endsWith('16')) return 1
  return type.endsWith('32') ? 2 : 4
}

/**
 * The value that begins at `offset`, as the agent would read it; null if it does not fit or is not a number
 * (NaN). BADC and DCBA swap the bytes of each register, CDAB and DCBA the order of the registers.
 */
export function decode(
  registers: readonly number[],
  offset: number,
  type: RegisterType,
  order: WordOrder,
): number | bigint | null {
  const width = widthOf(type)
  const own = registers.slice(offset, offset + width)
  if (own.length < width) return null
  const swapsWords = order === 'CDAB' || order === 'DCBA'
  const swapsBytes = order === 'BADC' || order === 'DCBA'
  const words = swapsWords ? own.reverse() : own
  const view = new DataView(new ArrayBuffer(2 * width))
  for (const [index, word] of words.entries()) view.setUint16(2 * index, word, swapsBytes)
  const value = read(view, type)
  return typeof value === 'number' && !Number.isFinite(value) ? null : value
}

function read(view: DataView, type: RegisterType): number | bigint {
  switch (type) {
    case 'uint16':
      return view.getUint16(0)
    case 'int16':
      return view.getInt16(0)
    case 'uint32':
      return view.getUint32(0)
    case 'int32':
      return view.getInt32(0)
    case 'float32':
      return view.getFloat32(0)
    case 'uint64':
      return view.getBigUint64(0)
    case 'int64':
      return view.getBigInt64(0)
    case 'float64':
      return view.getFloat64(0)
    case 'bcd16':
      return fromBcd(view.getUint16(0))
    case 'bcd32':
      return fromBcd(view.getUint32(0))
  }
}

/** A decimal digit in each four bits; NaN for one above 9. */
function fromBcd(bits: number): number {
  const digits = bits.toString(16)
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN
}

/** A value in few digits: a float in the wrong order has many. */
export function shortNumber(value: number | bigint | null): string {
  if (value === null) return '–'
  if (typeof value === 'bigint' || Number.isInteger(value)) {
    const text = String(value)
    return text.length > 14 ? Number(value).toExponential(4) : text
  }
  const size = Math.abs(value)
  return size >= 1e7 || size < 1e-4 ? value.toExponential(3) : String(Number(value.toPrecision(7)))
}
