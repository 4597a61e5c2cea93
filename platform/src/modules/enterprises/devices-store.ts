import { sql } from 'kysely'
import { attributesFor, type PlaceReader, placeOf, type ReadPlace } from '../../kernel/database/place-of.ts'
import type { Db, Trx } from './spaces-store.ts'

/** The relation of a device to an enterprise: its own, or a customer's that it maintains. */
export type DeviceKind = 'owned' | 'maintained'

export interface DeviceFilter {
  readonly kind?: DeviceKind
  readonly groupId?: number | undefined
  readonly machineId?: number
  /** Part of a name, remark or machine code; empty: all. */
  readonly search?: string
}

export interface DeviceRow extends ReadPlace {
  readonly extend_id: number
  readonly kind: DeviceKind
  readonly machine_id: number
  readonly name: string
  readonly remark: string
  readonly added_at: Date
  readonly group_id: number | null
  readonly group_name: string | null
  readonly code: string
  readonly type: string
  readonly model: string
  readonly check_type: number
  readonly cloud_service: boolean
  readonly has_password: boolean
  readonly attributes: Record<string, unknown>
  readonly project_image: string | null
  readonly last_seen_at: Date | null
  readonly window_state: 'accepted' | 'suspended' | null
  readonly start_at: Date | null
  readonly stop_at: Date | null
  readonly total: number
}

/** Devices by name, each with the maintenance window that is open, opens next or was the last. */
export async function listDevices(
  db: Db,
  eid: number,
  filter: DeviceFilter,
  reader: PlaceReader,
  page: { offset: number; count: number; now: Date },
): Promise<DeviceRow[]> {
  const { kind, groupId, machineId, search = '' } = filter
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<DeviceRow>`
    with device as materialized (
      select device.*, count(*) over ()::int as total
      from enterprise_machines device join machines on machines.id = device.machine_id
      where device.enterprise_id = ${eid}
        and (${kind ?? null}::text is null or device.kind = ${kind ?? null})
        and (${groupId ?? null}::bigint is null or device.group_id = ${groupId ?? null})
        and (${machineId ?? null}::bigint is null or device.machine_id = ${machineId ?? null})
        and (${search} = '' or device.name ilike ${pattern} or device.remark ilike ${pattern}
             or machines.code like ${pattern})
      order by device.name, device.machine_id
      offset ${page.offset} limit ${page.count})
    select device.id as extend_id, device.kind, device.machine_id, device.name, device.remark, device.added_at,
           device.group_id, own_group.name as group_name,
           machines.code, machines.type, machines.model, machines.check_type, machines.cloud_service,
           machines.password_hash is not null as has_password, ${attributesFor(reader)} as attributes, place.*,
           machines.project_image, machines.last_seen_at,
           span.state as window_state, span.start_at, span.stop_at, device.total
    from device
    join machines on machines.id = device.machine_id
    left join enterprise_groups own_group on own_group.id = device.group_id
    left join lateral ${placeOf(reader)} on true
    left join lateral (
      select state, start_at, stop_at from maintenance_windows
      where device.kind = 'maintained' and enterprise_id = device.enterprise_id
        and machine_id = device.machine_id and state in ('accepted', 'suspended')
      order by (stop_at is null or stop_at > ${page.now}) desc,
               case when stop_at is null or stop_at > ${page.now} then start_at end, stop_at desc
      limit 1) span on true
    order by device.name, device.machine_id`.execute(db)
  return rows
}

/** A machine by its code, with its owner. */
export async function findMachineByCode(db: Db, code: string) {
  return db
    .selectFrom('machines')
    .select(['id', 'code', 'name', 'owner_user_id', 'owner_enterprise_id', 'password_hash'])
    .where('code', '=', code)
    .executeTakeFirst()
}

/** Puts a device into the enterprise's list; one that is there stays as it is. */
export async function putDevice(
  trx: Trx,
  device: {
    eid: number
    machineId: number
    kind: DeviceKind
    name: string
    groupId: number | null
    at: Date
  },
): Promise<void> {
  await trx
    .insertInto('enterprise_machines')
    .values({
      enterprise_id: device.eid,
      machine_id: device.machineId,
      kind: device.kind,
      name: device.name,
      group_id: device.groupId,
      added_at: device.at,
    })
    .onConflict((conflict) => conflict.columns(['enterprise_id', 'machine_id']).doNothing())
    .execute()
}

export async function countDevicesOfKind(db: Db, eid: number, kind: DeviceKind): Promise<number> {
  const row = await db
    .selectFrom('enterprise_machines')
    .select(sql<number>`count(*)`.as('count'))
    .where('enterprise_id', '=', eid)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Changes the enterprise's own notes of a device. */
export async function updateDevice(
  trx: Trx,
  device: { eid: number; machineId: number },
  change: { name?: string; remark?: string; group_id?: number | null },
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await trx
    .updateTable('enterprise_machines')
    .set(change)
    .where('enterprise_id', '=', device.eid)
    .where('machine_id', '=', device.machineId)
    .execute()
}

/** The relation of a device to the enterprise, and its machine's code. */
export async function findDevice(db: Db, eid: number, machineId: number) {
  const row = await db
    .selectFrom('enterprise_machines as device')
    .innerJoin('machines', 'machines.id', 'device.machine_id')
    .select(['device.kind', 'device.name', 'machines.code'])
    .where('device.enterprise_id', '=', eid)
    .where('device.machine_id', '=', machineId)
    .executeTakeFirst()
  return row && { kind: row.kind as DeviceKind, name: row.name, code: row.code }
}

/** Takes a device out of the enterprise's list, its groups and teams. */
export async function removeDevice(trx: Trx, eid: number, machineId: number): Promise<void> {
  await trx
    .deleteFrom('enterprise_machines')
    .where('enterprise_id', '=', eid)
    .where('machine_id', '=', machineId)
    .execute()
}

/** Whether a person holds a right to the machine that is not over. */
export async function isHeld(db: Db, machineId: number, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('machine_grants')
    .select('id')
    .where('machine_id', '=', machineId)
    .where((where) => where.or([where('until', 'is', null), where('until', '>', now)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
