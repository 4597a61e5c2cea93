import type { visits as contract, telemetry } from '@busbar/contract'
import type { PortWrite } from '@busbar/link'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { OwnWrite, Values } from './compare.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A visit's machine before it, and after it once that is settled. */
export interface Snapshot {
  readonly visitId: number
  readonly machineId: number
  readonly userId: number
  readonly begunAt: Date
  readonly endedAt: Date | null
  /** When the values after it were kept. */
  readonly settledAt: Date | null
  readonly before: Values
  readonly after: Values
  readonly revisionBefore: number | null
  readonly revisionAfter: number | null
}

/** A visit controls its machine; false where it did before. */
export async function insertSnapshot(db: Db, visitId: number, at: Date): Promise<boolean> {
  const row = await db
    .insertInto('visit_snapshots')
    .values({ visit_id: visitId, begun_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('visit_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The visit is over; false where it never controlled its machine. */
export async function updateEnded(db: Db, visitId: number, at: Date): Promise<boolean> {
  const row = await db
    .updateTable('visit_snapshots')
    .set({ ended_at: at })
    .where('visit_id', '=', visitId)
    .where('ended_at', 'is', null)
    .returning('visit_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function updateBefore(
  db: Db,
  visitId: number,
  kept: { readonly values: Values; readonly revision: number | null },
): Promise<void> {
  await db
    .updateTable('visit_snapshots')
    .set({ values_before: jsonOf(kept.values), revision_before: kept.revision })
    .where('visit_id', '=', visitId)
    .where('settled_at', 'is', null)
    .execute()
}

export async function updateSettled(
  db: Db,
  visitId: number,
  kept: {
    readonly before: Values
    readonly after: Values
    readonly revision: number | null
    readonly at: Date
  },
): Promise<void> {
  await db
    .updateTable('visit_snapshots')
    .set({
      values_before: jsonOf(kept.before),
      values_after: jsonOf(kept.after),
      revision_after: kept.revision,
      settled_at: kept.at,
    })
    .where('visit_id', '=', visitId)
    .where('ended_at', 'is not', null)
    .where('settled_at', 'is', null)
    .execute()
}

/** Snapshots of visits; those that never controlled a machine have none. */
export async function listSnapshots(db: Db, visitIds: readonly number[]): Promise<Snapshot[]> {
  const rows = await db
    .selectFrom('visit_snapshots')
    .innerJoin('visits', 'visits.id', 'visit_id')
    .select(['machine_id', 'user_id', 'begun_at', 'settled_at', 'visit_snapshots.ended_at'])
    .select(['visit_id', 'values_before', 'values_after', 'revision_before', 'revision_after'])
    .where(sql<boolean>`visit_id = any(${[...visitIds]}::bigint[])`)
    .orderBy('begun_at')
    .orderBy('visit_id')
    .execute()
  return rows.map((row) => ({
    visitId: row.visit_id,
    machineId: row.machine_id,
    userId: row.user_id,
    begunAt: row.begun_at,
    endedAt: row.ended_at,
    settledAt: row.settled_at,
    before: valuesOf(row.values_before),
    after: valuesOf(row.values_after),
    revisionBefore: row.revision_before,
    revisionAfter: row.revision_after,
  }))
}

/** Ended visits whose values afterwards are not kept. */
export async function listUnsettled(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('visit_snapshots')
    .select('visit_id')
    .where('settled_at', 'is', null)
    .where('ended_at', 'is not', null)
    .execute()
  return rows.map((row) => row.visit_id)
}

/** Of each kind, in one question: a person writes 60 values a minute. */
const writingsMax = 20_000

/** A writing at a machine by whomever; `userId` null: at the machine itself. */
export type PersonWrite = OwnWrite & { readonly userId: number | null; readonly visitId: number | null }

/**
 * The writings of a machine that changed something, or may have, in a span or in one of some visits: the earliest first.
 * Machines tell the times of theirs. `isCut`: there are more.
 */
export async function listMachineWritings(
  db: Db,
  machineId: number,
  { from, to, visitIds }: { readonly from: Date; readonly to: Date; readonly visitIds: readonly number[] },
): Promise<{ writings: PersonWrite[]; isCut: boolean }> {
  const isMeant = (column: 'writes' | 'port_writes', at: string) =>
    sql<boolean>`((${sql.ref(at)} >= ${from} and ${sql.ref(at)} <= ${to})
      or ${sql.ref(`${column}.visit_id`)} = any(${[...visitIds]}::bigint[]))`
  const [values, places] = await Promise.all([
    db
      .selectFrom('writes')
      .select(['user_id', 'visit_id', 'tag_id', 'source', 'from_value', 'to_value', 'kept_value', 'at'])
      .where('machine_id', '=', machineId)
      .where(isMeant('writes', 'writes.at'))
      // A machine that kept a third value, such as its limit, was changed all the same.
      .where(
        sql<boolean>`(state <> 'failed' or (kept_value is not null and kept_value is distinct from from_value))`,
      )
      .orderBy('at')
      .orderBy('id')
      .limit(writingsMax)
      .execute(),
    db
      .selectFrom('port_writes')
      .innerJoin('visits', 'visits.id', 'port_writes.visit_id')
      .select(['visits.user_id', 'visit_id', 'tag_id', 'port', 'unit', 'place'])
      .select(['from_value', 'to_value', 'last_at'])
      .where('visits.machine_id', '=', machineId)
      .where(isMeant('port_writes', 'port_writes.last_at'))
      .orderBy('last_at')
      .orderBy('place')
      .limit(writingsMax)
      .execute(),
  ])
  const none = { port: null, unit: null, place: null }
  const writings: PersonWrite[] = values.map((row) => ({
    ...none,
    userId: row.user_id,
    visitId: row.visit_id,
    way: row.source === 'console' ? ('write' as const) : ('page' as const),
    tagId: row.tag_id,
    from: row.from_value as telemetry.TagValue,
    to: (row.kept_value ?? row.to_value) as telemetry.TagValue,
    at: row.at.getTime(),
  }))
  const byTools: PersonWrite[] = places.map((row) => ({
    userId: row.user_id,
    visitId: row.visit_id,
    way: 'port' as const satisfies contract.ChangeWay,
    tagId: row.tag_id,
    port: row.port,
    unit: row.unit,
    place: row.place,
    from: row.from_value,
    to: row.to_value,
    at: row.last_at.getTime(),
  }))
  return {
    writings: [...writings, ...byTools].sort((a, b) => a.at - b.at),
    isCut: values.length === writingsMax || places.length === writingsMax,
  }
}

/** A place that a visit's tool wrote. */
export interface KeptPlace extends Pick<PortWrite, 'unit' | 'place' | 'from' | 'to'> {
  readonly visitId: number
  /** Epoch milliseconds of the first write and of the last. */
  readonly firstAt: number
  readonly lastAt: number
  readonly port: string
  readonly tagId: number | null
}

/**
 * Keeps the writings of places: of each its first value before, and its last. Repeated ones change nothing. A visit keeps
 * `most` places; those of one that is gone are dropped.
 */
export async function upsertPlaces(db: Db, places: readonly KeptPlace[], most: number): Promise<void> {
  if (places.length === 0) return
  const column = <Name extends keyof KeptPlace>(name: Name) => places.map((place) => place[name])
  const dates = (name: 'firstAt' | 'lastAt') => places.map((place) => new Date(place[name]))
  await sql`
    with room as (
      select visits.id as visit_id, (select count(*) from port_writes had where had.visit_id = visits.id) as kept
      from visits where visits.id = any(${[...new Set(column('visitId'))]}::bigint[])
    )
    insert into port_writes as kept (visit_id, port, unit, place, from_value, to_value, first_at, last_at, tag_id)
    select told.visit_id, told.port, told.unit, told.place, told.from_value, told.to_value, told.first_at, told.last_at, told.tag_id
    from unnest(${column('visitId')}::bigint[], ${column('port')}::text[], ${column('unit')}::int[],
                ${column('place')}::text[], ${column('from')}::text[], ${column('to')}::text[],
                ${dates('firstAt')}::timestamptz[], ${dates('lastAt')}::timestamptz[], ${column('tagId')}::bigint[])
         as told (visit_id, port, unit, place, from_value, to_value, first_at, last_at, tag_id)
    join visits on visits.id = told.visit_id
    where told.visit_id in (select visit_id from room where kept < ${most})
       or exists (select from port_writes had where had.visit_id = told.visit_id and had.port = told.port
                  and had.unit is not distinct from told.unit and had.place = told.place)
    on conflict (visit_id, port, unit, place) do update
      set to_value = case when excluded.last_at >= kept.last_at then excluded.to_value else kept.to_value end,
          from_value = case when excluded.first_at < kept.first_at then excluded.from_value else kept.from_value end,
          first_at = least(kept.first_at, excluded.first_at), last_at = greatest(kept.last_at, excluded.last_at),
          tag_id = coalesce(excluded.tag_id, kept.tag_id)
      where (excluded.first_at, excluded.last_at) is distinct from (kept.first_at, kept.last_at)`.execute(db)
}

const jsonOf = (values: Values) => JSON.stringify(Object.fromEntries(values))

const valuesOf = (json: unknown): Values =>
  new Map(
    Object.entries(json as Record<string, telemetry.TagValue>).map(([tagId, value]) => [
      Number(tagId),
      value,
    ]),
  )
