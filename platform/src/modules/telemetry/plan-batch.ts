import { isDeepStrictEqual } from 'node:util'
import { limits } from '@busbar/contract'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { cleanDeep, isStorableName, showName } from '../../kernel/storable-text.ts'
import type { AlarmEvent } from '../alarms/index.ts'
import type { AppendReport } from './append-report.ts'
import { CatchUp } from './catch-up.ts'
import type { EntryParts } from './entry-parts.ts'
import { readGuessed } from './guessed-value.ts'
import { isTimeBelieved, judgeTime, judgeValue, senseOf } from './judge-sample.ts'
import { learnType } from './learnt-type.ts'
import { judgeLost, type LostSpan } from './lost-spans-store.ts'
import { placeSample } from './place-sample.ts'
import { isRounded } from './rounded-number.ts'
import { isNameStorable, storableMeta } from './storable-tag.ts'
import type { TagRegistry } from './tag-registry.ts'
import { settingsKey } from './tag-settings-store.ts'
import { isAheadOf, isSameMeta, type MachineTags, type TagMeta, TagState, unknownMeta } from './tag-state.ts'
import { qualityOf, type TagType } from './tag-type.ts'
import {
  type AlarmRecord,
  type SampleRecord,
  type TagDefinitionRecord,
  type UplinkRecord,
  uplinkLimits,
} from './uplink-record.ts'

/** The widest spread of one tag's samples that came in the same millisecond, in ms. */
const stampAheadMsMax = 1_000

/** The records of one message, waiting for their commit. */
export interface BatchEntry {
  readonly machineId: number
  readonly records: readonly UplinkRecord[]
  readonly receivedAt: number
  /** Filled in for the sender. */
  readonly report?: AppendReport | undefined
  /** Set if it is committed in parts. */
  readonly parts?: EntryParts | undefined
}

/** A sample as it is stored. Its tag id is 0 until the tag's row is written. */
type PlannedSample = { -readonly [Field in keyof TagValueEvent]: TagValueEvent[Field] }

/** A new tag, or a new version of one. */
export interface PlannedTag {
  readonly machineId: number
  readonly machine: MachineTags
  readonly tag: TagState
  /** It is another version of a tag. */
  readonly isVersion: boolean
}

let planCount = 0

/** The rows that a batch writes. Samples are in columns of equal length, which saves one object per sample. */
export class BatchPlan {
  /** Number of filled places of the columns. */
  count = 0
  readonly samples: PlannedSample[]
  readonly tags: TagState[]
  readonly machines: MachineTags[]
  readonly lates: boolean[]
  /** The machine's own stamp of each sample; its time where the machine gave none. */
  readonly stamps: number[]
  /** Newest values repeated after their machine or device was away: they are fresh, though nothing is stored. */
  readonly heard: { readonly machine: MachineTags; readonly tag: TagState; readonly receivedAt: number }[] =
    []
  /** New tags in layers: a second version made in the same batch comes after the first. */
  readonly newTags: PlannedTag[][] = []
  readonly changedTags = new Map<TagState, { readonly machine: MachineTags; readonly meta: TagMeta }>()
  readonly alarms: AlarmEvent[] = []
  readonly lost: LostSpan[] = []
  /** Names of tags that were not stored, by the place of their entry. */
  readonly refused = new Map<number, string[]>()
  readonly overLimit = new Map<MachineTags, string[]>()
  /** Names of tags that changed their types more often than versions of them are kept. */
  readonly unsteady = new Map<MachineTags, string[]>()
  /** Variables of machines whose late values have impossible times. */
  readonly impossible = new Map<MachineTags, string[]>()
  /** Places of entries left out: their machine would have more tags written than one commit takes. */
  readonly unfinished = new Set<number>()
  /** The machines of which anything but samples is written. */
  readonly factsOf = new Set<MachineTags>()
  readonly #pending = new Map<string, TagState>()
  readonly #newTagCounts = new Map<MachineTags, number>()
  /** New and redefined tags. */
  readonly #tagWrites = new Map<MachineTags, number>()
  readonly #unfinishedMachines = new Set<MachineTags>()
  /** Of the entry that is being planned. */
  #parts: EntryParts | undefined
  #report: AppendReport | undefined
  readonly #number = ++planCount
  /** Times of history taken in this plan, behind their tag's newest value. */
  #pastTimes: Map<TagState, Set<number>> | undefined

