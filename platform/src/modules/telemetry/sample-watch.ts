import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import type { MachineTags, Watch } from './tag-state.ts'

/** A committed live sample of a watched tag. */
export interface WatchedSample {
  readonly watch: Watch
  readonly machineId: number
  readonly sample: TagValueEvent
  /** The newest value was sent again, without a time of its own. */
  readonly isHeard: boolean
}

/** Evaluates samples after their commit. */
export interface SampleWatcher {
  /** The watch of a tag; undefined if its samples are not watched. */
  find(machineId: number, group: string, name: string): Watch | undefined
  /** Takes the samples of a commit: those of a message in the order of their times. Must not throw. */
  take(samples: readonly WatchedSample[]): void
  /** The machine, or one group of it, went away. */
  lose(machineId: number, group: string | undefined): void
}

/** The watched samples of a commit. */
export class WatchedSamples {
  readonly #samples: (WatchedSample & { readonly machine: MachineTags })[] = []
  #isInOrder = true

  get count(): number {
    return this.#samples.length
  }

  add(watch: Watch, machine: MachineTags, sample: TagValueEvent): void {
    const last = this.#samples.at(-1)
    if (last && last.sample.time > sample.time && isSameMessage(last, machine, sample))
      this.#isInOrder = false
    this.#samples.push({ watch, machine, machineId: machine.machineId, sample, isHeard: false })
  }

  hear(watch: Watch, machine: MachineTags, sample: TagValueEvent): void {
    this.#samples.push({ watch, machine, machineId: machine.machineId, sample, isHeard: true })
  }

  ofMachines(isKnown: (machine: MachineTags) => boolean): WatchedSample[] {
    const known = this.#samples.filter(({ machine }) => isKnown(machine))
    if (this.#isInOrder) return known
    const messages: (typeof known)[] = []
    for (const one of known) {
      const message = messages.at(-1)
      const [first] = message ?? []
      if (message && first && isSameMessage(first, one.machine, one.sample)) message.push(one)
      else messages.push([one])
    }
    return messages.flatMap((message) => message.sort((a, b) => a.sample.time - b.sample.time))
  }
}

function isSameMessage(
  one: { readonly machine: MachineTags; readonly sample: TagValueEvent },
  machine: MachineTags,
  sample: TagValueEvent,
): boolean {
  return one.machine === machine && one.sample.receivedAt === sample.receivedAt
}
