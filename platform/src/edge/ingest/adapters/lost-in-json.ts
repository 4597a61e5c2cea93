import { charactersHeld, findRounded, type UplinkRecord } from '../../../modules/telemetry/index.ts'
import { Notes } from './notes.ts'
import type { Uplink } from './uplink.ts'

/** A text with what follows it, or the bounds of an object. In valid JSON every text has its end. */
const tokenPattern = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g

const codeOf = { space: 0x20, quote: 0x22, dot: 0x2e, zero: 0x30, nine: 0x39, colon: 0x3a } as const

/**
 * Adds the notes of what parsing JSON loses without a word: digits of numbers, and members whose names come twice in
 * one object (rules/telemetry.md: notes). `payload` is the valid JSON, `json` its value, which `uplink` was read from.
 */
export function noteLost(payload: Buffer, json: object, uplink: Uplink): Uplink {
  const { names, hasLong } = scan(payload)
  const mayRepeat = names !== countMembers(json)
  if (!hasLong && !mayRepeat) return uplink
  const text = payload.toString()
  const rounded = findRounded(text)
  const notes = new Notes()
  notes.addAll(uplink.notes)
  if (rounded.size > 0)
    for (const record of uplink.records)
      eachNumber(record, (name, number) => {
        const written = rounded.get(number)
        if (written) notes.addRounded(name, [...written].join(' or '), number)
      })
  if (mayRepeat)
    for (const name of repeatedNames(text))
      notes.addOf(name, ' comes twice in one object: the last one counts')
  return { ...uplink, notes: notes.texts }
}

/** The numbers of a record, with the name of its variable, attribute or alarm. */
function eachNumber(record: UplinkRecord, visit: (name: string, number: number) => void): void {
  if (record.kind === 'alarm') visit(record.key, Number(record.key))
  else if (record.kind === 'sample' && typeof record.value === 'number') visit(record.tag, record.value)
  else if (record.kind === 'attributes')
    for (const [name, value] of Object.entries(record.attributes))
      walk([value], (values) => {
        for (const inner of values) if (typeof inner === 'number') visit(name, inner)
      })
}

/** Visits the values of an object or array, and of all within it. */
function walk(json: object, visit: (values: readonly unknown[], isArray: boolean) => void): void {
  // JSON may be nested more deeply than calls.
  const waiting = [json]
  for (let object = waiting.pop(); object; object = waiting.pop()) {
    const values: unknown[] = Object.values(object)
    visit(values, Array.isArray(object))
    for (const value of values) if (typeof value === 'object' && value !== null) waiting.push(value)
  }
}

/**
 * The result of one look at the bytes. Colons after quotes are all the names, and some of texts: as many as there are
 * members, as nearly always, means that no name comes twice.
 */
function scan(json: Uint8Array): { names: number; hasLong: boolean } {
  let names = 0
  let hasLong = false
  let run = 0
  let before = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number
    if ((byte >= codeOf.zero && byte <= codeOf.nine) || byte === codeOf.dot) {
      if (++run > charactersHeld) hasLong = true
    } else {
      run = 0
      if (byte === codeOf.colon && before === codeOf.quote) names++
    }
    if (byte > codeOf.space) before = byte
  }
  return { names, hasLong }
}

function countMembers(json: object): number {
  let count = 0
  walk(json, (values, isArray) => {
    if (!isArray) count += values.length
  })
  return count
}

/** Names that come twice in one object. */
function* repeatedNames(text: string): Generator<string> {
  const objects: Set<string>[] = []
  for (const [token, colon] of text.matchAll(tokenPattern)) {
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, -colon.length)) as string
      const names = objects.at(-1)
      if (names?.has(name)) yield name
      names?.add(name)
    }
  }
}
