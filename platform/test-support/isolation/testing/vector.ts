import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** One end of an attack: the observations there, and all that are allowed. */
export interface End {
  readonly saw: unknown
  readonly wanted: unknown
}

/** The result of an attack, at both ends. */
export interface Outcome {
  /** The attacking end: the answer to the browser or program. */
  readonly client: End
  /** The target's end: the requests that reached a machine, or the platform's other state. */
  readonly beyond: End
}

/** One attack. `name` describes it; `attack` runs it and answers the result. */
export interface Vector<Rig> {
  readonly name: string
  attack(rig: Rig): Promise<Outcome>
}

/** A platform with one defence taken away, and the attacks that get through then. */
export interface Weakening<Rig> {
  /** The defence. */
  readonly name: string
  start(): Promise<Rig>
  /** Names of vectors. */
  readonly falls: readonly string[]
}

export interface AttackedRig {
  /** Before each attack: drops the state of the last one. */
  reset(): void
  stop(): Promise<void>
}

export const isHeld = ({ client, beyond }: Outcome): boolean =>
  isDeepStrictEqual(client.saw, client.wanted) && isDeepStrictEqual(beyond.saw, beyond.wanted)

/**
 * Tries every vector against the platform as it is, and those that a defence keeps out once more without it: a vector
 * that holds there, too, would not have noticed.
 */
export function describeIsolation<Rig extends AttackedRig>(
  title: string,
  start: () => Promise<Rig>,
  vectors: readonly Vector<Rig>[],
  weakenings: readonly Weakening<Rig>[],
): void {
  const byName = new Map(vectors.map((vector) => [vector.name, vector]))
  if (byName.size !== vectors.length) throw new Error('two vectors have one name')

  describe(title, () => {
    let rig: Rig
    beforeAll(async () => {
      rig = await start()
    })
    afterAll(() => rig?.stop())
    test.each(vectors)('$name', async ({ attack }) => {
      rig.reset()
      const { client, beyond } = await attack(rig)
      expect({ client: client.saw, beyond: beyond.saw }).toEqual({
        client: client.wanted,
        beyond: beyond.wanted,
      })
    })
  })

  test.each(weakenings)(`${title}: without $name these get through`, async ({ start: startWeak, falls }) => {
    const rig = await startWeak()
    try {
      const held: string[] = []
      for (const name of falls) {
        const vector = byName.get(name)
        if (!vector) throw new Error(`there is no vector “${name}”`)
        rig.reset()
        if (isHeld(await vector.attack(rig))) held.push(name)
      }
      expect(held, 'held all the same').toEqual([])
    } finally {
      await rig.stop()
    }
  })
}
