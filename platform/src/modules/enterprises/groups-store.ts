import { sql } from 'kysely'
import type { DeviceKind } from './devices-store.ts'
import type { Db, Trx } from './spaces-store.ts'

/** The enterprise's groups with how many devices they hold, of one kind or of both. */
export async function listGroups(db: Db, eid: number, kind?: DeviceKind) {
  const { rows } = await sql<{ id: number; name: string; count: number }>`
    select wanted.id, wanted.name, count(device.id)::int as count
    from enterprise_groups wanted
    left join enterprise_machines device
      on device.group_id = wanted.id and (${kind ?? null}::text is null or device.kind = ${kind ?? null})
    where wanted.enterprise_id = ${eid}
    group by wanted.id
    order by wanted.name`.execute(db)
  return rows
}

export async function findGroup(db: Db, eid: number, id: number) {
  return db
    .selectFrom('enterprise_groups')
    .select(['id', 'name'])
    .where('enterprise_id', '=', eid)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function countGroups(db: Db, eid: number): Promise<number> {
  const row = await db
    .selectFrom('enterprise_groups')
    .select(sql<number>`count(*)`.as('count'))
    .where('enterprise_id', '=', eid)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Makes a group; undefined when the name is taken. */
export async function createGroup(trx: Trx, eid: number, name: string): Promise<number | undefined> {
  const row = await trx
    .insertInto('enterprise_groups')
    .values({ enterprise_id: eid, name })
    .onConflict((conflict) => conflict.columns(['enterprise_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function isGroupNameTaken(
  db: Db,
  eid: number,
  name: string,
  exceptId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('enterprise_groups')
    .select('id')
    .where('enterprise_id', '=', eid)
    .where('name', '=', name)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateGroupName(trx: Trx, id: number, name: string): Promise<void> {
  await trx.updateTable('enterprise_groups').set({ name }).where('id', '=', id).execute()
}

export async function countGroupDevices(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('enterprise_machines')
    .select(sql<number>`count(*)`.as('count'))
    .where('group_id', '=', id)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function removeGroup(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('enterprise_groups').where('id', '=', id).execute()
}
