import { createHash } from 'node:crypto'
import type { AnswerOf, Lang } from '@busbar/contract'
import { machines as contract, firstPlaceType, type telemetry } from '@busbar/contract'
import { chooseText } from '../../kernel/choose-text.ts'
import { presentPlace } from '../../kernel/database/place-of.ts'
import { type Access, presentRole } from '../access/index.ts'
import type { OpenAlarmRow } from '../alarms/index.ts'
import { isTimeBelieved } from '../telemetry/index.ts'
import { type Overview, versionOfOverview } from './list-overviews.ts'
import type * as store from './machines-store.ts'

type Detail = AnswerOf<typeof contract.getMachineDetail>
type Held = Extract<Detail, { lastSeen: unknown }>
type Connection = NonNullable<Held['connection']>
type Adapter = telemetry.Adapter
type TextEncoding = telemetry.TextEncoding

/** A machine's presence. `lastSeen` in epoch milliseconds; null when never seen. */
export interface MachineNow {
  readonly online: boolean
  readonly lastSeen: number | null
}

/** A machine's clock offset (positive: ahead), and the time of the measurement, epoch milliseconds. */
export interface ClockReading {
  readonly offsetMs: number
  readonly at: number
}

/** The parts of a machine that an ordinary user does not see. */
const withheld = {
  model: '',
  check_type: contract.checkTypes.akeyAndBkey,
  lastSeen: null,
  cloud_service: true,
  ...presentPlace(),
  address: '',
  location_type: firstPlaceType,
  location_way: null,
  project_image: '',
  unconfirmedAlarms: 0,
  openAlarms: 0,
  worstAlarm: null,
} as const

/** One row of the personal list; an ordinary user gets name, code, type, online state and their own notes only. */
export function presentMachine(
  row: store.EntryRow,
  access: Access,
  now: MachineNow,
  overview: Overview,
  {
    application,
    projectId,
  }: Pick<contract.MachineItem, 'application'> & { readonly projectId: number | null },
): contract.MachineItem {
  const told =
    access.level === contract.limitAuthority.ordinary
      ? withheld
      : {
          model: row.model,
          check_type: row.check_type,
          lastSeen: now.lastSeen,
          cloud_service: row.cloud_service,
          ...presentPlace(row),
          address: row.address ?? '',
          location_type: row.location_type ?? firstPlaceType,
          location_way: row.location_way,
          project_image: row.project_image ?? '',
          unconfirmedAlarms: row.unconfirmed ?? 0,
          openAlarms: row.open ?? 0,
          worstAlarm: (row.worst as contract.AlarmLevel | null) ?? null,
        }
  const { role, readOnly, visitTime } = presentRole(access)
  return {
    machine_id: row.id,
    machine_name: row.name,
    machine_code: row.code,
    machine_remark: row.remark,
    machine_type: row.type,
    state: contract.operationStates.idle,
    online: now.online,
    limit_authority: access.level,
    groups: row.groups,
    ezviz_account_id: null,
    emq_project_id: projectId,
    ...told,
    overview,
    role,
    readOnly,
    visitTime,
    application,
  }
}

/**
 * The list's version: changes with everything that is not pushed. Key values and states travel by push, like the time of
 * a place that stays; sparkline and strip move on with their bucket.
 */
export function versionOf(list: readonly contract.MachineItem[], lang: Lang): string {
  const hash = createHash('sha256').update(lang)
  for (const item of list) {
    const { overview, lastSeen: _, placedAt: __, ...rest } = item
    hash.update(JSON.stringify([rest, versionOfOverview(overview)]))
  }
  return hash.digest('base64url')
}

/** A machine as its edit form shows it; an ordinary user gets name, code, type and online state only. */
export function presentDetail(
  row: store.EntryRow,
  access: Access,
  now: MachineNow,
  more: {
    lang: Lang
    at: number
    keyTagId: number | null
    strip24h: number[]
    alarms: readonly OpenAlarmRow[]
    connection: Connection | null
    clock: ClockReading | null
  },
): Detail {
  const known = {
    equid: row.id,
    equname: row.name,
    machine_code: row.code,
    machine_type: row.type,
    online: now.online,
    machine_limit: access.level,
  }
  if (access.level === contract.limitAuthority.ordinary) return known
  return {
    ...known,
    machine_remark: row.remark,
    machine_shared_name: row.shared_name,
    machine_rest_time: access.endsAt === undefined ? -1 : Math.max(0, access.endsAt - more.at),
    machine_valid_id: access.role === 'akey' ? null : row.grant_id,
    machine_check_type: row.check_type,
    machine_lng: row.lng,
    machine_lat: row.lat,
    machine_address: row.address ?? '',
    machine_limit_read: access.readOnly ? 1 : 0,
    machine_limit_alarm: access.alarms ? 1 : 0,
    handlesAlarms: access.handlesAlarms,
    machine_group: row.groups,
    ezviz_account_id: null,
    machine_location_type: row.location_type ?? firstPlaceType,
    machine_location_way: row.location_way,
    cloud_service: row.cloud_service,
    model: row.model,
    lastSeen: now.lastSeen,
    keyTagId: more.keyTagId,
    strip24h: more.strip24h,
    attributes: presentAttributes(row.attributes),
    connection: more.connection,
    clock: more.clock && presentClock(more.clock),
    adapter: (row.adapter ?? '') as Adapter | '',
    timeZone: row.time_zone,
    textEncoding: row.text_encoding as TextEncoding,
    otherTopics: row.other_topics,
    openAlarms: more.alarms.map((alarm) => ({
      alarmId: alarm.id,
      key: alarm.key,
      ruleId: alarm.rule_id,
      level: alarm.level as contract.AlarmLevel,
      text: chooseText(alarm.text, more.lang),
      raisedAt: alarm.raised_at.getTime(),
      count: alarm.count,
      confirmedAt: alarm.confirmed_at?.getTime() ?? null,
      shelvedUntil: alarm.shelved_until?.getTime() ?? null,
      outOfService: alarm.out_of_service === true,
    })),
  }
}

function presentClock({ offsetMs, at }: ClockReading) {
  return {
    offsetMs: Math.round(offsetMs),
    at,
    believed: isTimeBelieved(at + offsetMs, false, at),
  }
}

/** The attributes that a person reads; lists of cells and networks only serve to find the place. */
function presentAttributes(attributes: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((attributes ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
      const text = typeof value === 'object' ? presentGps(value) : String(value)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

/** A place as machines send it, `{lat, lng, accuracy}`; undefined for any other object. */
function presentGps(value: object | null): string | undefined {
  const { lat, lng, accuracy } = (value ?? {}) as Record<string, unknown>
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined
  return typeof accuracy === 'number' ? `${lat}, ${lng} ±${accuracy} m` : `${lat}, ${lng}`
}
