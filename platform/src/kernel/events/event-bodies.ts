import { create, toBinary } from '@bufbuild/protobuf'
import {
  Quality,
  TagValueSchema,
  type VisitSession,
  VisitSessionSchema,
  WriteResultSchema,
} from '@busbar/contract/push'
import type { TagValueEvent } from '../bus/bus.ts'

/** The body of an event about a visit. */
export function encodeVisitSession(session: Omit<VisitSession, '$typeName' | '$unknown'>): Uint8Array {
  return toBinary(VisitSessionSchema, create(VisitSessionSchema, session))
}

const qualities = {
  good: Quality.GOOD,
  stale: Quality.STALE,
  bad: Quality.BAD,
  uncertain: Quality.UNCERTAIN,
} as const

function encodeValue(value: TagValueEvent['value']) {
  switch (typeof value) {
    case 'boolean':
      return { case: 'boolValue' as const, value }
    case 'bigint':
      return { case: 'intValue' as const, value: String(value) }
    case 'number':
      return { case: 'numberValue' as const, value }
    case 'string':
      return { case: 'textValue' as const, value }
    default:
      return { case: undefined }
  }
}

/** A value as pages get it. */
export function tagValueMessage(value: TagValueEvent) {
  return create(TagValueSchema, {
    tagId: String(value.tagId),
    value: encodeValue(value.value),
    quality: qualities[value.quality],
    time: String(value.time),
    receivedAt: String(value.receivedAt),
  })
}

/** The result of a write, for the writer. */
export function encodeWriteResult(result: {
  readonly commandId: number
  readonly machineId: number
  readonly tagId: number
  readonly state: string
  readonly kept: TagValueEvent | undefined
  readonly reason: string
}): Uint8Array {
  const message = create(WriteResultSchema, {
    commandId: String(result.commandId),
    machineId: String(result.machineId),
    tagId: String(result.tagId),
    state: result.state,
    reason: result.reason,
    ...(result.kept ? { kept: tagValueMessage(result.kept) } : {}),
  })
  return toBinary(WriteResultSchema, message)
}
