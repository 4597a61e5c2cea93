/** Numbers drawn from a seed: the same seed draws the same history. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  pick<const T>(from: readonly [T, ...T[]]): T
  /** One of them, or nothing of none. */
  pickAny<T>(from: readonly T[]): T | undefined
  chance(probability: number): boolean
}

/** Mulberry32: 32 bits of state are plenty for a few thousand operations. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    pickAny: (from) => from[below(from.length)],
    chance: (probability) => next() < probability,
  }
}
