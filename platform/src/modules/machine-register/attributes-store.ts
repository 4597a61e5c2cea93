import type pg from 'pg'

/** All facts of one machine together, as JSON (rules/telemetry.md: attributes). */
const attributesBytesMax = 16 * 1024

/** Merges facts about a machine over those it has; false when it knew them all, or they would be too many. */
export async function mergeAttributes(
  client: pg.ClientBase,
  machineId: number,
  attributes: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update machines set attributes = attributes || $2::jsonb
     where id = $1 and not attributes @> $2::jsonb and octet_length((attributes || $2::jsonb)::text) <= $3`,
    [machineId, JSON.stringify(attributes), attributesBytesMax],
  )
  return (rowCount ?? 0) > 0
}
