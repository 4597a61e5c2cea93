/** A source of numbers in [0, 1). */
export type Random = () => number

/** FNV-1a, 32 bits: equal texts give equal seeds on every machine. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}

/** Mulberry32: small, fast, and good enough for process noise. Equal seeds give equal sequences. */
export function createRandom(seed: number): Random {
  return createSteppedRandom(seed).next
}

/** A source whose numbers at a step depend only on the seed and the step. */
export interface SteppedRandom {
  next: Random
  moveTo(step: number): void
}

export function createSteppedRandom(seed: number): SteppedRandom {
  let state = seed >>> 0
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000
    },
    moveTo(step) {
      state = (Math.imul(step, 0x9e3779b1) ^ seed) >>> 0
    },
  }
}

const rootOfSix = Math.sqrt(6)

/** Roughly normal with mean 0 and standard deviation 1, never beyond ±2.5. */
export function gaussian(random: Random): number {
  // Two uniform numbers: variance 2/12, range ±1 before scaling. A week of a plant draws millions.
  return (random() + random() - 1) * rootOfSix
}