  /** With room for this many samples: columns that grow leave twice their size behind for the garbage collector. */
  constructor(room = 0) {
    this.samples = new Array(room)
    this.tags = new Array(room)
    this.machines = new Array(room)
    this.lates = new Array(room)
    this.stamps = new Array(room)
  }

  /** True when nothing but samples of known tags is written. */
  get isPlain(): boolean {
    return (
      this.newTags.length === 0 &&
      this.changedTags.size === 0 &&
      this.alarms.length === 0 &&
      this.lost.length === 0 &&
      this.overLimit.size === 0
    )
  }

  addEntry(place: number, entry: BatchEntry, machine: MachineTags): void {
    this.#parts = entry.parts
    this.#report = entry.report
    this.#report?.begin()
    for (const record of entry.records) {
      if (record.kind !== 'sample') this.#addFact(place, record, entry, machine)
      else this.#addSample(place, record, entry.receivedAt, machine)
    }
  }

  /** Plans an entry's next part, as much as one commit takes; its samples only where they go in parts too. */
  addPart(entry: BatchEntry, parts: EntryParts, machine: MachineTags): void {
    const { records, receivedAt } = entry
    const { facts } = parts
    this.#parts = parts
    if (facts) {
      this.#report = entry.report
      this.#report?.beginPart()
    }
    let place = parts.next
    for (; place < (parts.end ?? records.length); place++) {
      const record = records[place]
      if (parts.end === undefined && this.#isPartFull(machine) && !isValueOf(record, records[place - 1]))
        break
      if (record?.kind === 'tagDefinition') this.#addDefinition(0, record, machine)
      else if (record?.kind !== 'sample') continue
      else if (facts) this.#addSample(0, record, receivedAt, machine)
      else this.#requireTag(0, record, machine, receivedAt)
    }
    parts.end = place
    if (!facts || place < records.length) {
      this.unfinished.add(0)
      return
    }
    for (const fact of facts) this.#addFact(0, fact, entry, machine)
    const refused = parts.refusedWith(this.refused.get(0))
    if (refused.length > 0) this.refused.set(0, refused)
  }

  #isPartFull(machine: MachineTags): boolean {
    return this.count + this.heard.length >= uplinkLimits.samplesPerPart || this.#isWriteFull(machine)
  }

  /** No further tag of the machine is written in this commit. */
  #isWriteFull(machine: MachineTags): boolean {
    return (this.#tagWrites.get(machine) ?? 0) >= uplinkLimits.tagWritesPerCommit
  }

  /** Leaves an entry for later, together with the later entries of its machine. */
  leaveOut(place: number, machine: MachineTags): void {
    this.#unfinishedMachines.add(machine)
    this.unfinished.add(place)
  }

