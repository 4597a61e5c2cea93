import { agentConfigLimits } from '@busbar/link'
import type { Clock } from './clock.ts'
import { configLimits } from './config/config.ts'
import type { DriverConnection, DriverKind, ToolPlace } from './drivers/driver-kind.ts'
import type { MachineModel, ModelConnection } from './machine-model.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { PageConnection } from './page/page-views.ts'
import { stateView } from './page/page-views.ts'
import type { Tag } from './tag.ts'
import type { EdgeNode } from './uplink/edge-node.ts'
import type { Uplink } from './uplink/uplink.ts'
import { within } from './within.ts'

/** The first birth waits this long for the controllers' first answers, so that it does not send bad values. */
export const firstPollMs = 2_000
/** Numbers of tags are not used again while the agent runs: samples that wait name their tag by them. */
const numbersMax = 10 * configLimits.tagsMax

/** A connection that is to be read. */
export interface WantedConnection {
  readonly connection: DriverConnection
  readonly kind: DriverKind
  /** Two connections with the same text are the same: a driver changes what it learns of its tags. */
  readonly text: string
  /** Its host lies in the networks that the agent's file names, or the connection is not opened. */
  readonly isGuarded: boolean
}

export interface ReadingParts {
  readonly wanted: readonly WantedConnection[]
  readonly machine: MachineModel
  readonly node: EdgeNode
  readonly outbox: Outbox
  readonly line: Uplink
  readonly clock: Clock
  open(wanted: WantedConnection): ModelConnection
}

/** The connections that the agent reads, and how they are replaced while it runs. */
export class Reading {
  readonly #parts: ReadingParts
  #wanted: readonly WantedConnection[]

  constructor(parts: ReadingParts) {
    this.#parts = parts
    this.#wanted = parts.wanted
  }

  /** The connections with their place among the machine's tags. */
  get places(): PageConnection[] {
    return this.#parts.machine.places.map((place, index) => ({
      firstTag: place.firstTag,
      tagCount: place.tagCount,
      name: this.#wanted[index]?.connection.name ?? '',
    }))
  }

  connections() {
    const { places } = this
    const { connections: states } = stateView(this.#parts.machine, places)
    const troubles = this.#parts.machine.troubles()
    return places.map(({ name, tagCount }, index) => ({
      name,
      driver: this.#wanted[index]?.connection.driver ?? '',
      tags: tagCount,
      state: states[index] ?? 'unknown',
      troubleCount: troubles[index]?.length ?? 0,
      troubles: (troubles[index] ?? []).slice(0, agentConfigLimits.troublesMax),
    }))
  }

  find(name: string): WantedConnection | undefined {
    return this.#wanted.find(({ connection }) => connection.name === name)
  }

  /** The tag at a place of a controller that is read from the same address. */
  tagAt(place: ToolPlace): Tag | null {
    for (const { connection, kind } of this.#wanted) {
      const tag = kind.tagAt?.(connection, place) ?? null
      if (tag !== null) return tag
    }
    return null
  }

  roomForTags(): number {
    return numbersMax - this.#parts.machine.tags.length
  }

  /**
   * Reads these from now on; connections that are already read continue. `told`: the cloud has acknowledged
   * the tags.
   */
  async change(next: readonly WantedConnection[]): Promise<{ readonly told: Promise<void> }> {
    const { machine, node, outbox, line, clock, open } = this.#parts
    const before = this.#wanted
    const used = new Set<number>()
    const places = next.map((wanted) => {
      const place = before.findIndex(({ text }, index) => text === wanted.text && !used.has(index))
      if (place >= 0) used.add(place)
      return place >= 0 ? place : () => open(wanted)
    })
    this.#wanted = before.filter((_, index) => used.has(index))
    await machine.change(
      places,
      (done) => within(firstPollMs, done, clock),
      () => {
        this.#wanted = next
      },
    )
    const isRemoved = (tag: number): boolean => machine.isRemoved(tag)
    const tags = [...machine.tags]
    const apply = (): void => {
      outbox.retag(tags, isRemoved)
      node.retag(tags, isRemoved)
    }
    return { told: line.retag(apply, machine.announced()) }
  }
}
