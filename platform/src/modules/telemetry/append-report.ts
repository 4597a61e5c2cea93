import { limits } from '@busbar/contract'
import { showName } from '../../kernel/storable-text.ts'
import type { TagType } from './tag-type.ts'
import type { UplinkRecord, UplinkValue } from './uplink-record.ts'

/** Notes kept of one message. */
const notesMax = 20
/** Names of variables that a note shows. */
const namesShownMax = 3
const minuteMs = 60_000

/** Why samples are not stored as they were sent, and which. */
interface Difference {
  count: number
  readonly names: string[]
  /** The first stamp, epoch milliseconds, and when it came. */
  readonly stamp: number
  readonly receivedAt: number
}

/** The reasons why samples are not stored at their stamps, or not at all. */
export type Deviation = 'arrival' | 'moved' | 'refused' | 'former'

const noNotes: readonly string[] = []

/** The results of one message's records beside refused names, for the sender and the raw log. Every message has one. */
export class AppendReport {
  /** Samples stored. */
  stored = 0
  /** Samples not stored, because they were stored before. */
  repeated = 0
  /** Created with the first note: most messages need none. */
  #notes: Set<string> | undefined
  #differences: Map<Deviation, Difference> | undefined
  /** Of the committed parts. */
  #keptStored = 0
  #keptRepeated = 0
  readonly #ofReading: readonly string[]

  /** `ofReading`: notes of the reading, before the records. */
  constructor(ofReading: readonly string[] = noNotes) {
    this.#ofReading = ofReading
  }

  /** Notes in English, for engineers, on values that were stored otherwise than they were sent. */
  get notes(): readonly string[] {
    const notes = this.#notes ? [...this.#ofReading, ...this.#notes] : this.#ofReading
    if (this.repeated === 0 && !this.#differences) return notes
    const more = Array.from(this.#differences ?? [], ([kind, difference]) => wordsOf(kind, difference))
    if (this.repeated > 0) more.push(`${this.repeated} values were stored before, or others at their time`)
    return [...notes, ...more]
  }

  /** Whether a part of the message is stored, so that it need not be sent again. */
  isKnownOf(records: readonly UplinkRecord[], refused: readonly string[]): boolean {
    if (this.stored > 0 || this.repeated > 0) return true
    return refused.length === 0 && !records.some(({ kind }) => kind === 'sample')
  }

  /** The message is planned, perhaps anew. */
  begin(): void {
    this.stored = 0
    this.repeated = 0
    this.#notes = undefined
    this.#differences = undefined
  }

  /** The next part of the message is planned, perhaps anew. */
  beginPart(): void {
    this.stored = this.#keptStored
    this.repeated = this.#keptRepeated
  }

  /** The part is committed. */
  keepPart(): void {
    this.#keptStored = this.stored
    this.#keptRepeated = this.repeated
  }

  /** A value that its tag cannot hold was stored as bad quality, without a value. */
  noteBad(tag: string, type: TagType, value: UplinkValue): void {
    this.#note(`"${showName(tag)}" is stored as bad quality: ${whyBad(type, value)}`)
  }

  /** A value was stored under another type than it has. */
  noteOther(tag: string, type: TagType): void {
    this.#note(`"${showName(tag)}" is stored as ${type}, the type of the variable`)
  }

  /** A number that its tag cannot hold with all its digits. */
  noteRounded(tag: string, written: string, stored: number): void {
    this.#note(`"${showName(tag)}" is rounded: ${written.trim()} is read as ${stored}`)
  }

  /** A value of an unknown tag that does not show the type of the tag. */
  noteTypeless(tag: string): void {
    this.#note(`"${showName(tag)}" is not stored: no value has shown its type yet`)
  }

  /** A sample is not stored at its stamp, or not at all; `stamp` is NaN where none could be read. */
  noteDifference(kind: Deviation, tag: string, stamp: number, receivedAt: number): void {
    this.#differences ??= new Map()
    const known = this.#differences.get(kind)
    if (known) known.count++
    else this.#differences.set(kind, { count: 1, names: [], stamp, receivedAt })
    const { names } = known ?? (this.#differences.get(kind) as Difference)
    if (names.length < namesShownMax && !names.includes(tag)) names.push(tag)
  }

  /** A text lost characters that cannot be stored. */
  noteCleaned(of: string): void {
    this.#note(`"${showName(of)}": characters were removed that cannot be stored`)
  }

  #note(text: string): void {
    this.#notes ??= new Set()
    if (this.#notes.size < notesMax) this.#notes.add(text)
  }
}

function wordsOf(kind: Deviation, { count, names, stamp, receivedAt }: Difference): string {
  const which = `${count} values (${names.map((name) => `"${showName(name)}"`).join(', ')}${count > names.length ? ', …' : ''})`
  const time = timeOf(stamp, receivedAt)
  switch (kind) {
    case 'arrival':
      return `${which} are stored at arrival, uncertain: ${time}`
    case 'moved':
      return `${which} are stored at another time than their stamp, which the variable had before`
    case 'refused':
      return `${which} are refused: ${time}, and late values are of 2000 to tomorrow`
    case 'former':
      return `${which} are not stored: they are from before the machine's present owner`
  }
}

/** A stamp, and how far it is off. */
function timeOf(stamp: number, receivedAt: number): string {
  const date = new Date(stamp)
  if (Number.isNaN(date.getTime())) return 'their time cannot be read'
  const minutes = Math.round((receivedAt - stamp) / minuteMs)
  const off = minutes < 0 ? `${-minutes} minutes ahead` : `${minutes} minutes behind`
  return `their time is ${date.toISOString()}, ${off}`
}

function whyBad(type: TagType, value: UplinkValue): string {
  if (typeof value === 'string' && type === 'string') {
    return value.includes('\0') ? 'a text with a NUL' : `a text of more than ${limits.tagTextBytesMax} bytes`
  }
  if (Number.isNaN(value)) return 'no number (NaN)'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number beyond what a float64 holds'
  if (typeof value === 'bigint' && type === 'int64')
    return 'a whole number beyond 2^63 - 1, the largest that is kept'
  return `its value is no ${type}`
}
