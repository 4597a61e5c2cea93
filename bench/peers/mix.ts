/** The values that stores are compared on: signals of a plant, the same each time. */

/** The kinds of a mix, with the step of their samples in milliseconds. */
const kinds = {
  /** A controlled temperature or pressure with one decimal. */
  fast: { tags: 8, stepMs: 1_000, type: 'float64' },
  /** A level, once a minute. */
  slow: { tags: 20, stepMs: 60_000, type: 'float64' },
  /** A vibration with three decimals, the last two of which are noise. */
  noisy: { tags: 2, stepMs: 1_000, type: 'float64' },
  counter: { tags: 4, stepMs: 1_000, type: 'int64' },
  switch: { tags: 6, stepMs: 1_000, type: 'bool' },
  text: { tags: 3, stepMs: 10_000, type: 'string' },
} as const

export type SignalKind = keyof typeof kinds

export interface Signal {
  readonly tagId: number
  readonly kind: SignalKind
  readonly type: (typeof kinds)[SignalKind]['type']
  readonly stepMs: number
}

/** A value of a type; integers are bigint. */
export type SignalValue = number | bigint | boolean | string

const words = [
  'running',
  'waiting for material',
  'setting up',
  'stopped by the operator',
  'fault 17: no pressure',
]

/** All signals of the mix, or of some kinds; their tags are numbered from 1. */
export function listSignals(wanted: readonly SignalKind[] = Object.keys(kinds) as SignalKind[]): Signal[] {
  let tagId = 0
  return wanted.flatMap((kind) => {
    const { tags, stepMs, type } = kinds[kind]
    return Array.from({ length: tags }, () => ({ tagId: ++tagId, kind, type, stepMs }))
  })
}

/** Numbers from 0 to 1 that depend only on a place, so that every store gets the same. */
function noiseAt(seed: number, place: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(place, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296
}

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits

/** The value of a signal at its sample number `place`. */
export function signalValue({ tagId, kind }: Signal, place: number): SignalValue {
  const noise = noiseAt(tagId, place)
  switch (kind) {
    case 'fast':
      return rounded(60 + 15 * Math.sin(place / 900 + tagId) + 0.4 * (noise - 0.5), 1)
    case 'slow':
      return rounded(40 + 30 * Math.sin(place / 400 + tagId) + 0.2 * noise, 1)
    case 'noisy':
      return rounded(2 * (noise + noiseAt(tagId, place + 1_000_003) - 1), 3)
    case 'counter':
      // Two or three pieces are made in each second.
      return BigInt(Math.floor(place * 2.4 + noise))
    case 'switch':
      return noiseAt(tagId, Math.floor(place / 240)) > 0.4
    default:
      return words[Math.floor(noiseAt(tagId, Math.floor(place / 30)) * words.length)] ?? ''
  }
}
