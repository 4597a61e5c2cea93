import { type AnswerOf, enterprises, machines, type PlaceSource } from '@busbar/contract'

/** The key value, its last hour and the day's connection of a machine; null if the caller may not see values. */
export type MachineOverview = machines.MachineItem['overview']

/** The time in which an owner gives an enterprise access; none during a suspension. Epoch milliseconds. */
export interface MaintenanceSpan {
  readonly start: number
  /** Null: no end. */
  readonly stop: number | null
  readonly isSuspended: boolean
}

/** The enterprise's own fields of a machine, beside those of every list. */
export interface EnterpriseEntry {
  readonly eid: number
  /** Its own device, or a customer's that it maintains. */
  readonly type: enterprises.DeviceType
  readonly addedAt: number
  readonly ip: string
  readonly iccid: string
  readonly platform: string
  /** Of a customer's device only. */
  readonly window: MaintenanceSpan | null
}

/** A machine in the form of every list of the console: personal, an enterprise's, a customer's. */
export interface Machine {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly remark: string
  readonly type: string
  readonly model: string
  readonly checkType: number
  readonly online: boolean
  readonly lastSeen: number | null
  readonly cloudService: boolean
  /** The caller's role on it (contract: limitAuthority). */
  readonly level: number
  readonly role: machines.MachineItem['role']
  readonly readOnly: boolean
  readonly groups: readonly { readonly id: number; readonly name: string }[]
  /** WGS-84; null where it is unknown, or not told to the caller. */
  readonly lat: number | null
  readonly lng: number | null
  /** Metres within which the place is right; null where a person set it. */
  readonly accuracy: number | null
  readonly source: PlaceSource | null
  /** When the place was found or set; epoch milliseconds. */
  readonly placedAt: number | null
  readonly address: string
  /** A picture of this very machine; empty if there is none. */
  readonly photo: string
  readonly openAlarms: number
  readonly worstAlarm: machines.AlarmLevel | null
  readonly overview: MachineOverview
  /** The caller's open application. */
  readonly application: machines.MachineItem['application']
  /** Null in the personal list. */
  readonly enterprise: EnterpriseEntry | null
}

/** Whether the caller holds a key of a machine that lets them change its settings. */
export function isSettingKey({ level, readOnly }: Pick<Machine, 'level' | 'readOnly'>): boolean {
  return level >= machines.limitAuthority.bkey && !readOnly
}

/** Whether the caller's key of a machine is read-only. */
export function isReadOnlyKey({ level, readOnly }: Pick<Machine, 'level' | 'readOnly'>): boolean {
  return level >= machines.limitAuthority.bkey && readOnly
}

/** A row of the personal list. */
export function machineOfOwn(row: machines.MachineItem): Machine {
  return {
    id: row.machine_id,
    name: row.machine_name,
    code: row.machine_code,
    remark: row.machine_remark,
    type: row.machine_type,
    model: row.model,
    checkType: row.check_type,
    online: row.online,
    lastSeen: row.lastSeen,
    cloudService: row.cloud_service,
    level: row.limit_authority,
    role: row.role,
    readOnly: row.readOnly,
    groups: row.groups,
    lat: row.lat,
    lng: row.lng,
    accuracy: row.accuracy,
    source: row.source,
    placedAt: row.placedAt,
    address: row.address,
    photo: row.project_image,
    openAlarms: row.openAlarms,
    worstAlarm: row.worstAlarm,
    overview: row.overview,
    application: row.application,
    enterprise: null,
  }
}

/** A row of an enterprise's list. */
export function machineOfEnterprise(
  row: enterprises.EnterpriseMachine,
  type: enterprises.DeviceType,
): Machine {
  const { maintainstart: start, maintainstop: stop } = row
  return {
    id: row.deviceid,
    name: row.machineName,
    code: row.machineCode,
    remark: row.remark,
    type: row.machineType,
    model: row.model,
    checkType: row.checkType,
    online: row.online,
    lastSeen: row.lastSeen,
    cloudService: row.cloudService,
    level: row.limitAuthority,
    role: row.role,
    readOnly: row.readOnly,
    groups: row.groupId === null ? [] : [{ id: row.groupId, name: row.groupName }],
    lat: row.lat,
    lng: row.lng,
    accuracy: row.accuracy,
    source: row.source,
    placedAt: row.placedAt,
    address: row.address,
    photo: row.projectImage,
    openAlarms: row.openAlarms,
    worstAlarm: row.worstAlarm,
    overview: row.overview,
    application: null,
    enterprise: {
      eid: row.eid,
      type,
      addedAt: row.registtime,
      ip: row.ip,
      iccid: row.iccid_num,
      platform: row.run_platform,
      window:
        start === null || stop === null
          ? null
          : {
              start,
              stop: stop === enterprises.noEnd ? null : stop,
              isSuspended: row.maintainState === 'suspended',
            },
    },
  }
}

type Answer = AnswerOf<typeof machines.getMachineDetail>
type HeldAnswer = machines.HeldDetail

/** The fields that everyone with the machine in a list gets. */
export interface ListedDetail {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly type: string
  readonly online: boolean
  readonly level: number
}

/** A machine's details for everyone except an ordinary user. */
export interface HeldDetail
  extends ListedDetail,
    Pick<
      HeldAnswer,
      | 'model'
      | 'lastSeen'
      | 'keyTagId'
      | 'strip24h'
      | 'attributes'
      | 'connection'
      | 'clock'
      | 'adapter'
      | 'timeZone'
      | 'textEncoding'
      | 'otherTopics'
      | 'openAlarms'
      | 'handlesAlarms'
    > {
  readonly remark: string
  /** The name given by its keys; `name` is the caller's own name for it. */
  readonly sharedName: string
  readonly checkType: number
  readonly lat: number | null
  readonly lng: number | null
  readonly address: string
  readonly readOnly: boolean
  readonly groups: HeldAnswer['machine_group']
  readonly cloudService: boolean
}

export type MachineDetail = HeldDetail | ListedDetail

/** Whether details are those of more than an ordinary user. */
export function isHeld(detail: MachineDetail | undefined): detail is HeldDetail {
  return detail !== undefined && 'keyTagId' in detail
}

export function detailOf(answer: Answer): MachineDetail {
  const listed: ListedDetail = {
    id: answer.equid,
    name: answer.equname,
    code: answer.machine_code,
    type: answer.machine_type,
    online: answer.online,
    level: answer.machine_limit,
  }
  if (!('keyTagId' in answer)) return listed
  return {
    ...listed,
    model: answer.model,
    lastSeen: answer.lastSeen,
    keyTagId: answer.keyTagId,
    strip24h: answer.strip24h,
    attributes: answer.attributes,
    connection: answer.connection,
    clock: answer.clock,
    adapter: answer.adapter,
    timeZone: answer.timeZone,
    textEncoding: answer.textEncoding,
    otherTopics: answer.otherTopics,
    openAlarms: answer.openAlarms,
    handlesAlarms: answer.handlesAlarms,
    remark: answer.machine_remark,
    sharedName: answer.machine_shared_name,
    checkType: answer.machine_check_type,
    lat: answer.machine_lat,
    lng: answer.machine_lng,
    address: answer.machine_address,
    readOnly: answer.machine_limit_read === 1,
    groups: answer.machine_group,
    cloudService: answer.cloud_service,
  }
}
