import type pg from 'pg'

/** All facts of one machine together, as JSON (rules/telemetry.md: attributes). */
const attributesBytesMax = 16 * 1024

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
 */
export async function mergeAttributes(
  client: pg.ClientBase,
  told: readonly ToldAttributes[],
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `with news as (
       select id, told.attributes, received_at
       from unnest($1::bigint[], $2::jsonb[], $3::timestamptz[]) as told (id, attributes, received_at)
       join machines using (id)
       where (machines.attributes || told.attributes) <> machines.attributes and (owned_since is null or owned_since <= received_at)
         and octet_length((machines.attributes || told.attributes)::text) <= $4
     ), free as (
       select id from machines where id in (select id from news) for no key update skip locked
     ), written as (
       update machines set attributes = machines.attributes || news.attributes
       from news join free using (id)
       where machines.id = free.id and (owned_since is null or owned_since <= news.received_at)
         and octet_length((machines.attributes || news.attributes)::text) <= $4
     )
     select id from news where id not in (select id from free)`,
    [
      told.map(({ machineId }) => machineId),
      told.map(({ attributes }) => JSON.stringify(attributes)),
      told.map(({ receivedAt }) => new Date(receivedAt)),
      attributesBytesMax,
    ],
  )
  return rows.map(({ id }) => id)
}
