import { limits } from '@busbar/contract'
import { showName } from './storable-text.ts'
import type { TagType } from './tag-type.ts'
import type { UplinkValue } from './uplink-record.ts'

/** Notes kept of one message. */
const notesMax = 20

/** What became of one message's records beside refused names, told to the sender and in the raw log. */
export class AppendReport {
  /** Samples stored. */
  stored = 0
  readonly #notes = new Set<string>()

  /** In English, for engineers: what was stored otherwise than it was sent. */
  get notes(): readonly string[] {
    return [...this.#notes]
  }

  /** The message is planned, perhaps anew. */
  begin(): void {
    this.stored = 0
    this.#notes.clear()
  }

  /** A value that its tag cannot hold was stored as bad quality, without a value. */
  noteBad(tag: string, type: TagType, value: UplinkValue): void {
    this.#note(`"${showName(tag)}" is stored as bad quality: ${whyBad(type, value)}`)
  }

  /** A text lost characters that cannot be stored. */
  noteCleaned(of: string): void {
    this.#note(`"${showName(of)}": characters were removed that cannot be stored`)
  }

  #note(text: string): void {
    if (this.#notes.size < notesMax) this.#notes.add(text)
  }
}

function whyBad(type: TagType, value: UplinkValue): string {
  if (typeof value === 'string' && type === 'string') {
    return value.includes('\0') ? 'a text with a NUL' : `a text of more than ${limits.tagTextBytesMax} bytes`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number beyond what a float64 holds'
  return `its value is no ${type}`
}
