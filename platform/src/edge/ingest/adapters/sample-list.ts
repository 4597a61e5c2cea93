import {
  qualityNumber,
  type SampleRecord,
  type TagType,
  typeOfJson,
  uplinkLimits,
} from '../../../modules/telemetry/index.ts'
import { isObject, isScalar, type Scalar } from './json-payload.ts'
import { Notes } from './notes.ts'
import type { Uplink } from './uplink.ts'

/** Of nested values (rules/wire.md: nested values). */
const nestedLimits = {
  depthMax: 8,
  /** Elements of one array. */
  elementsMax: 100,
  /** Values of one message. */
  valuesMax: 1_000,
} as const
const shownMax = 3
const shownCharactersMax = 80

/** Where and when a value was taken. */
export interface Taken {
  readonly group: string
  /** Epoch milliseconds; undefined: the time of arrival. */
  readonly time: number | undefined
  readonly late: boolean
  /** One of `qualityNumber`; good if missing. */
  readonly quality?: number
}

/** The sample of a value in JSON. */
export const jsonSample = (tag: string, value: Scalar, taken: Taken): SampleRecord => ({
  kind: 'sample',
  group: taken.group,
  tag,
  type: typeOfJson(value),
  value,
  quality: taken.quality ?? qualityNumber.good,
  time: taken.time,
  late: taken.late,
  isTypeGuess: true,
})

/** The samples of one message: values of nested objects are `a.b`, elements of arrays `a[0]`. */
export class SampleList {
  readonly #records: SampleRecord[] = []
  readonly #notes = new Notes()
  readonly #leftOut: string[] = []
  #leftOutCount = 0
  #nested = 0

  /** `type`: that of a plain value, where the sender tells it. */
  add(tag: string, json: unknown, taken: Taken, type?: TagType): void {
    if (type && isScalar(json)) this.#records.push({ ...jsonSample(tag, json, taken), type })
    else this.#add(tag, json, taken, 0)
  }

  /** Adds all members of an object but some. */
  addMembers(json: object, taken: Taken, isLeftOut: (name: string) => boolean = () => false): void {
    for (const [name, value] of Object.entries(json)) if (!isLeftOut(name)) this.add(name, value, taken)
  }

  /** A value that its sender could not read. */
  addError(tag: string, error: unknown, taken: Taken): void {
    this.#records.push(jsonSample(tag, null, { ...taken, quality: qualityNumber.bad }))
    this.note(`${shorten(tag)} is bad: error ${shorten(JSON.stringify(error) ?? '')}`)
  }

  note(text: string): void {
    this.#notes.add(text)
  }

  /** `clockAt`: the machine's clock as the message shows it; NaN where none could be read. */
  toUplink(clockAt?: number): Uplink {
    const notes = [...this.#notes.texts]
    if (this.#leftOutCount > 0) {
      const more = this.#leftOutCount > shownMax ? ' and others' : ''
      notes.push(`not stored, nested too deeply or too many: ${this.#leftOut.map(shorten).join(', ')}${more}`)
    }
    return { records: this.#records, notes, clockAt: Number.isNaN(clockAt) ? undefined : clockAt }
  }

  #add(tag: string, json: unknown, taken: Taken, depth: number): void {
    if (isScalar(json)) {
      if (depth > 0 && ++this.#nested > nestedLimits.valuesMax) this.#leaveOut(tag)
      else this.#records.push(jsonSample(tag, json, taken))
    } else if (depth >= nestedLimits.depthMax || tag.length > uplinkLimits.tagNameBytesMax)
      this.#leaveOut(tag)
    else if (isObject(json))
      for (const [name, value] of Object.entries(json)) this.#add(`${tag}.${name}`, value, taken, depth + 1)
    else this.#addElements(tag, json as readonly unknown[], taken, depth)
  }

  #addElements(tag: string, elements: readonly unknown[], taken: Taken, depth: number): void {
    if (elements.length > nestedLimits.elementsMax) this.#leaveOut(tag)
    else
      for (const [index, value] of elements.entries()) this.#add(`${tag}[${index}]`, value, taken, depth + 1)
  }

  #leaveOut(tag: string): void {
    if (++this.#leftOutCount <= shownMax) this.#leftOut.push(tag)
  }
}

const shorten = (text: string): string => `"${text.replaceAll('"', '').slice(0, shownCharactersMax)}"`
