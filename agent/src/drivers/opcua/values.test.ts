import { decimalOfFloat32 } from '@busbar/link'
import type { DataValue } from 'node-opcua-client'
import { DataType } from 'node-opcua-client'
import { expect, test } from 'vitest'
import type { TagValue } from '../../tag.ts'
import { decodeValue, encodeValue, tagTypeFor } from './values.ts'

const wholes = [
  0n,
  1n,
  -1n,
  ...[7n, 8n, 15n, 16n, 31n, 32n, 53n, 63n, 64n].flatMap((bits) => [
    2n ** bits - 1n,
    2n ** bits,
    -(2n ** bits),
    -(2n ** bits) - 1n,
  ]),
]
const numbers = [
  0.1,
  -2.5,
  2 ** 53,
  1e39,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
]
const texts = [
  '',
  'Käse 奶酪',
  '1',
  'true',
  '72962b91-fa75-4ae6-8d28-b404dc7daf63',
  '2026-11-23T13:20:05.000Z',
]
const values: readonly TagValue[] = [true, false, ...wholes, ...wholes.map(Number), ...numbers, ...texts]
const dataTypes = Object.values(DataType).filter((one): one is DataType => typeof one === 'number')

/** The value as a node of a type has it, in a form that can be compared. */
const plain = (value: TagValue, dataType: DataType): unknown => {
  if (typeof value === 'boolean' || typeof value === 'string') return value
  if (tagTypeFor(dataType) === 'float32') return decimalOfFloat32(Math.fround(Number(value)))
  return Number.isInteger(Number(value)) ? BigInt(value) : Math.round(Number(value) * 1e9)
}

test.each(dataTypes.map((dataType) => [DataType[dataType], dataType] as const))(
  'a value written to a node of type %s is read back as the same, or refused in words',
  (_, dataType) => {
    for (const value of values) {
      let variant: ReturnType<typeof encodeValue>
      try {
        variant = encodeValue(value, dataType)
      } catch (error) {
        expect(String(error), String(value)).toMatch(
          /^Error: (the value does not fit into|a (Guid|DateTime) is written like)/,
        )
        continue
      }
      const stored = tagTypeFor(dataType) === 'float32' ? Math.fround(variant.value) : variant.value
      const decoded = decodeValue({ value: { ...variant, value: stored } } as DataValue, null)
      expect(decoded, `${typeof value} ${value}`).toHaveProperty('value')
      if (!('value' in decoded)) continue
      // A scaled number is rounded to the resolution of a whole one.
      const asked =
        typeof decoded.value !== 'string' &&
        tagTypeFor(dataType)?.includes('int') &&
        typeof value === 'number'
          ? Math.round(value)
          : value
      expect(plain(decoded.value, dataType), `${typeof value} ${value}`).toEqual(plain(asked, dataType))
    }
  },
)