  /** Whether the tags of an entry go into this commit with the records already planned for its machine. */
  fits({ records }: BatchEntry, machine: MachineTags): boolean {
    if (this.#unfinishedMachines.size > 0 && this.#unfinishedMachines.has(machine)) return false
    let left = uplinkLimits.tagWritesPerCommit - (this.#tagWrites.get(machine) ?? 0)
    if (records.length <= left) return true
    const types = new Map<string, TagType>()
    for (const record of records) {
      if (record.kind !== 'sample' && record.kind !== 'tagDefinition') continue
      const tag = this.#find(machine, record.group, record.tag)
      const isGuess = record.isTypeGuess === true
      const type = isGuess ? record.type : toldType(record, machine)
      if (record.kind === 'tagDefinition' && tag && (tag.type === type || isGuess)) {
        if (!isSameMeta(tag.meta, storableMeta(record))) left--
      } else if (type !== undefined && !(isGuess && tag)) {
        const key = keyOf(machine, record.group, record.tag)
        if ((types.get(key) ?? tag?.type) !== type) left--
        types.set(key, type)
      }
      if (left < 0) return false
    }
    return true
  }

  /** Gives the samples of new tags the ids their tags got. */
  adoptIds(): void {
    for (let index = 0; index < this.count; index++) {
      const sample = this.samples[index]
      const tag = this.tags[index]
      if (sample && tag) sample.tagId = tag.id
    }
  }

  #addFact(
    place: number,
    record: Exclude<UplinkRecord, SampleRecord>,
    { receivedAt }: BatchEntry,
    machine: MachineTags,
  ): void {
    const { machineId, ownedSince } = machine
    switch (record.kind) {
      case 'tagDefinition':
        this.#addDefinition(place, record, machine)
        break
      case 'alarm': {
        // A birth reports an alarm of long ago with the time of its raising; one of an outage was kept by the machine.
        const { time } = record
        const sense = time === undefined ? undefined : senseOf(time, receivedAt)
        if (sense === 'near') machine.noteRightAlarm()
        const isPast = record.late || record.isRepeat || (sense === 'behind' && machine.wasClockRight)
        const { at, isUncertain } = judgeTime(time, isPast, receivedAt)
        if (time !== undefined && isUncertain && !Number.isNaN(time))
          this.#report?.noteDifference('arrival', record.key, time, receivedAt)
        if (record.late && at < ownedSince) break
        if (record.key === '' || !isStorableName(record.key, uplinkLimits.alarmKeyBytesMax)) {
          this.#refuse(place, record.key)
          break
        }
        this.factsOf.add(machine)
        const text = cleanDeep(record.text) as AlarmRecord['text']
        if (!isDeepStrictEqual(text, record.text)) this.#report?.noteCleaned(record.key)
        const { key, level, state, isRepeat, late, standing } = record
        this.alarms.push({
          machineId,
          key,
          level,
          text,
          state,
          isRepeat,
          late,
          // An alarm that was active before the change of owner counts from that change on.
          at: Math.floor(Math.max(at, ownedSince)),
          toldAt: late || isRepeat ? undefined : ownTimeOf(record.time, receivedAt),
          receivedAt,
          standing: standing && {
            ...standing,
            since: Math.floor(judgeTime(standing.time, true, receivedAt).at),
          },
        })
        break
      }
      case 'attributes':
        // They have a lane of their own.
        break
      case 'lost': {
        const span = judgeLost(machineId, record, receivedAt)
        if (!span || span.to < ownedSince) break
        this.factsOf.add(machine)
        this.lost.push({ ...span, from: Math.max(span.from, ownedSince) })
      }
    }
  }

  #addSample(place: number, record: SampleRecord, receivedAt: number, machine: MachineTags): void {
    const { late } = record
    // Whole milliseconds are kept.
    const stamp = record.time === undefined ? undefined : Math.floor(record.time)
    const sense = stamp === undefined ? undefined : senseOf(stamp, receivedAt)
    if (late && sense === 'impossible') {
      this.#refuseTime(place, record.tag, stamp, receivedAt, machine)
      return
    }
    const isFormer = stamp !== undefined && stamp < machine.ownedSince
    if (isFormer && late) {
      this.#report?.noteDifference('former', record.tag, stamp, receivedAt)
      return
    }
    const tag = this.#requireTag(place, record, machine, receivedAt)
    if (!tag) return
    const isText = typeof record.value === 'string' && tag.type !== 'string'
    const isRead = record.type !== tag.type || (isText && record.isTypeGuess === true)
    const value = judgeValue(tag.type, isRead ? readGuessed(tag.type, record.value) : record.value)
    const quality = value === null ? 'bad' : qualityOf(record.quality)
    const newest = this.#newestOf(tag, receivedAt)
    let at = stamp ?? receivedAt
    let isUncertain = false
    // A live value that came after the machine changed hands was also taken after it: its clock is behind.
    const isBefore =
      late ||
      (sense === 'behind' &&
        !isFormer &&
        this.#isKept(tag, record, { stamp, value }, receivedAt, machine, newest))
    if (stamp === undefined || isFormer || (sense !== 'near' && !isBefore)) {
      at = stampArrival(tag, late ? undefined : newest, receivedAt)
      isUncertain = stamp !== undefined || at - receivedAt > stampAheadMsMax
      // The reader notes a time that cannot be read.
      if (stamp !== undefined && !Number.isNaN(stamp))
        this.#report?.noteDifference('arrival', record.tag, stamp, receivedAt)
    } else {
      const where = isBefore ? 'history' : placeSample(stamp, value, quality, newest, tag.plannedStamp)
      if (!isBefore && machine.catchUp) machine.catchUp.noteRight(tag, receivedAt)
      if (where === 'repeat' && tag.latest && newest === tag.latest && machine.isGone(tag, tag.latest))
        this.heard.push({ machine, tag, receivedAt })
      if (where === 'repeat' || (where === 'history' && this.#isTaken(tag, stamp, newest))) {
        if (this.#report) this.#report.repeated++
        return
      }
      if (where === 'history' && !isBefore) this.#notePast(tag, stamp)
      else if (where === 'arrival') at = stampArrival(tag, newest, receivedAt)
      else if (newest && (where === 'next' || where === 'after')) at = newest.time + 1
      if (at !== stamp) this.#report?.noteDifference('moved', record.tag, stamp, receivedAt)
      isUncertain = where === 'arrival' || where === 'after' || sense === 'ahead'
    }
    if (this.#report) {
      this.#report.stored++
      if (value === null && record.value !== null) this.#report.noteBad(record.tag, tag.type, record.value)
      // A text that is read as a number, as HMIs send them, is nothing else.
      else if (isRead && typeof value !== typeof record.value && typeof record.value !== 'string')
        this.#report.noteOther(record.tag, tag.type)
      else if (
        typeof record.value === 'string' &&
        typeof value === 'number' &&
        isRounded(record.value.trim())
      )
        this.#report.noteRounded(record.tag, record.value, value)
    }
    const sample: PlannedSample = {
      tagId: tag.id,
      value,
      quality: isUncertain && quality === 'good' ? 'uncertain' : quality,
      time: at,
      receivedAt,
    }
    if (!isBefore && (!newest || at > newest.time)) {
      tag.planned = sample
      tag.plannedStamp = stamp ?? at
    }
    const index = this.count++
    this.samples[index] = sample
    this.tags[index] = tag
    this.machines[index] = machine
    this.lates[index] = late
    this.stamps[index] = stamp ?? at
  }

  /** Whether a live sample from long before its arrival was kept by its machine. */
  #isKept(
    tag: TagState,
    { isPresent }: SampleRecord,
    { stamp, value }: { readonly stamp: number | undefined; readonly value: TagValueEvent['value'] },
    receivedAt: number,
    machine: MachineTags,
    newest: TagValueEvent | undefined,
  ): boolean {
    if (isPresent || stamp === undefined) return false
    machine.catchUp ??= new CatchUp()
    return machine.catchUp.isKept(tag, { stamp, value }, receivedAt, newest, tag.plannedStamp)
  }

  /** A tag's newest value after this plan; undefined where every new value replaces it. */
  #newestOf(tag: TagState, receivedAt: number): TagValueEvent | undefined {
    if (tag.plannedIn !== this.#number) {
      tag.plannedIn = this.#number
      tag.planned = tag.latest
      tag.plannedStamp = tag.latestStamp
    }
    return tag.planned && isAheadOf(receivedAt, tag.planned.time) ? undefined : tag.planned
  }

  #isTaken(tag: TagState, time: number, newest: TagValueEvent | undefined): boolean {
    return newest?.time === time || tag.isTaken(time) || this.#pastTimes?.get(tag)?.has(time) === true
  }

