/** An hour of a 24-hour strip, by the wire's number (contract: stripStates). */
export const stripWords = ['unknown', 'fine', 'gap', 'fault'] as const
export type StripWord = (typeof stripWords)[number]

/** The word of an hour; a number this version does not know is unknown. */
export function stripWord(state: number): StripWord {
  return stripWords[state] ?? 'unknown'
}

/** How many of a strip's hours are in each state. */
export function countStrip(hours: readonly number[]): Record<StripWord, number> {
  const counts: Record<StripWord, number> = { unknown: 0, fine: 0, gap: 0, fault: 0 }
  for (const hour of hours) counts[stripWord(hour)]++
  return counts
}

/** What an hour counts towards availability; an unknown hour counts neither way. */
const availableShare: Record<StripWord, number | null> = { unknown: null, fine: 1, gap: 0.5, fault: 0 }

/** The share of known hours in which machines were available, 0 to 1; null where no hour is known. */
export function availability(strips: Iterable<readonly number[]>): number | null {
  let known = 0
  let available = 0
  for (const strip of strips) {
    for (const hour of strip) {
      const share = availableShare[stripWord(hour)]
      if (share === null) continue
      known++
      available += share
    }
  }
  return known === 0 ? null : available / known
}
