import type { TagSettings } from '@busbar/contract'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import type { CatchUp } from './catch-up.ts'
import { clockSkewMsMax } from './judge-sample.ts'
import { PastTimes } from './past-times.ts'
import type { SparkRing } from './spark-ring.ts'
import { type MachineSettings, noSettings, settingsKey } from './tag-settings-store.ts'
import type { Quality, TagType } from './tag-type.ts'
import type { TagDefinitionRecord, UplinkValue } from './uplink-record.ts'

/** A watcher's own mark on the tags that it watches. */
export type Watch = object

/** The machine's description of a tag; `readOnly` is null if the machine does not report it. */
export type TagMeta = Omit<TagDefinitionRecord, 'kind' | 'group' | 'tag' | 'type' | 'readOnly'> & {
  readonly readOnly: boolean | null
}

/** The definition of a tag of which only readings are known. */
export const unknownMeta: TagMeta = {
  label: {},
  unit: '',
  scale: null,
  min: null,
  max: null,
  readOnly: null,
  isKey: false,
}

/**
 * The only place that calls a value stale: it was received before its machine or its device went away
 * (rules/telemetry.md: quality).
 */
export const trustedQuality = (quality: Quality, isGone: boolean): Quality => (isGone ? 'stale' : quality)

/** The values of another type that came to a tag last, with none of its own type between them. */
export interface OtherValues {
  readonly type: TagType
  readonly sinceMs: number
  last: UplinkValue
  changes: number
}

/** A current tag of a machine, with its newest value. */
export class TagState {
  /** 0 until its row is written. */
  id: number
  readonly group: string
  readonly name: string
  version: number
  readonly type: TagType
  meta: TagMeta
  enumTexts: Readonly<Record<string, string>> | undefined
  /** The settings of the machine's keys, which replace the machine's own description. */
  settings: TagSettings | undefined = undefined
  /** The newest committed value as it was stored; `quality` does not include offline. */
  latest: TagValueEvent | undefined = undefined
  /** The machine's own stamp of `latest`; its time where the machine gave none. */
  latestStamp = 0
  /** The time of the newest value before `latest`. */
  beforeAt = 0
  /** Kept once a live sample came with an older stamp than the one before it. */
  pastTimes: PastTimes | undefined = undefined
  /** The newest value and its stamp as the plan of this number will leave them. */
  plannedIn = 0
  planned: TagValueEvent | undefined = undefined
  plannedStamp = 0
  /** Values received up to here are stale, because the tag's own device went away. */
  staleAt = 0
  /** When that was by the device's own clock; 0 where it never went. */
  goneAt = 0
  /** The last time of arrival given to a sample of this tag, so that two of one millisecond stay two. */
  stampedAt = 0
  /** The batch that moved `latest` last. */
  movedIn = 0
  /** Values of another type, where its type was guessed. */
  others: OtherValues | undefined = undefined
  ring: SparkRing | undefined = undefined
  /** Set if its samples are evaluated. */
  watch: Watch | undefined = undefined

  constructor(id: number, group: string, name: string, version: number, type: TagType, meta: TagMeta) {
    this.id = id
    this.group = group
    this.name = name
    this.version = version
    this.type = type
    this.meta = meta
  }

  /** Whether a sample is stored at this time, as far as memory knows. */
  isTaken(time: number): boolean {
    return this.latest?.time === time || this.beforeAt === time || this.pastTimes?.has(time) === true
  }

  /** A live sample went into history, behind the newest value. */
  notePast(time: number): void {
    this.pastTimes ??= new PastTimes()
    this.pastTimes.add(time)
  }
}

/** The current tags of one machine, held while the machine is in use. */
export class MachineTags {
  readonly machineId: number
  /** When the present owner got it: earlier data is not taken in, and these tags are that owner's. */
  readonly ownedSince: number
  readonly groups = new Map<string, Map<string, TagState>>()
  count = 0
  /** The settings that its keys made for its tags. */
  settings: MachineSettings = noSettings
  /** The registry's reading that `settings` are of. */
  settingsReading = 0
  /** Values received up to here are stale: the machine went offline, or this process began. */
  staleAt: number
  usedAt: number
  /** The keys have been notified that the machine has too many tags. */
  isLimitTold = false
  /** The keys have been notified that a tag changes its type again and again. */
  isUnsteadyTold = false
  /** When the keys were notified of impossible times last. */
  timesToldAt = Number.NEGATIVE_INFINITY
  /** Set once a value came long after its stamp. */
  catchUp: CatchUp | undefined = undefined
  /** An alarm came with the right time, which counts where there are no values. */
  #hadRightAlarm = false

  constructor(machineId: number, ownedSince: number, staleAt: number, usedAt: number) {
    this.machineId = machineId
    this.ownedSince = ownedSince
    this.staleAt = staleAt
    this.usedAt = usedAt
  }