  #notePast(tag: TagState, time: number): void {
    this.#pastTimes ??= new Map()
    const times = this.#pastTimes.get(tag)
    if (times) times.add(time)
    else this.#pastTimes.set(tag, new Set([time]))
  }

  /** The tag of a reading, created if there is none of its type; undefined if it cannot be created. */
  #requireTag(
    place: number,
    record: SampleRecord,
    machine: MachineTags,
    receivedAt: number,
  ): TagState | undefined {
    const tag = this.#find(machine, record.group, record.tag)
    // Most readings are of the type that their tag has, and nothing is to be learnt or set.
    if (tag && tag.type === record.type && !tag.others && !tag.settings) return tag
    const isGuess = record.isTypeGuess === true
    const type = isGuess && tag ? learnType(tag, record, receivedAt) : toldType(record, machine)
    if (tag && (type === undefined || type === tag.type)) return tag
    // A learnt type can wait for the next message.
    if (tag && isGuess && this.#isWriteFull(machine)) return tag
    if (type === undefined) {
      this.#report?.noteTypeless(record.tag)
      return undefined
    }
    return this.#create(place, machine, { ...record, type }, isGuess ? undefined : record.type, tag)
  }

  #addDefinition(place: number, record: TagDefinitionRecord, machine: MachineTags): void {
    const type = toldType(record, machine)
    const meta = storableMeta(record)
    if (meta.unit !== record.unit || !isDeepStrictEqual(meta.label, record.label))
      this.#report?.noteCleaned(record.tag)
    const tag = this.#find(machine, record.group, record.tag)
    if (!tag || (tag.type !== type && !record.isTypeGuess)) {
      this.#create(place, machine, { ...record, type }, record.type, tag, meta)
    } else if (tag.id === 0) {
      tag.meta = meta
    } else if (isSameMeta(tag.meta, meta)) {
      this.changedTags.delete(tag)
    } else {
      this.factsOf.add(machine)
      if (!this.changedTags.has(tag)) this.#countTagWrite(machine)
      this.changedTags.set(tag, { machine, meta })
    }
  }

  #find(machine: MachineTags, group: string, name: string): TagState | undefined {
    if (this.#pending.size > 0) {
      const pending = this.#pending.get(keyOf(machine, group, name))
      if (pending) return pending
    }
    return machine.find(group, name)
  }

  /** `told`: the type that the machine tells itself. */
  #create(
    place: number,
    machine: MachineTags,
    named: { readonly group: string; readonly tag: string; readonly type: TagType },
    told: TagType | undefined,
    before: TagState | undefined,
    meta: TagMeta = before?.meta ?? unknownMeta,
  ): TagState | undefined {
    const newTags = this.#newTagCounts.get(machine) ?? 0
    this.factsOf.add(machine)
    const isOver = !before && machine.count + newTags >= limits.tagsPerMachine
    const isOtherType = told !== undefined && this.#parts?.hasType(named, told) === false
    if (isOver || !isNameStorable(named) || isOtherType) {
      const isGroupFine = isStorableName(named.group, uplinkLimits.groupNameBytesMax)
      const names = this.#refuse(place, isGroupFine ? named.tag : named.group)
      if (isOver && !machine.isLimitTold) this.overLimit.set(machine, names)
      return undefined
    }
    if (before && before.version >= uplinkLimits.versionsPerTagMax && !machine.isUnsteadyTold)
      this.unsteady.set(machine, [...(this.unsteady.get(machine) ?? []), showName(named.tag)])
    const tag = new TagState(0, named.group, named.tag, (before?.version ?? 0) + 1, named.type, meta)
    tag.settings = machine.settings.get(settingsKey(named.group, named.tag))
    if (!before) this.#newTagCounts.set(machine, newTags + 1)
    this.#countTagWrite(machine)
    // The version before it may be in this batch as well.
    const layer = before && before.id === 0 ? this.#layerOf(before) + 1 : 0
    const tags = this.newTags[layer] ?? []
    this.newTags[layer] = tags
    tags.push({ machineId: machine.machineId, machine, tag, isVersion: before !== undefined })
    this.#pending.set(keyOf(machine, named.group, named.tag), tag)
    return tag
  }

  #countTagWrite(machine: MachineTags): void {
    this.#tagWrites.set(machine, (this.#tagWrites.get(machine) ?? 0) + 1)
  }

  /** Refuses a late sample whose time cannot be, once for each of its variables. */
  #refuseTime(
    place: number,
    tag: string,
    stamp: number | undefined,
    receivedAt: number,
    machine: MachineTags,
  ): void {
    this.#report?.noteDifference('refused', tag, stamp ?? Number.NaN, receivedAt)
    if (this.refused.get(place)?.includes(showName(tag)) !== true) this.#refuse(place, tag)
    if (receivedAt - machine.timesToldAt >= uplinkLimits.refusalNoticeMs)
      this.impossible.set(machine, this.refused.get(place) ?? [])
  }

  /** Notes a refused name in a readable form; returns the names of its entry. */
  #refuse(place: number, name: string): string[] {
    const names = this.refused.get(place) ?? []
    this.refused.set(place, names)
    names.push(showName(name))
    return names
  }

  #layerOf(tag: TagState): number {
    return this.newTags.findIndex((layer) => layer.some((planned) => planned.tag === tag))
  }
}

