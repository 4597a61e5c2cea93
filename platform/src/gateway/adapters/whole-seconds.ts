import { limits } from '@busbar/contract'
import {
  type SampleRecord,
  type UplinkRecord,
  type UplinkValue,
  uplinkLimits,
} from '../../modules/telemetry/index.ts'

const secondMs = 1_000

/**
 * An HMI whose clock shows whole seconds stamps all that changes within one alike, and of one stamp the first value
 * would win (decision 45). So a tag's next value follows a millisecond after the one before, still within the second
 * the HMI meant; the same value again stays a repeat.
 */
export class WholeSeconds {
  #second: number | undefined
  /** The newest of each tag within that second. */
  readonly #newest = new Map<string, { readonly value: UplinkValue; readonly time: number }>()

  /** Records as they came, in their order, with what the second hides told apart. */
  spread(records: readonly UplinkRecord[]): readonly UplinkRecord[] {
    return records.map((record) => (record.kind === 'sample' ? this.#place(record) : record))
  }

  #place(sample: SampleRecord): SampleRecord {
    const { group, tag, time, value } = sample
    if (time === undefined || time % secondMs !== 0 || !isStorable(sample)) return sample
    if (time !== this.#second) {
      this.#second = time
      this.#newest.clear()
    }
    const key = `${group}\n${tag}`
    const before = this.#newest.get(key)
    if (before?.value === value) return { ...sample, time: before.time }
    const at = before ? Math.min(before.time + 1, time + secondMs - 1) : time
    if (before || this.#newest.size < limits.tagsPerMachine) this.#newest.set(key, { value, time: at })
    return { ...sample, time: at }
  }
}

/** What is refused anyway is not remembered: a clock that stands still never forgets. */
function isStorable({ group, tag, value }: SampleRecord): boolean {
  if (typeof value === 'string' && value.length > limits.tagTextBytesMax) return false
  return tag.length <= uplinkLimits.tagNameBytesMax && group.length <= uplinkLimits.groupNameBytesMax
}
