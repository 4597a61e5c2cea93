import { sql } from 'kysely'
import type { Database } from '../kernel/database/database.ts'

/**
 * Connections that machines have to other nodes than this one. One with `expected_until` has no node now: it was let go
 * and is about to come to another one; if it came to a new owner since, that connection is not shown to them.
 */
export async function listHeldElsewhere(db: Database, nodeId: string, machineIds: readonly number[]) {
  if (machineIds.length === 0) return []
  return db
    .selectFrom('machine_connections')
    .select(['machine_id', 'protocol', 'address', 'started_at', 'last_seen_at', 'node_id', 'expected_until'])
    .where(sql<boolean>`machine_id = any(${machineIds}::bigint[])`)
    .where('ended_at', 'is', null)
    .where((row) => row.or([row('node_id', '!=', nodeId), row('expected_until', 'is not', null)]))
    .where(sql<boolean>`(expected_until is null or not exists (select from machines
      where machines.id = machine_id and machines.owned_since > started_at))`)
    .execute()
}
