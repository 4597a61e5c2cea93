/** An hour of a 24-hour strip, by the wire's number (contract: stripStates). */
export const stripWords = ['unknown', 'fine', 'gap', 'fault'] as const
export type StripWord = (typeof stripWords)[number]

/** The word of an hour; unknown for a number that this version does not know. */
export function stripWord(state: number): StripWord {
  return stripWords[state] ?? 'unknown'
}

/** Counts the hours of a strip in each state. */
export function countStrip(hours: readonly number[]): Record<StripWord, number> {
  const counts: Record<StripWord, number> = { unknown: 0, fine: 0, gap: 0, fault: 0 }
  for (const hour of hours) counts[stripWord(hour)]++
  return counts
}

/** The share of recorded hours without a fault, 0 to 1; null if none is recorded. */
export function fineShare(strips: Iterable<readonly number[]>): number | null {
  let known = 0
  let fine = 0
  for (const strip of strips) {
    for (const hour of strip) {
      const word = stripWord(hour)
      if (word !== 'unknown') known++
      if (word === 'fine') fine++
    }
  }
  return known === 0 ? null : fine / known
}
