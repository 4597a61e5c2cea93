import { createHash } from 'node:crypto'
import { enterprises as contract } from '@busbar/contract'
import { presentPlace } from '../../kernel/database/place-of.ts'
import { type Access, presentRole } from '../access/index.ts'
import type { OpenAlarms } from '../alarms/index.ts'
import { type Overview, versionOfOverview } from '../machines/index.ts'
import type { DeviceRow } from './devices-store.ts'

/** A device with its live data. */
export interface DeviceNow {
  readonly eid: number
  readonly row: DeviceRow
  readonly access: Access
  readonly online: boolean
  /** Epoch milliseconds; null when never seen. */
  readonly lastSeen: number | null
  /** The name of the reader's oldest project that has it; empty without one. */
  readonly project: string
}

/** Values of a device that its list shows beside. */
export interface DeviceValues {
  readonly alarms: OpenAlarms | undefined
  readonly overview: Overview
}

/** The place and hardware of a device are shown only to people who may enter it. */
const isTold = ({ access }: DeviceNow): boolean => access.level > 0

export function presentDevice(device: DeviceNow): contract.EnterpriseDevice {
  const { eid, row, access, online } = device
  const told = isTold(device)
  return {
    eid,
    deviceId: row.machine_id,
    machineId: row.machine_id,
    deviceName: row.name,
    pn: row.code,
    checkType: row.check_type,
    machineRemark: row.remark,
    hasPasswd: row.has_password,
    project: device.project,
    projectImage: told ? (row.project_image ?? '') : '',
    location: told ? (row.address ?? '') : '',
    lat: told ? row.lat : null,
    lng: told ? row.lng : null,
    online,
    limitAuthority: access.level,
    version: told ? attribute(row, 'firmware') : '',
  }
}

/** `urlOf` answers the address a machine's page has. */
export function presentMachine(
  device: DeviceNow,
  { alarms, overview }: DeviceValues,
  urlOf: (machineCode: string) => string,
): contract.EnterpriseMachine {
  const { eid, row, access, online, lastSeen } = device
  const told = isTold(device)
  const mayEnter = access.rights.has('visitor+')
  const { role, readOnly } = presentRole(access)
  return {
    eid,
    extendId: row.extend_id,
    deviceid: row.machine_id,
    machineName: row.name,
    machineCode: row.code,
    machineType: row.type,
    remark: row.remark,
    hasPasswd: row.has_password,
    project: device.project,
    address: told ? (row.address ?? '') : '',
    ...presentPlace(told ? row : undefined),
    iccid_num: told ? attribute(row, 'iccid') : '',
    ip: told ? attribute(row, 'ip') : '',
    model: told ? row.model : '',
    online,
    maintainstart: row.start_at?.getTime() ?? null,
    maintainstop: row.start_at && (row.stop_at?.getTime() ?? contract.noEnd),
    maintainState: row.window_state ?? '',
    registtime: row.added_at.getTime(),
    run_platform: told ? attribute(row, 'platform') : '',
    testUrl: mayEnter ? urlOf(row.code) : '',
    groupId: row.group_id,
    groupName: row.group_name ?? '',
    limitAuthority: access.level,
    mayEnter,
    lastSeen: told ? lastSeen : null,
    projectImage: told ? (row.project_image ?? '') : '',
    checkType: row.check_type,
    cloudService: told ? row.cloud_service : true,
    openAlarms: told ? (alarms?.open ?? 0) : 0,
    worstAlarm: told
      ? ((alarms?.worst as contract.EnterpriseMachine['worstAlarm'] | undefined) ?? null)
      : null,
    overview,
    role,
    readOnly,
  }
}

export function presentBase(device: DeviceNow) {
  const { row, online } = device
  const told = isTold(device)
  return {
    machineCode: row.code,
    alias: row.name,
    maintenanceRemark: row.remark,
    project: device.project,
    group: row.group_name ?? '',
    online,
    cloudService: row.cloud_service,
    lng: told ? row.lng : null,
    lat: told ? row.lat : null,
    address: told ? (row.address ?? '') : '',
    checkType: row.check_type,
  }
}

/** The machine's attributes, as texts; empty for people who may not enter it. */
export function presentAttributes(device: DeviceNow): Record<string, string> {
  if (!isTold(device)) return {}
  const texts = Object.entries(device.row.attributes).filter(([, value]) => typeof value !== 'object')
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]))
}

/** The list's version: changes with everything that is shown and is not pushed. */
export function versionOf(answer: { list: readonly object[]; total: number; page: number }): string {
  const hash = createHash('sha256').update(`${answer.total} ${answer.page}`)
  for (const item of answer.list) {
    const { overview = null, ...rest } = item as { readonly overview?: Overview }
    hash.update(JSON.stringify([{ ...rest, lastSeen: null, placedAt: null }, versionOfOverview(overview)]))
  }
  return hash.digest('base64url')
}

function attribute(row: DeviceRow, name: string): string {
  const value = row.attributes[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
