import { readGuessed } from './guessed-value.ts'
import { judgeValue } from './judge-sample.ts'
import type { TagState } from './tag-state.ts'
import type { TagType } from './tag-type.ts'
import type { SampleRecord } from './uplink-record.ts'

/** Values of another type come so long, and none of the tag's own type between them, before the tag becomes that. */
const learnMs = {
  /** Numbers or switches to a text, which holds every one of them until then. */
  fromText: 3 * 60_000,
  /** Words to a number or a switch: a sensor that is away may say so for long. */
  toText: 60 * 60_000,
} as const
/** Numbers written as texts also have to change so often: a lot of `1234` is a text. */
const changesMin = 2

/**
 * The type that a tag should have for a value of a sender that does not tell types: the one its keys set, otherwise the
 * one that was guessed, until values of another type came for long enough (rules/telemetry.md: guessed types).
 */
export function learnType(tag: TagState, { type, value, late }: SampleRecord, receivedAt: number): TagType {
  const set = tag.settings?.readAs
  if (set !== undefined) return set
  if (type === tag.type) {
    tag.others = undefined
    return type
  }
  if (type === undefined || late) return tag.type
  if (tag.type !== 'string' && judgeValue(tag.type, readGuessed(tag.type, value)) !== null) {
    tag.others = undefined
    return tag.type
  }
  const { others } = tag
  if (others?.type !== type) {
    tag.others = { type, sinceMs: receivedAt, last: value, changes: 0 }
    return tag.type
  }
  if (others.last !== value) others.changes++
  others.last = value
  const isWritten = typeof value === 'string' && type !== 'string'
  if (isWritten && others.changes < changesMin) return tag.type
  const isLearnt = receivedAt - others.sinceMs >= learnMs[type === 'string' ? 'toText' : 'fromText']
  return isLearnt ? type : tag.type
}
