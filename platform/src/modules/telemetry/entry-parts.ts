import type { TagType } from './tag-type.ts'
import type { UplinkRecord } from './uplink-record.ts'

/**
 * How far the tags of an entry are written that has more of them than one commit takes. The tags go first, part after part;
 * then everything of the entry goes into one commit. So a sender that has to send it again finds the tags that were
 * written, and no sample twice.
 */
export class EntryParts {
  /** Tags of the records before it are written. */
  next = 0
  /** Where the part ends that is being written; it stays when the part is tried again. */
  end: number | undefined
  readonly #length: number
  readonly #types = new Map<string, TagType>()

  constructor(records: readonly UplinkRecord[]) {
    this.#length = records.length
    for (const record of records) {
      if (record.kind !== 'sample' && record.kind !== 'tagDefinition') continue
      if (record.type === undefined || (record.kind === 'sample' && record.isTypeGuess)) continue
      const key = keyOf(record)
      if (!this.#types.has(key)) this.#types.set(key, record.type)
    }
  }

  /** Whether the tags are written and the rest may follow. */
  get areTagsDone(): boolean {
    return this.next >= this.#length
  }

  /** A tag has one type in such an entry, the one said first: another would make its versions anew in each part. */
  hasType(named: { readonly group: string; readonly tag: string }, type: TagType): boolean {
    return (this.#types.get(keyOf(named)) ?? type) === type
  }

  /** The part that ended at `end` is committed. */
  advance(): void {
    this.next = this.end ?? this.next
    this.end = undefined
  }
}

function keyOf({ group, tag }: { readonly group: string; readonly tag: string }): string {
  return `${group}\n${tag}`
}