  find(group: string, name: string): TagState | undefined {
    return this.groups.get(group)?.get(name)
  }

  /** Adds a tag, or puts it in the place of its older version. */
  set(tag: TagState): void {
    let names = this.groups.get(tag.group)
    if (!names) {
      names = new Map()
      this.groups.set(tag.group, names)
    }
    if (!names.has(tag.name)) this.count++
    names.set(tag.name, tag)
    tag.settings = this.settings.get(settingsKey(tag.group, tag.name))
  }

  /** Replaces the settings that the machine's keys made before. */
  describe(settings: MachineSettings): void {
    this.settings = settings
    for (const tag of this.all()) tag.settings = settings.get(settingsKey(tag.group, tag.name))
  }

  *all(): Generator<TagState> {
    for (const names of this.groups.values()) yield* names.values()
  }

  /**
   * Takes a live value for a tag's newest, if it is. Newest values move only forward, except from where the
   * platform's own clock was ahead: a time that cannot have come yet would hide every value until it does.
   */
  take(tag: TagState, sample: TagValueEvent, stamp: number): boolean {
    const isAhead = (at: number) => isAheadOf(sample.receivedAt, at)
    if (tag.latest && sample.time <= tag.latest.time && !isAhead(tag.latest.time)) {
      tag.notePast(sample.time)
      return false
    }
    if (isAhead(this.staleAt)) {
      // Tags that went stale by that clock stay so, each until its next value.
      for (const other of this.all()) other.staleAt = Math.max(other.staleAt, this.staleAt)
      this.staleAt = 0
    }
    if (isAhead(tag.staleAt)) tag.staleAt = 0
    if (tag.latest) {
      tag.beforeAt = tag.latest.time
      tag.pastTimes?.add(tag.beforeAt)
    }
    tag.latest = sample
    tag.latestStamp = stamp
    return true
  }

  /** Notes that the newest value was repeated; answers whether that makes it fresher. */
  hear(tag: TagState, receivedAt: number): boolean {
    if (!tag.latest || receivedAt <= tag.latest.receivedAt) return false
    tag.latest = { ...tag.latest, receivedAt }
    return true
  }

  /** Notes that a live alarm came with the right time. */
  noteRightAlarm(): void {
    this.#hadRightAlarm = true
  }

  /** Whether the machine's clock was right when its newest value came. */
  get wasClockRight(): boolean {
    let last: TagState | undefined
    for (const tag of this.all())
      if (tag.latest && tag.latest.receivedAt > (last?.latest?.receivedAt ?? 0)) last = tag
    if (!last?.latest) return this.#hadRightAlarm
    return Math.abs(last.latest.time - last.latestStamp) <= clockSkewMsMax
  }

  /** Whether a newest value was received before its machine or its device went away. */
  isGone(tag: TagState, latest: TagValueEvent): boolean {
    return latest.receivedAt <= this.staleAt || latest.receivedAt <= tag.staleAt
  }

  /** The quality that is true now. */
  qualityOf(tag: TagState, latest: TagValueEvent): Quality {
    return trustedQuality(latest.quality, this.isGone(tag, latest))
  }

  /** A tag's newest value with its current quality. One that became stale with its device has the time of that. */
  latestOf(tag: TagState): TagValueEvent | undefined {
    const latest = tag.latest
    if (!latest) return undefined
    const quality = this.qualityOf(tag, latest)
    if (quality === latest.quality) return latest
    const isDeviceGone = latest.receivedAt <= tag.staleAt
    const { tagId, value, receivedAt } = latest
    const time = isDeviceGone ? Math.max(latest.time, tag.goneAt) : latest.time
    return { tagId, value, quality, time, receivedAt }
  }

  /** The newest values of all tags that have one, or of those wanted. */
  listLatest(wanted?: ReadonlySet<number>): TagValueEvent[] {
    const values: TagValueEvent[] = []
    for (const names of this.groups.values())
      for (const tag of names.values()) {
        const latest = wanted && !wanted.has(tag.id) ? undefined : this.latestOf(tag)
        if (latest) values.push(latest)
      }
    return values
  }
}

/** Whether the platform's clock was ahead when it stored a newest value: any new value replaces it. */
export const isAheadOf = (receivedAt: number, time: number): boolean => time > receivedAt + clockSkewMsMax

/** Whether a machine's description of a tag has not changed. */
export function isSameMeta(one: TagMeta, other: TagMeta): boolean {
  return (
    one.unit === other.unit &&
    one.scale === other.scale &&
    one.min === other.min &&
    one.max === other.max &&
    one.readOnly === other.readOnly &&
    one.isKey === other.isKey &&
    isSameText(one.label, other.label)
  )
}

function isSameText(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}
