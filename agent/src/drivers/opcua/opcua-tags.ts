import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TagType } from '../../tag.ts'
import { isScaled, tagTypes } from '../../tag.ts'
import { formatNodeAddress } from './node-address.ts'
import type { NodeFacts } from './node-facts.ts'
import type { OpcUaTag } from './opcua-connection.ts'

interface Learned extends NodeFacts {
  type?: TagType
}

/**
 * The facts that a server's nodes report about their tags: types, units, ranges and texts. They are kept
 * beside the agent, so that the birth after a restart is right even while the server is away. The
 * configuration takes precedence.
 */
export class OpcUaTags {
  readonly #tags: readonly OpcUaTag[]
  readonly #given: readonly { unit: boolean; range: boolean }[]
  readonly #learned: Learned[]
  /** Values were told in the type that is known: those that wait for the cloud would not fit another one. */
  readonly #isFixed: boolean[] = []
  readonly #path: string
  readonly #folder: string

  constructor(connection: { name: string; tags: readonly OpcUaTag[] }, folder: string) {
    this.#tags = connection.tags
    this.#given = connection.tags.map(({ unit, min, max }) => ({
      unit: unit !== undefined,
      range: min !== undefined || max !== undefined,
    }))
    this.#folder = folder
    const name = createHash('sha256').update(connection.name).digest('hex').slice(0, 16)
    this.#path = join(folder, `nodes-${name}.json`)
    const kept = this.#read()
    this.#learned = connection.tags.map(({ nodeId }) => kept[formatNodeAddress(nodeId)] ?? {})
    this.#learned.forEach((_, index) => void this.#apply(index))
  }

  /** The type in which values are published; null until the node has sent a value. */
  typeOf(index: number): TagType | null {
    const tag = this.#tags[index]
    if (tag === undefined) return null
    return tag.isTypeGiven || this.#isFixed[index] ? tag.type : null
  }

  /** Returns true if the tag has changed. */
  learnType(index: number, type: TagType): boolean {
    const learned = this.#learned[index]
    if (learned === undefined || this.#tags[index]?.isTypeGiven || this.#isFixed[index]) return false
    this.#isFixed[index] = true
    if (learned.type === type) return false
    learned.type = type
    return this.#apply(index)
  }

  /** Returns true if the tag has changed. */
  learnFacts(index: number, facts: NodeFacts): boolean {
    const { type } = this.#learned[index] ?? {}
    this.#learned[index] = { ...facts, ...(type === undefined ? {} : { type }) }
    return this.#apply(index)
  }

  /** Throws if the folder is not writable. */
  keep(): void {
    const entries = this.#tags.map(({ nodeId }, index) => [formatNodeAddress(nodeId), this.#learned[index]])
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writeFileSync(`${this.#path}.new`, JSON.stringify(Object.fromEntries(entries)))
    renameSync(`${this.#path}.new`, this.#path)
  }

  #read(): Record<string, Learned> {
    try {
      const kept: unknown = JSON.parse(readFileSync(this.#path, 'utf8'))
      if (typeof kept !== 'object' || kept === null) return {}
      return Object.fromEntries(
        Object.entries(kept as Record<string, Learned>).filter(
          ([, { type }]) => type === undefined || tagTypes.includes(type),
        ),
      )
    } catch {
      // Not there yet, or half written by an older agent: the nodes tell it again.
      return {}
    }
  }

  #apply(index: number): boolean {
    const tag = this.#tags[index]
    const learned = this.#learned[index]
    if (tag === undefined || learned === undefined) return false
    const before = JSON.stringify([tag.type, tag.unit, tag.min, tag.max, tag.words])
    if (!tag.isTypeGiven && learned.type !== undefined) tag.type = learned.type
    if (!this.#given[index]?.unit && learned.unit !== undefined) tag.unit = learned.unit
    if (!this.#given[index]?.range && learned.min !== undefined && learned.max !== undefined) {
      const ends = [learned.min, learned.max].map((end) => end * tag.factor + tag.offset)
      tag.min = Math.min(...ends)
      tag.max = Math.max(...ends)
    }
    if (learned.words !== undefined && !isScaled(tag)) tag.words = learned.words
    return JSON.stringify([tag.type, tag.unit, tag.min, tag.max, tag.words]) !== before
  }
}
