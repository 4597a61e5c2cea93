import { type Rig, startRig, type Weakness } from './rig.ts'
import type { Flavour } from './schedule.ts'

/** Rigs that serve several runs, one at a time each: starting one costs more than most runs. */
export class RigPool {
  readonly #max: Readonly<Record<Flavour, number>>
  readonly #free: Rig[] = []
  readonly #used: Record<Flavour, number> = { embedded: 0, external: 0 }
  #waiting: { readonly flavour: Flavour; readonly resolve: () => void }[] = []

  /** `max`: the most of each kind. */
  constructor(max: Readonly<Record<Flavour, number>>) {
    this.#max = max
  }

  /**
   * Lends a rig to `work`; a weakened one is made for it. A rig with a failure, as `work` returns or throws
   * it, is not lent again.
   */
  async use<T extends { readonly violations: readonly string[] }>(
    flavour: Flavour,
    work: (rig: Rig) => Promise<T>,
    weakness?: Weakness,
  ): Promise<T> {
    // A place is handed to the first who waits, so that a later one cannot take it.
    if (this.#used[flavour] < this.#max[flavour]) this.#used[flavour]++
    else await new Promise<void>((resolve) => this.#waiting.push({ flavour, resolve }))
    let rig: Rig | undefined
    try {
      const place = weakness ? -1 : this.#free.findIndex((free) => free.flavour === flavour)
      rig = place < 0 ? await startRig(flavour, weakness) : this.#free.splice(place, 1)[0]
      if (!rig) throw new Error('no rig')
      const result = await work(rig)
      if (!weakness && result.violations.length === 0) {
        this.#free.push(rig)
        rig = undefined
      }
      return result
    } finally {
      await rig?.close()
      const next = this.#waiting.findIndex((waiting) => waiting.flavour === flavour)
      if (next < 0) this.#used[flavour]--
      else this.#waiting.splice(next, 1)[0]?.resolve()
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#free.splice(0).map((rig) => rig.close()))
  }
}
