import { create, toBinary } from '@bufbuild/protobuf'
import {
  HistoryChangeSchema,
  type MachineState,
  MachineStateSchema,
  PushSchema,
  QrLoginSchema,
  Quality,
  Scene,
  SpaceChangeSchema,
  TagValueSchema,
  TagValuesSchema,
  UserLogoutSchema,
  type VisitSession,
  VisitSessionSchema,
  WriteResultSchema,
} from '@busbar/contract/push'
import type { BusEvents, TagValueEvent } from '../kernel/bus/bus.ts'

/** A Push frame around an encoded body; `id` 0 where nothing can be resumed. */
export function encodePush(scene: Scene, body: Uint8Array, id: number, at: number): Uint8Array {
  return toBinary(PushSchema, create(PushSchema, { scene, body, id: String(id), at: String(at) }))
}

export function encodeLogout(loginIp: string, reason: string, at: number): Uint8Array {
  const body = toBinary(UserLogoutSchema, create(UserLogoutSchema, { loginIp, reason }))
  return encodePush(Scene.USER_LOGOUT, body, 0, at)
}

/** Another enterprise, right or invitation than before. */
export function encodeSpaceChange(at: number): Uint8Array {
  return encodePush(Scene.SPACE_CHANGE, toBinary(SpaceChangeSchema, create(SpaceChangeSchema)), 0, at)
}

/** What became of a QR code, for the page that shows it. */
export function encodeQrLogin(qrToken: string, state: number, at: number): Uint8Array {
  const body = toBinary(QrLoginSchema, create(QrLoginSchema, { qrToken, state }))
  return encodePush(Scene.QR_LOGIN, body, 0, at)
}

export function encodeMachineState(state: Omit<MachineState, '$typeName' | '$unknown'>): Uint8Array {
  return toBinary(MachineStateSchema, create(MachineStateSchema, state))
}

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

function tagValueMessage(value: TagValueEvent) {
  return create(TagValueSchema, {
    tagId: String(value.tagId),
    value: encodeValue(value.value),
    quality: qualities[value.quality],
    time: String(value.time),
    receivedAt: String(value.receivedAt),
  })
}

/** What became of a write, for the one who wrote. */
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

/** One frame of tag values, encoded once for everybody who watches the same tags. */
export function encodeTagValues(machineId: number, values: Iterable<TagValueEvent>, at: number): Uint8Array {
  const message = create(TagValuesSchema, {
    machineId: String(machineId),
    values: Array.from(values, tagValueMessage),
  })
  return encodePush(Scene.TAG_VALUES, toBinary(TagValuesSchema, message), 0, at)
}

/** Samples of the past came: charts of that time are worth asking for again. */
export function encodeHistoryChange({ machineId, from, to }: BusEvents['late'], at: number): Uint8Array {
  const message = { machineId: String(machineId), from: String(Math.floor(from)), to: String(Math.ceil(to)) }
  const body = toBinary(HistoryChangeSchema, create(HistoryChangeSchema, message))
  return encodePush(Scene.HISTORY_CHANGE, body, 0, at)
}

/** The answer to a heartbeat: lets a page measure the way there and back. */
export function encodeHeartbeat(at: number): Uint8Array {
  return encodePush(Scene.NONE, new Uint8Array(0), 0, at)
}
