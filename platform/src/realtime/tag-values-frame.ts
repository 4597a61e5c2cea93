import { PushSchema, Quality, Scene, TagValueSchema, TagValuesSchema } from '@busbar/contract/push'
import type { TagValueEvent } from '../kernel/bus/bus.ts'
import { fieldTag, ProtobufTail, wireTypes } from './protobuf-tail.ts'
import { frameFrom, type SharedFrame } from './shared-frame.ts'

const { varint, double, bytes } = wireTypes
const push = {
  scene: fieldTag(PushSchema.field.scene.number, varint),
  body: fieldTag(PushSchema.field.body.number, bytes),
  at: fieldTag(PushSchema.field.at.number, varint),
}
const tagValues = {
  machineId: fieldTag(TagValuesSchema.field.machineId.number, varint),
  values: fieldTag(TagValuesSchema.field.values.number, bytes),
}
const tagValue = {
  tagId: fieldTag(TagValueSchema.field.tagId.number, varint),
  boolValue: fieldTag(TagValueSchema.field.boolValue.number, varint),
  intValue: fieldTag(TagValueSchema.field.intValue.number, varint),
  numberValue: fieldTag(TagValueSchema.field.numberValue.number, double),
  textValue: fieldTag(TagValueSchema.field.textValue.number, bytes),
  quality: fieldTag(TagValueSchema.field.quality.number, varint),
  time: fieldTag(TagValueSchema.field.time.number, varint),
  receivedAt: fieldTag(TagValueSchema.field.receivedAt.number, varint),
}
const qualities = {
  good: Quality.GOOD,
  stale: Quality.STALE,
  bad: Quality.BAD,
  uncertain: Quality.UNCERTAIN,
} as const

const tail = new ProtobufTail()

/**
 * One frame of tag values, encoded once for everybody who watches the same tags. Written by hand, as every value of every
 * machine that is watched passes here; the bytes are those of the general encoder.
 */
export function encodeTagValues(
  machineId: number,
  values: readonly TagValueEvent[],
  at: number,
): SharedFrame {
  tail.begin()
  writeNumber(push.at, at)
  const end = tail.size
  for (let place = values.length - 1; place >= 0; place--) writeValue(values[place] as TagValueEvent)
  writeNumber(tagValues.machineId, machineId)
  tail.varint(tail.size - end)
  tail.varint(push.body)
  writeNumber(push.scene, Scene.TAG_VALUES)
  const { bytes, from } = tail.take()
  return frameFrom(bytes, from)
}

function writeValue({ tagId, value, quality, time, receivedAt }: TagValueEvent): void {
  const end = tail.size
  writeNumber(tagValue.receivedAt, receivedAt)
  writeNumber(tagValue.time, time)
  writeNumber(tagValue.quality, qualities[quality])
  if (typeof value === 'number') {
    tail.double(value)
    tail.varint(tagValue.numberValue)
  } else if (typeof value === 'boolean') {
    tail.varint(value ? 1 : 0)
    tail.varint(tagValue.boolValue)
  } else if (typeof value === 'bigint') {
    tail.bigVarint(value)
    tail.varint(tagValue.intValue)
  } else if (value !== null) {
    tail.text(value)
    tail.varint(tagValue.textValue)
  }
  writeNumber(tagValue.tagId, tagId)
  tail.varint(tail.size - end)
  tail.varint(tagValues.values)
}

/** A number that is left out where it is 0, as protobuf does. */
function writeNumber(tag: number, value: number): void {
  if (value === 0) return
  tail.varint(value)
  tail.varint(tag)
}
