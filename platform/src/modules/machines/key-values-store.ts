import { sql } from 'kysely'
import type { KeyTagRow, Telemetry } from '../telemetry/index.ts'
import type { Db } from './machines-store.ts'

/** The value that a list shows for a machine; `owned_since`: that of the machine's row. */
export interface KeyValueRow extends KeyTagRow {
  owned_since: Date | null
}

/**
 * Key values of machines: the one that the user chose for their list, else the machine's own; `latest` is at most a
 * second behind (rules/telemetry.md: key value).
 */
export async function listKeyValues(
  db: Db,
  telemetry: Pick<Telemetry, 'listKeyTags'>,
  userId: number,
  machineIds: readonly number[],
): Promise<Map<number, KeyValueRow>> {
  const { rows: entries } = await sql<{
    machine_id: number
    key_tag_id: number | null
    owned_since: Date | null
  }>`
    select machine.id as machine_id, entry.key_tag_id, machine.owned_since
    from machines machine
    left join machine_list_entries entry on entry.user_id = ${userId} and entry.machine_id = machine.id
    where machine.id = any(${[...machineIds]}::bigint[])`.execute(db)
  const tags = await telemetry.listKeyTags(
    entries.map((entry) => ({ machineId: entry.machine_id, tagId: entry.key_tag_id })),
  )
  const ownedSince = new Map(entries.map((entry) => [entry.machine_id, entry.owned_since]))
  return new Map(
    tags.map((tag) => [tag.machine_id, { ...tag, owned_since: ownedSince.get(tag.machine_id) ?? null }]),
  )
}