/**
 * Sorts the records of messages into the rows to write. Every machine of `entries` is loaded. `leftOut`: the places that an
 * earlier plan of the same batch left out, and no others.
 */
export function planBatch(
  entries: readonly BatchEntry[],
  registry: TagRegistry,
  now: number,
  leftOut?: ReadonlySet<number>,
): BatchPlan {
  let room = 0
  for (const { parts, records } of entries) room += parts ? uplinkLimits.samplesPerPart : records.length
  const plan = new BatchPlan(room)
  for (let place = 0; place < entries.length; place++) {
    const entry = entries[place] as BatchEntry
    const machine = registry.get(entry.machineId)
    if (!machine) throw new Error(`machine ${entry.machineId} is not loaded`)
    machine.usedAt = now
    // The entry arrived while the machine had its former owner.
    if (entry.receivedAt < machine.ownedSince) {
      // It may have been planned before, when that was not known.
      if (entry.parts) entry.report?.beginPart()
      else entry.report?.begin()
      continue
    }
    if (entry.parts && mayGoInParts(entry.parts, machine)) plan.addPart(entry, entry.parts, machine)
    else if (leftOut ? leftOut.has(place) : !entry.parts && !plan.fits(entry, machine))
      plan.leaveOut(place, machine)
    else plan.addEntry(place, entry, machine)
  }
  return plan
}

