import { type ByteReader, BytesDamaged } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Writes texts: each different one once, in the order of its first use, then the place of each. */
export function writeTexts(writer: ByteWriter, values: readonly string[]): void {
  const places = new Map<string, number>()
  for (const value of values) if (!places.has(value)) places.set(value, places.size)
  writer.varint(places.size)
  for (const text of places.keys()) writer.text(text)
  for (const value of values) writer.varint(places.get(value) as number)
}

/** Reads `count` texts that `writeTexts` wrote. */
export function readTexts(reader: ByteReader, count: number): string[] {
  const size = reader.varint()
  if (size > count) throw new BytesDamaged('more texts than values')
  const texts = Array.from({ length: size }, () => reader.text())
  return Array.from({ length: count }, () => {
    const text = texts[reader.varint()]
    if (text === undefined) throw new BytesDamaged('an unknown text')
    return text
  })
}
