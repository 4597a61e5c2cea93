import type { FaultSpec } from './profiles/profile.ts'
import { createRandom, seedOf } from './random.ts'

/** A repair takes this long, whatever the fault. */
const mendsMs = 8 * 60_000
/** Slow at first, as dirt and wear are. */
const growthExponent = 1.6

interface Episode {
  beginsAt: number
  fullAt: number
  mendedFromAt: number
  endsAt: number
}

/** An episode that is to be at its worst at a given instant, whatever chance would have: a demo tells a story. */
export interface ToldFault {
  id: string
  fullAt: number
}

/**
 * The severity of a fault at an instant, 0 to 1. In each stretch of `everyMs` it comes once, at a time and
 * for a length that the machine's code decides: the same machine has the same bad hours in every run. The
 * answered function is quick for instants that follow one another.
 */
export function createFaultSchedule(
  machineCode: string,
  fault: FaultSpec,
  told: readonly ToldFault[] = [],
): (at: number) => number {
  const ofTold = told.filter(({ id }) => id === fault.id).map(({ fullAt }) => episodeAround(fault, fullAt, 1))
  let stretch = Number.NaN
  let episodes: Episode[] = []
  return (at) => {
    const current = Math.floor(at / fault.everyMs)
    if (current !== stretch) {
      stretch = current
      const own = episodeOf(machineCode, fault, stretch)
      const isFree = ofTold.every(({ beginsAt, endsAt }) => own.endsAt <= beginsAt || own.beginsAt >= endsAt)
      episodes = isFree ? [...ofTold, own] : ofTold
    }
    for (const episode of episodes) {
      if (at > episode.beginsAt && at < episode.endsAt) return severityIn(episode, at)
    }
    return 0
  }
}

/** The episode lies within its stretch. */
function episodeOf(machineCode: string, fault: FaultSpec, stretch: number): Episode {
  const random = createRandom(seedOf(`${machineCode}:${fault.id}:${stretch}`))
  const pace = 0.8 + 0.4 * random()
  const beforeMs = fault.developsMs * pace
  const afterMs = fault.standsMs * pace + mendsMs
  const freeMs = Math.max(0, fault.everyMs - beforeMs - afterMs)
  return episodeAround(fault, stretch * fault.everyMs + beforeMs + random() * freeMs, pace)
}

function episodeAround(fault: FaultSpec, fullAt: number, pace: number): Episode {
  const mendedFromAt = fullAt + fault.standsMs * pace
  return { beginsAt: fullAt - fault.developsMs * pace, fullAt, mendedFromAt, endsAt: mendedFromAt + mendsMs }
}

function severityIn({ beginsAt, fullAt, mendedFromAt, endsAt }: Episode, at: number): number {
  if (at >= mendedFromAt) return (endsAt - at) / (endsAt - mendedFromAt)
  if (at >= fullAt) return 1
  return ((at - beginsAt) / (fullAt - beginsAt)) ** growthExponent
}
