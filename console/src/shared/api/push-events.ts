import type { applications, messages, telemetry, visits } from '@busbar/contract'
import type { LiveValue } from './live-value.ts'

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
  readonly role: string
  /** The caller may only watch. */
  readonly readOnly: boolean
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
  /** When its control falls free because its page is closed; null where that is not near. */
  readonly releaseAt: number | null
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
  readonly kept: Pick<LiveValue, 'value'> | undefined
  /** Why the machine refused, in its own words; empty otherwise. */
  readonly reason: string
}

/** Samples of the past arrived: what is shown of that time is worth asking for again. Both ends included. */
export interface HistoryChangeEvent {
  readonly machineId: number
  readonly from: number
  readonly to: number
}

/** The platform ended this session. */
export interface LogoutEvent {
  readonly loginIp: string
  readonly reason: string
}

/** An application was made, answered or is over: to the machine's keys, and to whoever asked. */
export interface AuditEvent {
  readonly kind: applications.ApplicationKind
  readonly machineId: number
  readonly applyId: number
  /** It is decided. */
  readonly isResult: boolean
  readonly auditState: number
}

/** One's unread messages. */
export interface UnreadEvent {
  readonly total: number
  /** Null where only the sum is told. */
  readonly byTab: messages.UnreadByTab | null
}

/** Values of tags one watches. */
export interface ValuesEvent {
  readonly machineId: number
  readonly values: LiveValue[]
}

/** What the platform pushes, by what it is about. */
export type PushEvent =
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'values'; readonly event: ValuesEvent }
  | { readonly kind: 'machineState'; readonly event: MachineStateEvent }
  | { readonly kind: 'historyChange'; readonly event: HistoryChangeEvent }
  | { readonly kind: 'visit'; readonly event: VisitEvent }
  | { readonly kind: 'writeResult'; readonly event: WriteEvent }
  | { readonly kind: 'logout'; readonly event: LogoutEvent }
  | { readonly kind: 'spaces' }
  | { readonly kind: 'audit'; readonly event: AuditEvent }
  | { readonly kind: 'unread'; readonly event: UnreadEvent }
