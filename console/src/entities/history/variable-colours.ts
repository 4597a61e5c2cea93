import type { telemetry } from '@busbar/contract'
import { useMemo } from 'react'

/** `--chart-1` to `--chart-6`. */
export const chartColours = 6

/**
 * The colours of variables: a variable keeps its colour wherever it is drawn. Two variables in one view have
 * different ones as long as there are enough.
 */
export class VariableColours {
  readonly #kept = new Map<number, number>()

  /** The colour of each of the variables of a machine that are shown together; those named first keep theirs. */
  assign(shown: readonly number[], ofMachine: readonly number[]): ReadonlyMap<number, number> {
    const mostEach = Math.ceil(shown.length / chartColours)
    const assigned = new Map<number, number>()
    const countOf = (colour: number) => [...assigned.values()].filter((used) => used === colour).length
    for (const tagId of shown) {
      const kept = this.#kept.get(tagId)
      if (kept !== undefined && countOf(kept) < mostEach) assigned.set(tagId, kept)
    }
    for (const tagId of shown) {
      if (assigned.has(tagId)) continue
      const colour = this.#leastUsed(countOf, ofMachine)
      assigned.set(tagId, colour)
      this.#kept.set(tagId, colour)
    }
    return assigned
  }

  /** Of the colours that are used least here, the one that the fewest other variables of the machine keep. */
  #leastUsed(countOf: (colour: number) => number, ofMachine: readonly number[]): number {
    const kept = ofMachine.map((tagId) => this.#kept.get(tagId))
    const keptBy = (colour: number) => kept.filter((each) => each === colour).length
    let best = 1
    for (let colour = 2; colour <= chartColours; colour++) {
      const less = countOf(colour) - countOf(best) || keptBy(colour) - keptBy(best)
      if (less < 0) best = colour
    }
    return best
  }
}

/** Of this tab. */
const colours = new VariableColours()

/** The colours of a machine's variables that are shown together: the same in the live trend, the list and the history. */
export function useVariableColours(
  tags: readonly Pick<telemetry.Tag, 'tagId'>[],
  shown: readonly number[],
): ReadonlyMap<number, number> {
  return useMemo(
    () =>
      colours.assign(
        shown,
        tags.map(({ tagId }) => tagId),
      ),
    [tags, shown],
  )
}
