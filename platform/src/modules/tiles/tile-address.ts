import type { TileKind } from '@busbar/contract'
import { parseTypedAddress, refuseAddress, type TypedAddress } from '../../kernel/outgoing-http/index.ts'

/** A tile’s place: zoom, column, and row from the north. */
export interface TilePlace {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** The words of an address that stand for parts of a tile’s place, or for the key. */
const words: Readonly<Record<string, (place: TilePlace, key: string) => number | string>> = {
  z: ({ z }) => z,
  x: ({ x }) => x,
  y: ({ y }) => y,
  '-y': ({ z, y }) => 2 ** z - 1 - y,
  TileMatrix: ({ z }) => z,
  TileCol: ({ x }) => x,
  TileRow: ({ y }) => y,
  key: (_place, key) => encodeURIComponent(key),
}

const needed: Readonly<Record<Exclude<TileKind, 'pmtiles'>, readonly (readonly string[])[]>> = {
  xyz: [['z'], ['x'], ['y', '-y']],
  wmts: [
    ['z', 'TileMatrix'],
    ['x', 'TileCol'],
    ['y', '-y', 'TileRow'],
  ],
}

const wordPattern = /\{([^{}]*)\}/g

/** Whether the address has a place for a key. */
export const takesKey = (url: string): boolean => url.includes('{key}')

/**
 * The words that an address lacks, or that nothing stands for; empty for a right one. The host is never a word: it is
 * checked when the source is saved.
 */
export function findWrongWords(url: string, kind: Exclude<TileKind, 'pmtiles'>): string[] {
  const used = [...url.matchAll(wordPattern)].map(([, word = '']) => word)
  const unknown = used.filter((word) => !Object.hasOwn(words, word))
  const inHost = /^[a-z]+:\/\/[^/?#]*[{}]/i.test(url) ? ['{…}.host'] : []
  const missing = needed[kind].filter((any) => !any.some((word) => used.includes(word)))
  return [...inHost, ...unknown, ...missing.map((any) => any.join('} / {'))]
}

/**
 * Where a tile is.
 * @throws OutgoingError for an address that cannot be called
 */
export function addressOf(url: string, place: TilePlace, key: string): TypedAddress {
  const filled = url.replace(wordPattern, (_all, word: string) => {
    const fill = words[word]
    if (!fill) throw refuseAddress('syntax')
    return String(fill(place, key))
  })
  return parseTypedAddress(filled, { protocols: ['https', 'http'] })
}
