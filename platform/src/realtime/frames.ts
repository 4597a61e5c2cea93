import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  HistoryChangeSchema,
  type MachineState,
  MachineStateSchema,
  PlaceChangeSchema,
  PushSchema,
  QrLoginSchema,
  Scene,
  SpaceChangeSchema,
  TagsChangeSchema,
  UserLogoutSchema,
} from '@busbar/contract/push'
import type { BusEvents } from '../kernel/bus/bus.ts'

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

/** The state of a QR code, for the page that shows it. */
export function encodeQrLogin(qrToken: string, state: number, at: number): Uint8Array {
  const body = toBinary(QrLoginSchema, create(QrLoginSchema, { qrToken, state }))
  return encodePush(Scene.QR_LOGIN, body, 0, at)
}

export function encodeMachineState(state: Omit<MachineState, '$typeName' | '$unknown'>): Uint8Array {
  return toBinary(MachineStateSchema, create(MachineStateSchema, state))
}

/** Samples of the past came: charts of that time are worth asking for again. */
export function encodeHistoryChange({ machineId, from, to }: BusEvents['late'], at: number): Uint8Array {
  const message = { machineId: String(machineId), from: String(Math.floor(from)), to: String(Math.ceil(to)) }
  const body = toBinary(HistoryChangeSchema, create(HistoryChangeSchema, message))
  return encodePush(Scene.HISTORY_CHANGE, body, 0, at)
}

/** Tags of a machine were added, or are described in another way. */
export function encodeTagsChange(machineId: number, at: number): Uint8Array {
  const body = toBinary(TagsChangeSchema, create(TagsChangeSchema, { machineId: String(machineId) }))
  return encodePush(Scene.TAGS_CHANGE, body, 0, at)
}

/** The answer to a heartbeat: lets a page measure the way there and back. */
export function encodeHeartbeat(at: number): Uint8Array {
  return encodePush(Scene.NONE, new Uint8Array(0), 0, at)
}

export const isPlaceChange = ({ scene }: { readonly scene: number }): boolean => scene === Scene.PLACE_CHANGE

/** The machine of a PlaceChange. */
export const machineOfPlace = (body: Uint8Array): number =>
  Number(fromBinary(PlaceChangeSchema, body).machineId)
