import { type Kysely, sql, type Transaction } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import { attributesFor, type PlaceReader, placeOf } from '../../kernel/database/place-of.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { openAlarmsOf } from '../alarms/index.ts'
import { nameFor } from '../machine-names/index.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>
export type Trx = Transaction<DB>

/** A machine by its code, with the columns that adding it and its state need. */
export async function findMachineByCode(db: Db, code: string) {
  return db
    .selectFrom('machines')
    .select([
      'id',
      'code',
      'model',
      'check_type',
      'cloud_service',
      'owner_user_id',
      'owner_enterprise_id',
      'password_hash',
      'last_seen_at',
    ])
    .where('code', '=', code)
    .executeTakeFirst()
}

/** Whether the machine is in the user's list. */
export async function hasListEntry(db: Db, userId: number, machineId: number): Promise<boolean> {
  const row = await db
    .selectFrom('machine_list_entries')
    .select('machine_id')
    .where('user_id', '=', userId)
    .where('machine_id', '=', machineId)
    .executeTakeFirst()
  return row !== undefined
}

/** Number of machines in the user's list. */
export async function countListEntries(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('machine_list_entries')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Whether the group is one of the user's. */
export async function hasGroup(db: Db, userId: number, groupId: number): Promise<boolean> {
  const row = await db
    .selectFrom('machine_groups')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', groupId)
    .executeTakeFirst()
  return row !== undefined
}

/** Puts an entry of the user's list into one of their groups. */
export async function createEntryGroup(
  db: Db,
  entry: { userId: number; machineId: number; groupId: number },
): Promise<void> {
  await db
    .insertInto('machine_list_entry_groups')
    .values({ user_id: entry.userId, machine_id: entry.machineId, group_id: entry.groupId })
    .execute()
}

const placeColumns = [
  'place.lat',
  'place.lng',
  'place.accuracy',
  'place.place_source',
  'place.placed_at',
  'place.address',
  'place.location_type',
  'place.location_way',
] as const

/**
 * A user's list with the columns of the machine table, and the number of active alarms. For a single machine, such as an
 * enterprise's device, also if it is not in their list, under the name that it has for them.
 */
export async function listEntries(db: Db, reader: PlaceReader, now: number, machineId?: number) {
  const { userId } = reader
  return db
    .with('entry', (query) => {
      const own = query
        .selectFrom('machine_list_entries')
        .select(['user_id', 'machine_id', 'name', 'remark', 'key_tag_id'])
        .where('user_id', '=', userId)
      if (machineId === undefined) return own
      const entry = own.where('machine_id', '=', machineId)
      const unlisted = query
        .selectFrom('machines')
        .select([
          sql<number>`${userId}::bigint`.as('user_id'),
          'id as machine_id',
          nameFor(sql`${userId}::bigint`, sql.ref('machines.id')).as('name'),
          sql<string>`''`.as('remark'),
          sql<number | null>`null::bigint`.as('key_tag_id'),
        ])
        .where('id', '=', machineId)
        .where(({ not, exists }) => not(exists(entry)))
      return entry.unionAll(unlisted)
    })
    .selectFrom('entry')
    .innerJoin('machines', 'machines.id', 'entry.machine_id')
    .leftJoin('machine_grants as grant', (join) =>
      join.onRef('grant.machine_id', '=', 'entry.machine_id').onRef('grant.user_id', '=', 'entry.user_id'),
    )
    .leftJoin(openAlarmsOf('entry', new Date(now)), (join) =>
      join.onRef('alarm.machine_id', '=', 'machines.id'),
    )
    .leftJoinLateral(placeOf(reader), (join) => join.onTrue())
    .select([
      'machines.id',
      'machines.code',
      'machines.type',
      'machines.model',
      'machines.name as shared_name',
      'machines.check_type',
      'machines.cloud_service',
      ...placeColumns,
      'machines.project_image',
      'machines.last_seen_at',
      // Kilobytes each, which a list does not show.
      sql<unknown>`case when ${machineId !== undefined} then ${attributesFor(reader)} end`.as('attributes'),
      'machines.adapter',
      'machines.time_zone',
      'machines.text_encoding',
      'machines.other_topics',
      'machines.clock_offset_ms',
      'machines.clock_seen_at',
      'entry.name',
      'entry.remark',
      'entry.key_tag_id',
      'grant.id as grant_id',
      'alarm.open',
      'alarm.unconfirmed',
      'alarm.worst',
      sql<{ id: number; name: string }[]>`coalesce((
        select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
        from machine_list_entry_groups eg join machine_groups g on g.id = eg.group_id
        where eg.user_id = entry.user_id and eg.machine_id = entry.machine_id), '[]')`.as('groups'),
    ])
    .orderBy('entry.name')
    .orderBy('machines.id')
    .execute()
}
/** A machine in a person's list. */
export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number]

/** The connection a machine has, or had last; undefined when it was never seen. */
export async function findLastConnection(db: Db, machineId: number) {
  return db
    .selectFrom('machine_connections')
    .select(['protocol', 'address', 'started_at', 'last_seen_at', 'ended_at'])
    .where('machine_id', '=', machineId)
    .where(isSinceOwned(machineId, 'started_at'))
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** States of those machines of the user's list that are named, by code or by id. */
export async function listStates(
  db: Db,
  userId: number,
  named: { codes: readonly string[] } | { ids: readonly number[] },
) {
  const query = db
    .selectFrom('machines')
    .innerJoin('machine_list_entries as entry', 'entry.machine_id', 'machines.id')
    .select(['machines.id', 'machines.code', 'machines.cloud_service', 'machines.last_seen_at'])
    .where('entry.user_id', '=', userId)
  return 'codes' in named
    ? query.where('machines.code', 'in', named.codes.length ? [...named.codes] : ['']).execute()
    : query.where('machines.id', 'in', named.ids.length ? [...named.ids] : [0]).execute()
}
