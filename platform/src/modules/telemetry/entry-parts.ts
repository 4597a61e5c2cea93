import { isTimeBelieved } from './judge-sample.ts'
import type { TagType } from './tag-type.ts'
import {
  type SampleRecord,
  type TagDefinitionRecord,
  type UplinkRecord,
  uplinkLimits,
} from './uplink-record.ts'

/** A record of an entry beside its tags and their values. */
type Fact = Exclude<UplinkRecord, SampleRecord | TagDefinitionRecord>

/**
 * The progress of an entry that is larger than one commit takes. If its samples are recognised when they are sent
 * again, each part holds its tags and samples, and the last one everything else. Otherwise only tags go in parts, and
 * then everything of the entry goes into one commit, so that no sample is stored twice.
 */
export class EntryParts {
  /** The records before this index are committed. */
  next = 0
  /** Where the part ends that is being committed; it stays when the part is tried again. */
  end: number | undefined
  /** For the last part; undefined if only tags go in parts. */
  readonly facts: readonly Fact[] | undefined
  /** The oldest stamp of a sample that goes in a part. */
  readonly oldestStamp: number
  readonly #length: number
  readonly #types: ReadonlyMap<string, TagType>
  readonly #refused: string[] = []

  private constructor(
    length: number,
    types: ReadonlyMap<string, TagType>,
    facts: readonly Fact[] | undefined,
    oldestStamp: number,
  ) {
    this.#length = length
    this.#types = types
    this.facts = facts
    this.oldestStamp = oldestStamp
  }

  /** For an entry with more tags to write than one commit takes. */
  static ofTags(records: readonly UplinkRecord[]): EntryParts {
    const types = new Map<string, TagType>()
    for (const record of records) {
      if (record.kind !== 'sample' && record.kind !== 'tagDefinition') continue
      if (record.type === undefined || record.isTypeGuess) continue
      const key = keyOf(record)
      if (!types.has(key)) types.set(key, record.type)
    }
    return new EntryParts(records.length, types, undefined, Number.POSITIVE_INFINITY)
  }

  /**
   * For an entry of many records that may be committed in parts with its samples; undefined if it may not. A sample is
   * recognised by its stamp if the stamp is plausible and the tag has no other sample of that stamp in the entry. Late
   * samples are not compared.
   */
  static ofRecords(records: readonly UplinkRecord[], receivedAt: number): EntryParts | undefined {
    if (records.length <= uplinkLimits.samplesPerPart) return undefined
    let oldestStamp = Number.POSITIVE_INFINITY
    for (const record of records) {
      if (record.kind !== 'sample') continue
      if (record.time === undefined || record.late || !isTimeBelieved(record.time, false, receivedAt))
        return undefined
      if (record.time < oldestStamp) oldestStamp = record.time
    }
    const types = new Map<string, TagType | undefined>()
    const sampled = new Set<string>()
    const facts: Fact[] = []
    let before: SampleRecord | TagDefinitionRecord | undefined
    let key = ''
    for (const record of records) {
      if (record.kind !== 'sample' && record.kind !== 'tagDefinition') {
        facts.push(record)
        continue
      }
      if (record.tag !== before?.tag || record.group !== before.group) key = keyOf(record)
      before = record
      const type = types.get(key)
      if (type === undefined) types.set(key, record.type)
      // An entry with two types of one tag would create new versions of it each time it is sent.
      else if (record.type !== type) return undefined
      if (record.kind !== 'sample') continue
      if (sampled.has(key)) return undefined
      sampled.add(key)
    }
    return new EntryParts(records.length, new Map(), facts, oldestStamp)
  }

  /** Whether all parts are committed; where only tags went in parts the rest may follow. */
  get isDone(): boolean {
    return this.next >= this.#length
  }

  /** Names of tags that were not stored, of the parts before and of this one. */
  refusedWith(names: readonly string[] = []): string[] {
    return [...this.#refused, ...names]
  }

  /**
   * In an entry whose tags alone go in parts, a tag has one type, the first: another would create its versions anew in
   * each part.
   */
  hasType(named: { readonly group: string; readonly tag: string }, type: TagType): boolean {
    return (this.#types.get(keyOf(named)) ?? type) === type
  }

  /** The part that ended at `end` is committed. */
  advance(refused: readonly string[] = []): void {
    if (this.facts) this.#refused.push(...refused)
    this.next = this.end ?? this.next
    this.end = undefined
  }
}

function keyOf({ group, tag }: { readonly group: string; readonly tag: string }): string {
  return `${group}\n${tag}`
}
