import type { KeyTagRow, Telemetry } from '../telemetry/index.ts'
import type { Db } from './machines-store.ts'

/** The value that a list shows for a machine; `owned_since`: that of the machine's row. */
export interface KeyValueRow extends KeyTagRow {
  owned_since: Date | null
}

/** Key values of every machine in a user's list, or of one of them; `latest` is at most a second behind. */
export async function listKeyValues(
  db: Db,
  telemetry: Pick<Telemetry, 'listKeyTags'>,
  userId: number,
  machineId?: number,
): Promise<Map<number, KeyValueRow>> {
  let query = db
    .selectFrom('machine_list_entries as entry')
    .innerJoin('machines as machine', 'machine.id', 'entry.machine_id')
    .select(['entry.machine_id', 'entry.key_tag_id', 'machine.owned_since'])
    .where('entry.user_id', '=', userId)
  if (machineId !== undefined) query = query.where('entry.machine_id', '=', machineId)
  const entries = await query.execute()
  const tags = await telemetry.listKeyTags(
    entries.map((entry) => ({ machineId: entry.machine_id, tagId: entry.key_tag_id })),
  )
  const ownedSince = new Map(entries.map((entry) => [entry.machine_id, entry.owned_since]))
  return new Map(
    tags.map((tag) => [tag.machine_id, { ...tag, owned_since: ownedSince.get(tag.machine_id) ?? null }]),
  )
}
