import {
  type applications,
  type messages as inbox,
  machines,
  placeSources,
  type telemetry,
  visits,
} from '@busbar/contract'
import {
  BoardChangeSchema,
  DeviceAuditSchema,
  DeviceInformSchema,
  fromBinary,
  HistoryChangeSchema,
  JobProgressSchema,
  MachineCheckSchema,
  MachineStateSchema,
  MassTextSchema,
  PlaceChangeSchema,
  Scene,
  SiteChangeSchema,
  TagsChangeSchema,
  TagValuesSchema,
  UnreadCountSchema,
  UserLogoutSchema,
  VisitSessionSchema,
  WriteResultSchema,
} from '@busbar/contract/push'
import { type LiveValue, toLiveValue } from './live-value.ts'

/* Each message of the push, once: its scenes, and how its body becomes an event. The types follow from it. */

/** `read` returns undefined if this version does not know the content. */
interface Message<Event> {
  readonly scenes: readonly Scene[]
  read(body: Uint8Array, scene: Scene): Event | undefined
}

const writeStates = ['confirmed', 'failed', 'timedOut'] as const satisfies readonly telemetry.WriteState[]

const declared = {
  heartbeat: { scenes: [Scene.NONE], read: () => null },

  /** Values of tags that this tab watches. */
  values: {
    scenes: [Scene.TAG_VALUES],
    read(body: Uint8Array) {
      const { machineId, values } = fromBinary(TagValuesSchema, body)
      const known = values.map(toLiveValue).filter((value): value is LiveValue => value !== undefined)
      return { machineId: Number(machineId), values: known }
    },
  },

  /** A machine connected or disconnected, its open alarms changed, or the caller's right to it. */
  machineState: {
    scenes: [Scene.MACHINE_STATE],
    read(body: Uint8Array) {
      const state = fromBinary(MachineStateSchema, body)
      return {
        machineId: Number(state.machineId),
        online: state.online,
        cloudService: state.cloudService,
        at: Number(state.at),
        openAlarms: state.openAlarms,
        worstAlarm: state.worstAlarm,
        /** The caller's role on the machine: holder of the Akey, of a Bkey, visitor, none. */
        limitAuthority: state.limitAuthority,
        role: state.role,
        /** The caller may only watch. */
        readOnly: state.readOnly,
      }
    },
  },

  /** Samples of the past arrived: this part of the history is reloaded. Both ends included. */
  historyChange: {
    scenes: [Scene.HISTORY_CHANGE],
    read(body: Uint8Array) {
      const { machineId, from, to } = fromBinary(HistoryChangeSchema, body)
      return { machineId: Number(machineId), from: Number(from), to: Number(to) }
    },
  },

  /** Tags of a machine that this tab watches were added, or are described in another way. */
  tagsChange: {
    scenes: [Scene.TAGS_CHANGE],
    read: (body: Uint8Array) => ({ machineId: Number(fromBinary(TagsChangeSchema, body).machineId) }),
  },

  /** A machine of the caller's list is at another place, WGS-84. */
  place: {
    scenes: [Scene.PLACE_CHANGE],
    read(body: Uint8Array) {
      const place = fromBinary(PlaceChangeSchema, body)
      const source = placeSources.find((known) => known === place.source)
      if (source === undefined) return undefined
      return {
        machineId: Number(place.machineId),
        lat: place.lat,
        lng: place.lng,
        /** Metres; null where a person set the place. */
        accuracy: place.accuracy ?? null,
        source,
        /** Epoch milliseconds. */
        placedAt: Number(place.at),
      }
    },
  },

  /** A part of the caller's check of a device; `part` is empty when the check is done. */
  machineCheck: {
    scenes: [Scene.MACHINE_CHECK],
    read(body: Uint8Array) {
      const { jobId, machineId, part, state } = fromBinary(MachineCheckSchema, body)
      return { jobId, machineId: Number(machineId), part, state }
    },
  },

  /**
   * A change of a visit that the caller made, or of a machine on which the caller is a key or a visitor.
   * Instants in epoch milliseconds.
   */
  visit: {
    scenes: [Scene.VISIT_SESSION],
    read(body: Uint8Array) {
      const visit = fromBinary(VisitSessionSchema, body)
      // A mode that this version does not know counts as the lesser right.
      const mode: visits.VisitMode = visit.mode === 'rw' ? 'rw' : 'ro'
      return {
        sessionId: Number(visit.sessionId),
        machineId: Number(visit.machineId),
        /** The visitor. */
        userId: Number(visit.userId),
        user: visit.user,
        target: visit.target,
        mode,
        until: Number(visit.until),
        /** Null while a bar attends it. */
        idleAt: Number(visit.idleAt) || null,
        /** The time at which its control is released because its page is closed; null if that is not near. */
        releaseAt: Number(visit.releaseAt) || null,
        ended: visit.ended,
        /** Null while it lasts, and for a reason this version does not know. */
        reason: visits.visitEndReasons.find((known) => known === visit.reason) ?? null,
        controls: visit.controls,
        asks: visit.asks,
        /** The person who controls the machine. */
        controller: {
          /** Null when it is free. */
          who: visit.controller || null,
          me: visit.controllerMe,
          /** The visit that holds it; null when it is free, or held for a write without a visit. */
          sessionId: Number(visit.controllerSessionId) || null,
        },
      }
    },
  },

  /** The end of a write. Undefined for a state that this version does not know. */
  writeResult: {
    scenes: [Scene.WRITE_RESULT],
    read(body: Uint8Array) {
      const result = fromBinary(WriteResultSchema, body)
      const state = writeStates.find((known) => known === result.state)
      // The value that the machine has now, where it is known.
      const kept: Pick<LiveValue, 'value'> | undefined = result.kept && toLiveValue(result.kept)
      return (
        state && {
          commandId: Number(result.commandId),
          machineId: Number(result.machineId),
          tagId: Number(result.tagId),
          state,
          kept,
          /** Why the machine refused, in its own words; empty otherwise. */
          reason: result.reason,
        }
      )
    },
  },

  /** A project's quota is nearly used, or a destination fails: in the words of its message. */
  projectAlarm: {
    scenes: [Scene.PROJECT_ALARM],
    read: (body: Uint8Array) => ({ content: fromBinary(MassTextSchema, body).content }),
  },

  /** The platform ended this session. */
  logout: {
    scenes: [Scene.USER_LOGOUT],
    read(body: Uint8Array) {
      const { loginIp, reason } = fromBinary(UserLogoutSchema, body)
      return { loginIp, reason }
    },
  },

  /** The caller's memberships, rights there, or invitations changed. */
  spaces: { scenes: [Scene.SPACE_CHANGE], read: () => null },

  /** A board that the caller had open lately was changed. */
  boardChange: {
    scenes: [Scene.BOARD_CHANGE],
    read(body: Uint8Array) {
      const { boardId, version, deleted, by, rights } = fromBinary(BoardChangeSchema, body)
      return { boardId: Number(boardId), version, deleted, by, rights }
    },
  },

  /** A site that the caller had open lately was changed. */
  siteChange: {
    scenes: [Scene.SITE_CHANGE],
    read(body: Uint8Array) {
      const { siteId, revision, deleted, by } = fromBinary(SiteChangeSchema, body)
      return { siteId: Number(siteId), revision, deleted, by }
    },
  },

  /** Progress of a job that the caller started, from 0 to 1. */
  jobProgress: {
    scenes: [Scene.JOB_PROGRESS],
    read(body: Uint8Array) {
      const { jobId, done, total, state } = fromBinary(JobProgressSchema, body)
      return {
        jobId,
        isOver: state !== 'running',
        hasFailed: state === 'failed',
        progress: total > 0 ? Math.min(done / total, 1) : 0,
      }
    },
  },

  /** An application was made, answered or is over: to the machine's keys, and to the applicant. */
  audit: {
    scenes: [Scene.BIND, Scene.VISIT],
    read(body: Uint8Array, scene: Scene) {
      const kind: applications.ApplicationKind = scene === Scene.BIND ? 'bind' : 'visit'
      const { deviceId, applyId, isResult, auditState } = fromBinary(DeviceAuditSchema, body)
      // `isResult`: it is decided.
      return { kind, machineId: Number(deviceId), applyId: Number(applyId), isResult, auditState }
    },
  },

  /**
   * An alarm for the caller; `isSpoken` where it may be read aloud. Undefined if the platform names no alarm.
   */
  alarm: {
    scenes: [Scene.DEVICE_ALARM, Scene.VOICE],
    read(body: Uint8Array, scene: Scene) {
      const { alarmId, deviceId, level, text } = fromBinary(DeviceInformSchema, body)
      const known = machines.alarmLevels.find((each) => each === level)
      if (Number(alarmId) === 0 || !known) return undefined
      const isSpoken = scene === Scene.VOICE
      return { alarmId: Number(alarmId), machineId: Number(deviceId), level: known, text, isSpoken }
    },
  },

  /** The number of unread messages. */
  unread: {
    scenes: [Scene.UNREAD, Scene.DEVICE_ALARM, Scene.VOICE],
    read(body: Uint8Array, scene: Scene): { total: number; byTab: inbox.UnreadByTab | null } {
      // The older scenes carry the sum alone.
      if (scene !== Scene.UNREAD)
        return { total: fromBinary(DeviceInformSchema, body).totalUnreadMsg, byTab: null }
      const { totalUnreadMsg, inbox, sent, alarm, project, device } = fromBinary(UnreadCountSchema, body)
      return { total: totalUnreadMsg, byTab: { inbox, sent, alarm, project, device } }
    },
  },
}

