import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { escapeLike } from '../../kernel/database/search.ts'
import { nameFor } from '../machine-names/index.ts'
import type { Slice } from './records-store.ts'

type Db = Kysely<DB>

/** The machines of a list: these, or those that an enterprise owns. */
export interface MachinesOf {
  readonly userId: number
  readonly eid?: number | undefined
  readonly groupId?: number | undefined
  readonly machineIds?: readonly number[]
}

/** Machines by their name for the reader, and how many there are. */
export async function listMachines(
  db: Db,
  { userId, eid, groupId, machineIds }: MachinesOf,
  blur: string | undefined,
  { offset, limit }: Slice,
): Promise<{ rows: { id: number; code: string; name: string }[]; total: number }> {
  const own = nameFor(sql`${userId}::bigint`, sql.ref('machines.id'))
  const name = eid === undefined ? own : sql`coalesce(device.name, ${own})`
  const isListed =
    machineIds === undefined
      ? sql`device.kind = 'owned' ${groupId === undefined ? sql`` : sql`and device.group_id = ${groupId}`}`
      : sql`machines.id = any(${[...machineIds]}::bigint[])`
  const pattern = blur ? `%${escapeLike(blur.toLowerCase())}%` : undefined
  const { rows } = await sql<{ id: number; code: string; name: string; total: number }>`
    select *, count(*) over ()::int as total from (
      select machines.id, machines.code, ${name} as name
      from machines
      left join enterprise_machines device
        on device.machine_id = machines.id and device.enterprise_id = ${eid ?? 0}
      where ${isListed}
    ) machine
    where ${pattern ? sql`(lower(name) like ${pattern} or code like ${pattern})` : sql`true`}
    order by name, id offset ${offset} limit ${limit}`.execute(db)
  return { rows, total: rows[0]?.total ?? 0 }
}

/** The accounts of people. */
export async function listPeople(db: Db, userIds: readonly number[]) {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'phone', 'email'])
    .where(sql<boolean>`id = any(${[...new Set(userIds)]}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Number of confirmed contacts who get the alarms of each machine. */
export async function countContacts(db: Db, machineIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ machine_id: number; count: number }>`
    select told.machine_id, count(*)::int as count
    from alarm_contact_machines told join alarm_contacts contact on contact.id = told.contact_id
    where told.machine_id = any(${[...machineIds]}::bigint[])
      and contact.confirmed_at is not null and contact.left_at is null
    group by told.machine_id`.execute(db)
  return new Map(rows.map((row) => [row.machine_id, row.count]))
}

/** The brand on whose host a person was last seen, as their messages name it; undefined: on none. */
export async function findPersonBrand(db: Db, userId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('brand_id')
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.brand_id ?? undefined
}
