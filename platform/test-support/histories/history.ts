import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { expect, test } from 'vitest'
import { createRandom, type Random } from './random.ts'

/** Something that may happen, drawn as often as its weight says; no step where it cannot happen now. */
export interface Act<World, Step> {
  readonly weight: number
  draw(world: World, random: Random): Step | undefined
}

/** Steps at the same moment, and what a history may say about them. */
export interface Round<Step> {
  readonly steps: readonly Step[]
  readonly random: Random
  /** How much of the history was before it: 0 to 1. */
  readonly share: number
  /** Counts what came of a step. */
  note(outcome: string): void
}

/**
 * A world in which acts happen in any order that a seed draws, with a model of it. `play` does a round and answers in
 * words how the world differs from the model.
 */
export interface History<World, Step> {
  readonly acts: Readonly<Record<string, Act<World, Step>>>
  /** The most steps of a round. */
  readonly atOnceMax: number
  open(random: Random): Promise<World>
  /** Before each round: time passes. */
  pass?(world: World, random: Random, share: number): Promise<void>
  /** Whether a step may be at the same moment as others, where their order would change the result. */
  fits?(step: Step, others: readonly Step[]): boolean
  play(world: World, round: Round<Step>): Promise<readonly string[]>
  /** After the last round, without a fault before. */
  end?(world: World): Promise<readonly string[]>
  close?(world: World): Promise<void>
}

export interface Played {
  readonly steps: number
  readonly rounds: number
  /** How often each came. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly faults: readonly string[]
}

/** Draws before a round remains as short as it is: nothing else may be possible now. */
const triesMax = 100
const shrinkMsMax = 60_000

/** Plays one history; the same seed draws the same one, as far as answers come the same. `without`: acts left out. */
export async function playHistory<World, Step>(
  history: History<World, Step>,
  { seed, steps, without = [] }: { seed: number; steps: number; without?: readonly string[] },
): Promise<Played> {
  const random = createRandom(seed)
  const acts = Object.entries(history.acts).filter(([name]) => !without.includes(name))
  const deck = acts.flatMap(([, act]) => Array<Act<World, Step>>(act.weight).fill(act))
  const world = await history.open(random)
  const outcomes = new Map<string, number>()
  const note = (outcome: string) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  const faults: string[] = []
  let done = 0
  let rounds = 0
  try {
    while (done < steps && faults.length === 0) {
      const share = done / steps
      await history.pass?.(world, random, share)
      const count = Math.min(1 + random.below(history.atOnceMax), steps - done)
      const round: Step[] = []
      for (let tries = 0; round.length < count && tries < triesMax; tries++) {
        const step = random.pickAny(deck)?.draw(world, random)
        if (step && (history.fits?.(step, round) ?? true)) round.push(step)
      }
      rounds++
      faults.push(...(await history.play(world, { steps: round, random, share, note })))
      done += Math.max(round.length, 1)
    }
    if (faults.length === 0 && history.end) faults.push(...(await history.end(world)))
  } finally {
    await history.close?.(world)
  }
  return { steps: done, rounds, outcomes, faults }
}

/**
 * A shorter history with a fault: of fewer kinds of acts, each left out in turn as long as it still goes wrong. Answers
 * the acts that remain.
 */
export async function shrink<World, Step>(
  history: History<World, Step>,
  failed: { readonly seed: number; readonly played: Played },
): Promise<{ readonly acts: readonly string[]; readonly played: Played }> {
  const endsAt = performance.now() + shrinkMsMax
  const names = Object.keys(history.acts)
  let without: string[] = []
  let { played } = failed
  for (const name of names) {
    if (performance.now() > endsAt || without.length === names.length - 1) break
    const again = { seed: failed.seed, steps: played.steps, without: [...without, name] }
    const shorter = await playHistory(history, again)
    if (shorter.faults.length === 0) continue
    ;({ without } = again)
    played = shorter
  }
  return { acts: names.filter((name) => !without.includes(name)), played }
}

/** A test for each seed of the run (testkit: seeds). A history that goes wrong is told at its shortest. */
export function testHistories<World, Step>(
  title: string,
  history: History<World, Step>,
  { steps, msMax }: { readonly steps: number; readonly msMax: number },
): void {
  test.each(pickSeeds())(`${title}: seed %i`, { timeout: msMax }, async (seed) => {
    const played = await playHistory(history, { seed, steps })
    console.info(`${title}: seed ${seed}: ${played.rounds} rounds, ${played.outcomes.size} outcomes`)
    if (played.faults.length === 0) return
    const short = await shrink(history, { seed, played })
    expect.fail(
      [
        `seed ${seed} goes wrong after ${played.steps} steps (again: BUSBAR_TEST_SEED=${seed}):`,
        ...played.faults,
        `with only ${short.acts.join(', ')} after ${short.played.steps} steps:`,
        ...short.played.faults,
      ].join('\n'),
    )
  })
}
