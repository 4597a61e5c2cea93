import { visits } from '@busbar/contract'
import {
  ClientSchema,
  create,
  DeviceAuditSchema,
  DeviceInformSchema,
  fromBinary,
  HistoryChangeSchema,
  MachineStateSchema,
  type Push,
  PushSchema,
  Scene,
  TagValuesSchema,
  toBinary,
  UnreadCountSchema,
  UserLogoutSchema,
  VisitSessionSchema,
  WriteResultSchema,
} from '@busbar/contract/push'
import { type LiveValue, toLiveValue } from './live-value.ts'
import type {
  AuditEvent,
  HistoryChangeEvent,
  MachineStateEvent,
  PushEvent,
  UnreadEvent,
  ValuesEvent,
  VisitEvent,
  WriteEvent,
} from './push-events.ts'

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

/** A bar of this visit is on the screen, or is not any more. */
export function attendFrame(sessionId: number, attended: boolean): Frame {
  const value = { sessionId: String(sessionId) }
  const kind = attended ? { case: 'attend' as const, value } : { case: 'unattend' as const, value }
  return toBinary(ClientSchema, create(ClientSchema, { kind }))
}

/** What a frame from the platform says; no event where this version does not know it. */
export function readPush(data: ArrayBuffer): { id: bigint; event: PushEvent | undefined } {
  const push = fromBinary(PushSchema, new Uint8Array(data))
  return { id: BigInt(push.id), event: readEvent(push) }
}

function readEvent({ scene, body }: Push): PushEvent | undefined {
  switch (scene) {
    case Scene.NONE:
      return { kind: 'heartbeat' }
    case Scene.TAG_VALUES:
      return { kind: 'values', event: parseValues(body) }
    case Scene.MACHINE_STATE:
      return { kind: 'machineState', event: parseMachineState(body) }
    case Scene.HISTORY_CHANGE:
      return { kind: 'historyChange', event: parseHistoryChange(body) }
    case Scene.VISIT_SESSION:
      return { kind: 'visit', event: parseVisit(body) }
    case Scene.WRITE_RESULT: {
      const event = parseWriteResult(body)
      return event && { kind: 'writeResult', event }
    }
    case Scene.USER_LOGOUT: {
      const { loginIp, reason } = fromBinary(UserLogoutSchema, body)
      return { kind: 'logout', event: { loginIp, reason } }
    }
    case Scene.SPACE_CHANGE:
      return { kind: 'spaces' }
    case Scene.DEVICE_ALARM:
    case Scene.VOICE:
      return {
        kind: 'unread',
        event: { total: fromBinary(DeviceInformSchema, body).totalUnreadMsg, byTab: null },
      }
    case Scene.UNREAD:
      return { kind: 'unread', event: parseUnread(body) }
    case Scene.BIND:
      return { kind: 'audit', event: parseAudit('bind', body) }
    case Scene.VISIT:
      return { kind: 'audit', event: parseAudit('visit', body) }
    default:
      return undefined
  }
}

function parseValues(body: Uint8Array): ValuesEvent {
  const { machineId, values } = fromBinary(TagValuesSchema, body)
  const known = values.map(toLiveValue).filter((value): value is LiveValue => value !== undefined)
  return { machineId: Number(machineId), values: known }
}

function parseHistoryChange(body: Uint8Array): HistoryChangeEvent {
  const { machineId, from, to } = fromBinary(HistoryChangeSchema, body)
  return { machineId: Number(machineId), from: Number(from), to: Number(to) }
}

function parseMachineState(body: Uint8Array): MachineStateEvent {
  const state = fromBinary(MachineStateSchema, body)
  const { online, cloudService, openAlarms, worstAlarm, limitAuthority, role, readOnly } = state
  return {
    machineId: Number(state.machineId),
    online,
    cloudService,
    at: Number(state.at),
    openAlarms,
    worstAlarm,
    limitAuthority,
    role,
    readOnly,
  }
}

function parseAudit(kind: AuditEvent['kind'], body: Uint8Array): AuditEvent {
  const { deviceId, applyId, isResult, auditState } = fromBinary(DeviceAuditSchema, body)
  return { kind, machineId: Number(deviceId), applyId: Number(applyId), isResult, auditState }
}

function parseUnread(body: Uint8Array): UnreadEvent {
  const { totalUnreadMsg, inbox, sent, alarm, project, device } = fromBinary(UnreadCountSchema, body)
  return { total: totalUnreadMsg, byTab: { inbox, sent, alarm, project, device } }
}

function parseVisit(body: Uint8Array): VisitEvent {
  const visit = fromBinary(VisitSessionSchema, body)
  return {
    sessionId: Number(visit.sessionId),
    machineId: Number(visit.machineId),
    userId: Number(visit.userId),
    user: visit.user,
    target: visit.target,
    // What is not known to be allowed to change things may only watch.
    mode: visit.mode === 'rw' ? 'rw' : 'ro',
    until: Number(visit.until),
    idleAt: Number(visit.idleAt) || null,
    releaseAt: Number(visit.releaseAt) || null,
    ended: visit.ended,
    reason: visits.visitEndReasons.find((known) => known === visit.reason) ?? null,
    controls: visit.controls,
    asks: visit.asks,
    controller: {
      who: visit.controller || null,
      me: visit.controllerMe,
      sessionId: Number(visit.controllerSessionId) || null,
    },
  }
}

const writeStates = ['confirmed', 'failed', 'timedOut'] as const satisfies readonly WriteEvent['state'][]

/** Nothing for a state this version does not know. */
function parseWriteResult(body: Uint8Array): WriteEvent | undefined {
  const result = fromBinary(WriteResultSchema, body)
  const state = writeStates.find((known) => known === result.state)
  return (
    state && {
      commandId: Number(result.commandId),
      machineId: Number(result.machineId),
      tagId: Number(result.tagId),
      state,
      kept: result.kept && toLiveValue(result.kept),
      reason: result.reason,
    }
  )
}
