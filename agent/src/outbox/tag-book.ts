import { formatMetricName } from '@busbar/link'
import type { Sample, Tag } from '../tag.ts'
import { publishedDatatype } from '../tag.ts'
import type { StoredTag } from './sample-codec.ts'

/** A sample to send. */
export interface OutboxSample extends Sample {
  /** The tag as it was, if the configuration no longer has it; `tag` is not valid then. */
  gone?: StoredTag
}

/** The configuration's tags in the form of files, found by their contents. */
export class TagBook {
  #tags: readonly Tag[] = []
  readonly #stored: StoredTag[] = []
  #numbers = new Map<string, number>()

  constructor(tags: readonly Tag[]) {
    this.update(tags, () => false)
  }

  /** Tags were added at the end, and others removed. */
  update(tags: readonly Tag[], isRemoved: (tag: number) => boolean): void {
    this.#tags = tags
    for (const tag of tags.slice(this.#stored.length)) this.#stored.push(storedTag(tag))
    this.#numbers = new Map(
      this.#stored.flatMap(({ name }, index) => (isRemoved(index) ? [] : [[name, index] as const])),
    )
  }

  /** Another object if the driver has learned another type of the tag. */
  stored(number: number): StoredTag {
    const tag = this.#tags[number]
    const stored = this.#stored[number]
    if (tag === undefined || stored === undefined) throw new RangeError(`no tag ${number}`)
    if (stored.datatype === publishedDatatype(tag)) return stored
    const now = storedTag(tag)
    this.#stored[number] = now
    return now
  }

  /**
   * Samples from a file, later by `shiftMs`, under the numbers their tags have now. A tag that was removed or
   * replaced is sent with its old description. Null for a sample whose tag the file does not describe.
   */
  restore(
    samples: readonly Sample[],
    tags: ReadonlyMap<number, StoredTag>,
    shiftMs: number,
  ): (OutboxSample | null)[] {
    return samples.map((sample) => {
      const stored = tags.get(sample.tag)
      if (stored === undefined) return null
      const at = sample.isOwnTime ? sample.at : sample.at + shiftMs
      const number = this.#numbers.get(stored.name)
      const known = number === undefined ? undefined : this.stored(number)
      const isSame = known?.datatype === stored.datatype && known.alarm?.id === stored.alarm?.id
      return number !== undefined && isSame ? { ...sample, at, tag: number } : { ...sample, at, gone: stored }
    })
  }
}

/** A tag in the form of files and messages, for one that no birth announces. */
export function storedTag(tag: Tag): StoredTag {
  return {
    name: formatMetricName(tag),
    datatype: publishedDatatype(tag),
    ...(tag.alarm ? { alarm: tag.alarm } : {}),
  }
}
