import { CatchUp } from '../../src/modules/telemetry/catch-up.ts'
import type { SampleRecord } from '../../src/modules/telemetry/index.ts'
import type { TagType } from '../../src/modules/telemetry/tag-type.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** A live sample's clock may be this far off. */
const skewMsMax = 5 * minuteMs
/** Before it no machine's clock was set: 2000-01-01. */
const earliestAt = 946_684_800_000

export type ModelValue = boolean | number | bigint | string | null
export type ModelQuality = 'good' | 'uncertain' | 'bad' | 'stale'

/** A sample as the store should hold it. */
export interface ModelSample {
  readonly at: number
  readonly value: ModelValue
  readonly quality: ModelQuality
  readonly late: boolean
  readonly receivedAt: number
}

/** A tag's newest value, with the machine's own stamp of it. */
export interface ModelNewest extends ModelSample {
  readonly stamp: number
  /** When it was last sent. */
  heardAt: number
}

export const counts = ({ value, quality }: ModelSample): boolean =>
  value !== null && (quality === 'good' || quality === 'uncertain')

/** One version of a tag. */
export class ModelTag {
  /** The store's id; 0 until it was read. */
  id = 0
  readonly name: string
  readonly type: TagType
  readonly version: number
  /** The first that arrived of each time. */
  readonly samples = new Map<number, ModelSample>()
  /** Times with more than one sample, which a count of samples may include twice. */
  readonly doubled = new Set<number>()
  newest: ModelNewest | undefined
  /** The values that the store may have written as its newest: undefined for no value. */
  flushed: (ModelNewest | undefined)[] = [undefined]
  stampedAt = 0
  #sorted: ModelSample[] | undefined = []

  constructor(name: string, type: TagType, version: number) {
    this.name = name
    this.type = type
    this.version = version
  }

  store(sample: ModelSample): void {
    if (this.samples.has(sample.at)) {
      this.doubled.add(sample.at)
      return
    }
    this.samples.set(sample.at, sample)
    const sorted = this.#sorted
    if (sorted && (sorted.at(-1)?.at ?? 0) < sample.at) sorted.push(sample)
    else this.#sorted = undefined
  }

  /** The samples in the order of their times. */
  sorted(): readonly ModelSample[] {
    this.#sorted ??= [...this.samples.values()].sort((a, b) => a.at - b.at)
    return this.#sorted
  }

  /** The samples from `from` up to `to`, excluded. */
  within(from: number, to: number): readonly ModelSample[] {
    const sorted = this.sorted()
    return sorted.slice(placeOf(sorted, from), placeOf(sorted, to))
  }
}

/** The place of the first sample from a time on. */
function placeOf(sorted: readonly ModelSample[], at: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as ModelSample).at < at) low = middle + 1
    else high = middle
  }
  return low
}

/** The samples of one machine, as the store should keep them. */
export class ModelMachine {
  readonly machineId: number
  /** Current versions by name. */
  readonly tags = new Map<string, ModelTag>()
  /** Earlier versions of the present owner's tags. */
  retired: ModelTag[] = []
  ownedSince = 0
  /** Values received up to here are stale. */
  staleAt: number
  #catchUp = new CatchUp()

  constructor(machineId: number, staleAt: number) {
    this.machineId = machineId
    this.staleAt = staleAt
  }