/** The messages of the push by name, each with its event; null if the name is enough. */
export type PushMessages = {
  [Name in keyof typeof declared]: Readonly<Exclude<ReturnType<(typeof declared)[Name]['read']>, undefined>>
}

type PushName = keyof PushMessages

export type ValuesEvent = PushMessages['values']
export type MachineStateEvent = PushMessages['machineState']
export type PlaceEvent = PushMessages['place']
export type HistoryChangeEvent = PushMessages['historyChange']
export type VisitEvent = PushMessages['visit']
export type ControllerHolder = VisitEvent['controller']
export type WriteEvent = PushMessages['writeResult']
export type LogoutEvent = PushMessages['logout']
export type AuditEvent = PushMessages['audit']
export type UnreadEvent = PushMessages['unread']
export type AlarmEvent = PushMessages['alarm']

const messages: { readonly [Name in PushName]: Message<PushMessages[Name]> } = declared
const names = Object.keys(messages) as PushName[]

/** Hands the event of one message to the listeners of its name. */
export type Tell = (events: MessageSink) => void

/** A receiver of messages' events; an emitter is one. */
export interface MessageSink {
  emit<Name extends PushName>(name: Name, event: PushMessages[Name]): void
}

/** Reads the body of a push; undefined for a scene or a content that this version does not know. */
export function readMessage(scene: Scene, body: Uint8Array): Tell | undefined {
  const told = names
    .filter((known) => messages[known].scenes.includes(scene))
    .flatMap((name) => readAs(name, scene, body) ?? [])
  if (told.length === 0) return undefined
  return (events) => {
    for (const tell of told) tell(events)
  }
}

function readAs<Name extends PushName>(name: Name, scene: Scene, body: Uint8Array): Tell | undefined {
  const event = messages[name].read(body, scene)
  return event === undefined ? undefined : (events) => events.emit(name, event)
}
