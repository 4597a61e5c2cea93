import { type telemetry, visits } from '@busbar/contract'
import {
  fromBinary,
  HistoryChangeSchema,
  type MachineState,
  MachineStateSchema,
  VisitSessionSchema,
  WriteResultSchema,
} from '@busbar/contract/push'
import { type LiveValue, toLiveValue } from './live-value.ts'

/** A machine came, went, has other open alarms, or the caller another right to it. */
export interface MachineStateEvent {
  readonly machineId: number
  readonly online: boolean
  readonly cloudService: boolean
  readonly at: number
  readonly openAlarms: number
  readonly worstAlarm: string
  /** What the caller is to the machine (decision 21). */
  readonly limitAuthority: number
}

/** A visit of one's own, or of a machine one holds a key of or visits, after a change. Instants in epoch milliseconds. */
export interface VisitEvent {
  readonly sessionId: number
  readonly machineId: number
  /** The visitor. */
  readonly userId: number
  readonly user: string
  readonly target: string
  readonly mode: visits.VisitMode
  readonly until: number
  /** Null while a bar attends it. */
  readonly idleAt: number | null
  readonly ended: boolean
  /** Null while it lasts, and for a reason this version does not know. */
  readonly reason: visits.VisitEndReason | null
  readonly controls: boolean
  readonly asks: boolean
  /** Who holds the machine's controller. */
  readonly controller: ControllerHolder
}

export interface ControllerHolder {
  /** Null when it is free. */
  readonly who: string | null
  readonly me: boolean
  /** The visit that holds it; null when it is free, or held for a write without a visit. */
  readonly sessionId: number | null
}

/** What became of a write (decision 47). */
export interface WriteEvent {
  readonly commandId: number
  readonly machineId: number
  readonly tagId: number
  readonly state: Exclude<telemetry.WriteState, 'sent'>
  /** What the machine has now, where it is known. */
  readonly kept: LiveValue | undefined
  /** Why the machine refused, in its own words; empty otherwise. */
  readonly reason: string
}

/** Samples of the past arrived: what is shown of that time is worth asking for again. Both ends included. */
export interface HistoryChangeEvent {
  readonly machineId: number
  readonly from: number
  readonly to: number
}

export function parseHistoryChange(body: Uint8Array): HistoryChangeEvent {
  const { machineId, from, to } = fromBinary(HistoryChangeSchema, body)
  return { machineId: Number(machineId), from: Number(from), to: Number(to) }
}

export function parseMachineState(body: Uint8Array): MachineStateEvent {
  const state: MachineState = fromBinary(MachineStateSchema, body)
  const { online, cloudService, openAlarms, worstAlarm, limitAuthority } = state
  return {
    machineId: Number(state.machineId),
    online,
    cloudService,
    at: Number(state.at),
    openAlarms,
    worstAlarm,
    limitAuthority,
  }
}

export function parseVisit(body: Uint8Array): VisitEvent {
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
export function parseWriteResult(body: Uint8Array): WriteEvent | undefined {
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