  /** Takes a record that was acknowledged. */
  take(record: SampleRecord, receivedAt: number): void {
    const { time: stamp, late } = record
    const isFormer = stamp !== undefined && stamp < this.ownedSince
    const sense = stamp === undefined ? 'none' : senseOf(stamp, receivedAt)
    if (late && (isFormer || sense === 'impossible')) return
    const tag = this.#tagOf(record)
    const value = judgeValue(tag.type, record.value)
    const quality = value === null ? 'bad' : qualityOf(record.quality)
    let at = stamp ?? receivedAt
    let isUncertain = false
    let isPast = late
    if (sense === 'behind' && !late && !isFormer && stamp !== undefined) {
      const newest = tag.newest && tag.newest.at <= receivedAt + skewMsMax ? tag.newest : undefined
      const event = newest && {
        ...{ tagId: 0, value: newest.value, quality: 'good' as const },
        ...{ time: newest.at, receivedAt },
      }
      isPast = this.#catchUp.isKept(tag, { stamp, value }, receivedAt, event, newest?.stamp ?? 0)
    }
    if (stamp === undefined || isFormer || (sense !== 'near' && !isPast)) {
      at = stampArrival(tag, late ? undefined : tag.newest, receivedAt)
      isUncertain = stamp !== undefined || at - receivedAt > 1_000
    } else if (isPast) isUncertain = sense === 'ahead'
    else this.#catchUp.noteRight(tag, receivedAt)
    if (sense === 'near' && stamp !== undefined && !isFormer && !isPast && tag.newest) {
      const { newest } = tag
      if (stamp === newest.stamp && value === newest.value && isSameQuality(quality, newest)) {
        if (receivedAt > newest.heardAt && newest.heardAt <= this.staleAt) newest.heardAt = receivedAt
        return
      }
      if (stamp === newest.stamp && newest.at >= stamp) {
        // Another value of the same stamp: the next millisecond of a clock that counts seconds, otherwise its arrival.
        const hasRoom = stamp % 1_000 === 0 && newest.at + 1 < stamp + 1_000
        at = hasRoom ? newest.at + 1 : stampArrival(tag, newest, receivedAt)
        isUncertain = !hasRoom
      } else if (
        stamp !== newest.stamp &&
        !(stamp < newest.stamp && stamp < newest.at) &&
        stamp <= newest.at
      ) {
        at = newest.at + 1
        isUncertain = true
      }
    }
    const kept: ModelQuality = isUncertain && quality === 'good' ? 'uncertain' : quality
    const sample: ModelSample = { at, value, quality: kept, late, receivedAt }
    tag.store(sample)
    if (isPast || (tag.newest && at <= tag.newest.at)) return
    tag.newest = { ...sample, stamp: stamp ?? at, heardAt: receivedAt }
    tag.flushed.push(tag.newest)
  }

  /** The store was stopped and begins anew at `at`, with all that was acknowledged. */
  restart(at: number): void {
    this.staleAt = at - 1
    this.#catchUp = new CatchUp()
    for (const tag of this.tags.values()) {
      tag.flushed = [tag.newest]
      tag.stampedAt = 0
    }
  }

  /** Another owner sees no samples from before. */
  disown(at: number): void {
    this.tags.clear()
    this.retired = []
    this.#catchUp = new CatchUp()
    this.ownedSince = at
  }

  #tagOf({ tag: name, type }: SampleRecord): ModelTag {
    const known = this.tags.get(name)
    if (known && (type === undefined || known.type === type)) return known
    if (type === undefined) throw new Error('a new tag needs a type')
    if (known) this.retired.push(known)
    const tag = new ModelTag(name, type, (known?.version ?? 0) + 1)
    this.tags.set(name, tag)
    return tag
  }
}

function senseOf(stamp: number, receivedAt: number): 'near' | 'behind' | 'ahead' | 'impossible' {
  if (stamp < earliestAt || stamp > receivedAt + dayMs) return 'impossible'
  if (stamp > receivedAt + skewMsMax) return 'ahead'
  return stamp >= receivedAt - skewMsMax ? 'near' : 'behind'
}

/** The time of arrival, after the last one given and after the newest value. */
function stampArrival(tag: ModelTag, newest: ModelNewest | undefined, receivedAt: number): number {
  let at = receivedAt
  if (tag.stampedAt >= at && tag.stampedAt < at + 1_000) at = tag.stampedAt + 1
  if (newest && newest.at >= at) at = newest.at + 1
  tag.stampedAt = at
  return at
}

function isSameQuality(quality: ModelQuality, newest: ModelNewest): boolean {
  if (quality === newest.quality) return true
  return quality === 'good' && newest.quality === 'uncertain' && newest.at !== newest.stamp
}

function qualityOf(number: number): ModelQuality {
  return ({ 0: 'bad', 64: 'uncertain', 192: 'good', 500: 'stale' } as const)[number] ?? 'bad'
}

function judgeValue(type: TagType, value: ModelValue): ModelValue {
  if (type === 'float64') return typeof value === 'number' && Number.isFinite(value) ? value : null
  if (type === 'bool') return typeof value === 'boolean' ? value : null
  if (type === 'string') {
    const fits = typeof value === 'string' && Buffer.byteLength(value) <= 1_024 && !value.includes('\0')
    return fits ? value : null
  }
  const whole = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
  return typeof whole === 'bigint' && BigInt.asIntN(64, whole) === whole ? whole : null
}
