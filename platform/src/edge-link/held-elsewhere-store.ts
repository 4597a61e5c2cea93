import { sql } from 'kysely'
import type { Database } from '../kernel/database/database.ts'

/** Connections that machines have to other nodes than this one. */
export async function listHeldElsewhere(db: Database, nodeId: string, machineIds: readonly number[]) {
  if (machineIds.length === 0) return []
  return db
    .selectFrom('machine_connections')
    .select(['machine_id', 'protocol', 'address', 'started_at', 'last_seen_at', 'node_id'])
    .where(sql<boolean>`machine_id = any(${machineIds}::bigint[])`)
    .where('ended_at', 'is', null)
    .where('node_id', '!=', nodeId)
    .execute()
}
