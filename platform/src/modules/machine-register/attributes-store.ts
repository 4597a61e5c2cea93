import type pg from 'pg'

/** All facts of one machine together, as JSON (rules/telemetry.md: attributes). */
const attributesBytesMax = 16 * 1024

/** The attributes by which a machine is found; they are taken from `told_places`. */
const placeNames = ['gps', 'cells', 'wifi'] as const

export const tellsPlace = ({ attributes }: Pick<ToldAttributes, 'attributes'>): boolean =>
  placeNames.some((name) => name in attributes)

/** A machine’s message about itself; `receivedAt` in epoch milliseconds. */
export interface ToldAttributes {
  readonly machineId: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly receivedAt: number
}

/**
 * Merges facts about machines over those that they have, each machine once. Rows that have them all, each with exactly
 * this value, are neither written nor locked; nothing is written where they would be too many, or were told to a former owner. Answers the machines whose
 * rows another transaction holds: their facts are not written.
 *
 * A position is noted in `told_places` each time that it is told, cells and networks where they changed.
 */
export async function mergeAttributes(
  client: pg.ClientBase,
  told: readonly ToldAttributes[],
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `with told as materialized (
       select machines.id, told.attributes, received_at, machines.attributes as known
       from unnest($1::bigint[], $2::jsonb[], $3::timestamptz[]) as told (id, attributes, received_at)
       join machines using (id)
       where (owned_since is null or owned_since <= received_at)
         and ((machines.attributes || told.attributes) <> machines.attributes or told.attributes ? 'gps')
         and octet_length((machines.attributes || told.attributes)::text) <= $4
     ), news as (
       select * from told where (known || attributes) <> known
     ), free as (
       select id from machines where id in (select id from news) for no key update skip locked
     ), written as (
       update machines set attributes = machines.attributes || news.attributes
       from news join free using (id)
       where machines.id = free.id and (owned_since is null or owned_since <= news.received_at)
         and octet_length((machines.attributes || news.attributes)::text) <= $4
     ), places as materialized (
       select id, received_at, array_agg(name) as names, jsonb_object_agg(name, attributes -> name)
              || jsonb_build_object('at', jsonb_object_agg(name, (extract(epoch from received_at) * 1000)::bigint)) as place
       from told, unnest($5::text[]) as name
       where attributes ? name and (name = 'gps' or attributes -> name is distinct from known -> name)
       group by id, received_at
     ), kept as materialized (
       select machine_id from told_places where machine_id in (select id from places)
     ), untaken as materialized (
       select machine_id from told_places where machine_id in (select machine_id from kept) for update skip locked
     ), noted as (
       insert into told_places as noted (machine_id, told, told_at, fresh)
       select id, place, received_at, names from places
       where id not in (select machine_id from kept) or id in (select machine_id from untaken)
       on conflict (machine_id) do update set
         told = noted.told || excluded.told
           || jsonb_build_object('at', coalesce(noted.told -> 'at', '{}') || (excluded.told -> 'at')),
         told_at = excluded.told_at,
         fresh = array(select distinct name from unnest(noted.fresh || excluded.fresh) as name)
     )
     select id from news where id not in (select id from free)
     union
     select machine_id from kept where machine_id not in (select machine_id from untaken)`,
    [
      told.map(({ machineId }) => machineId),
      told.map(({ attributes }) => JSON.stringify(attributes)),
      told.map(({ receivedAt }) => new Date(receivedAt)),
      attributesBytesMax,
      placeNames,
    ],
  )
  return rows.map(({ id }) => id)
}