/**
 * The type that a machine tells of a tag; a text is read as the keys wish, whatever it tells (rules/data-centre.md:
 * settings of variables).
 */
function toldType<Type extends TagType | undefined>(
  { type, group, tag }: { readonly type: Type; readonly group: string; readonly tag: string },
  { settings }: MachineTags,
): Type | TagType {
  if (type !== 'string' || settings.size === 0) return type
  return settings.get(settingsKey(group, tag))?.readAs ?? type
}

/** Whether a record is the value of the tag that is defined before it: they go in one part. */
function isValueOf(record: UplinkRecord | undefined, before: UplinkRecord | undefined): boolean {
  if (record?.kind !== 'sample' || before?.kind !== 'tagDefinition') return false
  return record.tag === before.tag && record.group === before.group
}

/** A stamp from before the machine changed hands is not believed, so the sample would not be known again. */
function mayGoInParts(parts: EntryParts, machine: MachineTags): boolean {
  return !parts.isDone && parts.oldestStamp >= machine.ownedSince
}

/**
 * The time of arrival for a sample, after the one this tag was given last, and after its newest value where it becomes
 * that.
 */
function stampArrival(tag: TagState, newest: TagValueEvent | undefined, receivedAt: number): number {
  let at = receivedAt
  if (tag.stampedAt >= at && tag.stampedAt < at + stampAheadMsMax) at = tag.stampedAt + 1
  if (newest && newest.time >= at) at = newest.time + 1
  tag.stampedAt = at
  return at
}

function keyOf(machine: MachineTags, group: string, name: string): string {
  return `${machine.machineId}\n${group}\n${name}`
}

/** A machine's own time, however far behind: a message may be sent again after an outage of days. */
function ownTimeOf(time: number | undefined, receivedAt: number): number | undefined {
  return time !== undefined && isTimeBelieved(time, true, receivedAt) ? Math.floor(time) : undefined
}
