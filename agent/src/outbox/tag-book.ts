import { formatMetricName } from '@busbar/link'
import type { Sample, Tag } from '../tag.ts'
import { publishedDatatype } from '../tag.ts'
import type { StoredTag } from './sample-codec.ts'

/** A sample to send. */
export interface OutboxSample extends Sample {
  /** The tag as it was, where the configuration has it no more; `tag` is no number of it then. */
  gone?: StoredTag
}

/** The configuration's tags, as files know them and found by what files say. */
export class TagBook {
  readonly #tags: StoredTag[]
  readonly #numbers: Map<string, number>

  constructor(tags: readonly Tag[]) {
    this.#tags = tags.map((tag) => ({
      name: formatMetricName(tag),
      datatype: publishedDatatype(tag),
      ...(tag.alarm ? { alarm: tag.alarm } : {}),
    }))
    this.#numbers = new Map(this.#tags.map(({ name }, index) => [name, index]))
  }

  stored(tag: number): StoredTag {
    const stored = this.#tags[tag]
    if (stored === undefined) throw new RangeError(`no tag ${tag}`)
    return stored
  }

  /**
   * Samples from a file, later by `shiftMs`, under the numbers their tags have now. A tag that is gone, or is
   * another by now, is sent as it was. Null in place of a sample whose tag the file does not tell.
   */
  restore(
    samples: readonly Sample[],
    tags: ReadonlyMap<number, StoredTag>,
    shiftMs: number,
  ): (OutboxSample | null)[] {
    return samples.map((sample) => {
      const stored = tags.get(sample.tag)
      if (stored === undefined) return null
      const at = sample.at + shiftMs
      const number = this.#numbers.get(stored.name)
      const known = number === undefined ? undefined : this.#tags[number]
      const isSame = known?.datatype === stored.datatype && known.alarm?.id === stored.alarm?.id
      return number !== undefined && isSame ? { ...sample, at, tag: number } : { ...sample, at, gone: stored }
    })
  }
}
