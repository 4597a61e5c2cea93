import { limits } from '@busbar/contract'
import { showName } from '../../kernel/storable-text.ts'
import type { TagType } from './tag-type.ts'
import type { UplinkRecord, UplinkValue } from './uplink-record.ts'

/** Notes kept of one message. */
const notesMax = 20

const noNotes: readonly string[] = []

/** The results of one message's records beside refused names, for the sender and the raw log. Every message has one. */
export class AppendReport {
  /** Samples stored. */
  stored = 0
  /** Samples not stored, because they were stored before. */
  repeated = 0
  /** Created with the first note: most messages need none. */
  #notes: Set<string> | undefined
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
    if (this.repeated === 0) return notes
    return [...notes, `${this.repeated} values were stored before, or others at their time`]
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

  /** A value of an unknown tag that does not show the type of the tag. */
  noteTypeless(tag: string): void {
    this.#note(`"${showName(tag)}" is not stored: no value has shown its type yet`)
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
