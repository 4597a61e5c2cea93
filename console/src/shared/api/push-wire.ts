import { ClientSchema, create, fromBinary, PushSchema, toBinary } from '@busbar/contract/push'
import { readMessage, type Tell } from './push-messages.ts'

/* The push's frames, both ways. Loaded beside the first screen, which does not wait for it. */

type Frame = Uint8Array<ArrayBuffer>

export const heartbeatFrame: Frame = toBinary(
  ClientSchema,
  create(ClientSchema, { kind: { case: 'heartbeat', value: {} } }),
)

/** `tagIds` empty: every tag of the machine. */
export function watchFrame(machineId: number, tagIds: readonly number[]): Frame {
  const value = { machineId: String(machineId), tagIds: tagIds.map(String) }
  return toBinary(ClientSchema, create(ClientSchema, { kind: { case: 'watch', value } }))
}

export function unwatchFrame(machineId: number): Frame {
  const value = { machineId: String(machineId) }
  return toBinary(ClientSchema, create(ClientSchema, { kind: { case: 'unwatch', value } }))
}

export function resumeFrame(id: bigint): Frame {
  return toBinary(ClientSchema, create(ClientSchema, { kind: { case: 'resume', value: { id: String(id) } } }))
}

/** A bar of this visit is on the screen, or no longer. */
export function attendFrame(sessionId: number, attended: boolean): Frame {
  const value = { sessionId: String(sessionId) }
  const kind = attended ? { case: 'attend' as const, value } : { case: 'unattend' as const, value }
  return toBinary(ClientSchema, create(ClientSchema, { kind }))
}

/** Reads a frame from the platform; `tell` is undefined if this version does not know the message. */
export function readPush(data: ArrayBuffer): { id: bigint; tell: Tell | undefined } {
  const { id, scene, body } = fromBinary(PushSchema, new Uint8Array(data))
  return { id: BigInt(id), tell: readMessage(scene, body) }
}
